//! Surfaces of triangles from files: STL (text or binary) and Wavefront OBJ.

mod obj;
mod stl;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Shape;

/// Corners of one triangle.
type Triangle = [[f64; 3]; 3];

/// Corners closer than this fraction of the size of the mesh are one vertex; single precision carries seven digits.
const SAME_VERTEX: f64 = 1e-7;

/// Why a mesh could not be read.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file cannot be read.
    #[error("cannot read the mesh {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file that is neither STL nor OBJ.
    #[error("{}: only .stl and .obj meshes can be read", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
    },
    /// A scale that turns the mesh inside out or to nothing.
    #[error("{}: the scale is {scale}, but must be positive", path.display())]
    Scale {
        /// The file.
        path: PathBuf,
        /// The scale.
        scale: f64,
    },
    /// Something in the file is wrong.
    #[error("{}: {source}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ContentError,
    },
}

/// What is wrong in a mesh file.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum ContentError {
    /// A line of text that does not fit the format.
    #[error("line {line}: {what}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The file is not text.
    #[error("the file is not text (byte {at} is not UTF-8)")]
    Text {
        /// The first byte that does not fit.
        at: usize,
    },
    /// A binary file that ends too early.
    #[error("neither a text STL (no `facet` after `solid`) nor a complete binary one: {expected} bytes would be needed, {found} are there")]
    Short {
        /// Bytes that the header announces.
        expected: u64,
        /// Bytes in the file.
        found: u64,
    },
    /// A coordinate that is not a number.
    #[error("triangle {triangle} has a corner that is not finite")]
    NotFinite {
        /// The triangle, counted from 1.
        triangle: usize,
    },
    /// No triangle with an area.
    #[error("the file holds no triangles")]
    Empty,
}

impl ContentError {
    fn line(line: usize, what: impl Into<String>) -> Self {
        Self::Line { line, what: what.into() }
    }
}

/// The surface in the file, with all lengths times `scale` (0.001 for a file in millimetres).
///
/// Equal corners become one vertex; triangles that vanish thereby are left out.
pub fn read(path: &Path, scale: f64) -> Result<Shape, MeshError> {
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(MeshError::Scale { path: path.into(), scale });
    }
    let parse = match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("stl") => stl::triangles,
        Some("obj") => obj::triangles,
        _ => return Err(MeshError::Kind { path: path.into() }),
    };
    let bytes = std::fs::read(path).map_err(|source| MeshError::File { path: path.into(), source })?;
    parse(&bytes).and_then(|triangles| weld(&triangles, scale)).map_err(|source| MeshError::Content { path: path.into(), source })
}

/// Joins equal corners.
fn weld(corners: &[Triangle], scale: f64) -> Result<Shape, ContentError> {
    if let Some(k) = corners.iter().position(|t| !t.iter().flatten().all(|x| (x * scale).is_finite())) {
        return Err(ContentError::NotFinite { triangle: k + 1 });
    }
    let size = corners.iter().flatten().flatten().fold(0.0_f64, |size, x| size.max(x.abs()));
    let cell = |corner: &[f64; 3]| corner.map(|x| (x / (SAME_VERTEX * size)).round() as i64);
    let (mut vertices, mut triangles, mut known) = (Vec::new(), Vec::new(), HashMap::new());
    for triangle in corners {
        let [a, b, c] = triangle.map(|corner| {
            *known.entry(cell(&corner)).or_insert_with(|| {
                vertices.push(corner.map(|x| x * scale));
                (vertices.len() - 1) as u32
            })
        });
        if a != b && b != c && c != a {
            triangles.push([a, b, c]);
        }
    }
    if triangles.is_empty() { Err(ContentError::Empty) } else { Ok(Shape::Mesh { vertices, triangles }) }
}

/// The lines of a text with their numbers, split into words; comments and empty lines are left out.
fn lines(bytes: &[u8]) -> Result<impl Iterator<Item = (usize, Vec<&str>)>, ContentError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ContentError::Text { at: error.valid_up_to() })?;
    let words = text.lines().map(|line| line.split('#').next().unwrap_or_default().split_whitespace().collect::<Vec<_>>());
    Ok((1..).zip(words).filter(|(_, words)| !words.is_empty()))
}

/// The first three of `words` as a point.
fn point(line: usize, words: &[&str]) -> Result<[f64; 3], ContentError> {
    let &[x, y, z, ..] = words else {
        return Err(ContentError::line(line, format!("a vertex needs three coordinates, here are {}", words.len())));
    };
    let number = |word: &str| word.parse().map_err(|_| ContentError::line(line, format!("`{word}` is not a number")));
    Ok([number(x)?, number(y)?, number(z)?])
}
