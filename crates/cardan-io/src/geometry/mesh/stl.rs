//! STL: text (`solid … facet … vertex x y z …`) or binary.
//!
//! ```text
//! binary: 80 bytes header, u32 number of triangles, then 50 bytes each: normal, three corners (f32, little-endian), two bytes
//! ```
//!
//! Some programs write binary files whose header starts with `solid`. So a file is binary if its length says so, and
//! text only if a `facet` or `endsolid` follows. Normals are ignored: the order of the corners tells the side.

use super::{ContentError, Triangle, lines, point};

const HEADER: usize = 84;
const RECORD: usize = 50;

pub(super) fn triangles(bytes: &[u8]) -> Result<Vec<Triangle>, ContentError> {
    let expected = announced(bytes);
    if expected != Some(bytes.len() as u64) && looks_like_text(bytes) {
        return text(bytes);
    }
    match expected {
        Some(expected) if expected <= bytes.len() as u64 => Ok(binary(&bytes[HEADER..expected as usize])),
        expected => Err(ContentError::Short { expected: expected.unwrap_or(HEADER as u64), found: bytes.len() as u64 }),
    }
}

/// The length that a binary file's header announces.
fn announced(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(HEADER - 4..HEADER)?;
    Some(HEADER as u64 + RECORD as u64 * u64::from(u32::from_le_bytes(count.try_into().ok()?)))
}

fn looks_like_text(bytes: &[u8]) -> bool {
    let start = bytes[..bytes.len().min(1000)].to_ascii_lowercase();
    let has = |word: &[u8]| start.windows(word.len()).any(|window| window == word);
    start.trim_ascii_start().starts_with(b"solid") && (has(b"facet") || has(b"endsolid"))
}

fn binary(records: &[u8]) -> Vec<Triangle> {
    let number = |bytes: &[u8]| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let corner = |bytes: &[u8]| [number(&bytes[0..4]), number(&bytes[4..8]), number(&bytes[8..12])];
    records.chunks_exact(RECORD).map(|r| [corner(&r[12..24]), corner(&r[24..36]), corner(&r[36..48])]).collect()
}

fn text(bytes: &[u8]) -> Result<Vec<Triangle>, ContentError> {
    let (mut triangles, mut corners, mut last) = (Vec::new(), Vec::new(), 0);
    for (line, words) in lines(bytes)? {
        last = line;
        match words[0].to_ascii_lowercase().as_str() {
            "vertex" => corners.push(point(line, &words[1..])?),
            "endloop" => {
                let triangle = <Triangle>::try_from(corners.as_slice())
                    .map_err(|_| ContentError::line(line, format!("a facet has three corners, this one has {}", corners.len())))?;
                triangles.push(triangle);
                corners.clear();
            }
            "solid" | "endsolid" | "facet" | "outer" | "endfacet" => {}
            other => return Err(ContentError::line(line, format!("`{other}` is not a word of STL"))),
        }
    }
    if corners.is_empty() { Ok(triangles) } else { Err(ContentError::line(last, "the file ends inside a facet")) }
}
