//! Wavefront OBJ: `v x y z` and `f a b c …` with corners `v`, `v/vt`, `v//vn` or `v/vt/vn`.
//!
//! Corners count from 1; negative ones count back from the last vertex so far. Polygons are cut into a fan of triangles.
//! Everything else (normals, textures, groups, materials) is ignored.

use super::{ContentError, Triangle, lines, point};

pub(super) fn triangles(bytes: &[u8]) -> Result<Vec<Triangle>, ContentError> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (line, words) in lines(bytes)? {
        match words[0] {
            "v" => vertices.push(point(line, &words[1..])?),
            "f" => {
                let corners: Vec<[f64; 3]> = words[1..].iter().map(|word| corner(line, word, &vertices)).collect::<Result<_, _>>()?;
                if corners.len() < 3 {
                    return Err(ContentError::line(line, format!("a face needs three corners, here are {}", corners.len())));
                }
                triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    Ok(triangles)
}

fn corner(line: usize, word: &str, vertices: &[[f64; 3]]) -> Result<[f64; 3], ContentError> {
    let wrong = |what| ContentError::line(line, format!("the corner `{word}` {what}"));
    let number: i64 = word.split('/').next().unwrap_or_default().parse().map_err(|_| wrong("does not start with a whole number".into()))?;
    let index = if number < 0 { vertices.len() as i64 + number } else { number - 1 };
    let vertex = usize::try_from(index).ok().and_then(|index| vertices.get(index));
    vertex.copied().ok_or_else(|| wrong(format!("is not a vertex; {} came before, counted from 1", vertices.len())))
}
