//! Files with random mistakes: never a panic, and every problem has a place in the text.

use crate::{PENDULUM, documented, read};
use cardan::math::random::Random;
use cardan_io::model_file::{Color, lint, write};

const PIECES: [&str; 24] = [
    "\"", "[", "]", "{", "}", "=", "\n", ",", ".", "'", "0", "-1", "1e300", "ü", "true", "kind", "\"x\"", "#", "mm", "(", ")", "{k}", "?",
    "ground",
];

fn below(random: &mut Random, n: usize) -> usize {
    (random.bits() % n.max(1) as u64) as usize
}

fn mutated(source: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = source.chars().collect();
    for _ in 0..=below(random, 3) {
        let at = below(random, chars.len());
        match below(random, 4) {
            0 => {
                let end = (at + 1 + below(random, 6)).min(chars.len());
                chars.drain(at..end);
            }
            1 => {
                let piece = PIECES[below(random, PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
            2 => {
                let from = below(random, chars.len());
                let copy: Vec<char> = chars[from..(from + below(random, 20)).min(chars.len())].to_vec();
                chars.splice(at..at, copy);
            }
            _ => {
                let other = below(random, chars.len());
                chars.swap(at, other);
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn mutated_files_never_panic_and_problems_have_places() {
    let mut random = Random::new(11);
    let chain = documented()[2].replace("n = 100", "n = 3");
    let mut counts = [0, 0];
    for source in [PENDULUM, documented()[0], &chain] {
        for _ in 0..2000 {
            let text = mutated(source, &mut random);
            match read(&text) {
                Ok(document) => {
                    counts[0] += 1;
                    lint(&document).render(Color::Never);
                    let again = write(&document).unwrap();
                    read(&again).unwrap_or_else(|e| panic!("{text}\n{again}\n{e}"));
                }
                Err(problems) => {
                    counts[1] += 1;
                    assert!(!problems.list.is_empty());
                    assert!(problems.list.iter().all(|p| text.get(p.span.clone()).is_some() && !p.message.is_empty()));
                    problems.render(Color::Always);
                }
            }
        }
    }
    assert!(counts[0] > 50 && counts[1] > 500, "{counts:?}");
}
