//! Plots of result files as SVG or PNG: one panel a unit over a common axis.

mod draw;
mod panels;

pub use panels::{Panel, Panels, select};

use crate::results::Table;
use plotters::prelude::{BitMapBackend, IntoDrawingArea, SVGBackend};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why there is no plot.
#[derive(Debug, Error)]
pub enum PlotError {
    /// No channel is called like this.
    #[error("there is no channel '{pattern}'{}", similar.as_ref().map_or(String::new(), |s| format!("; did you mean '{s}'?")))]
    Unknown {
        /// Name or pattern as given.
        pattern: String,
        /// The nearest name.
        similar: Option<String>,
    },
    /// The file's ending is neither svg nor png.
    #[error("{}: plots are .svg or .png", path.display())]
    Format {
        /// The file.
        path: PathBuf,
    },
    /// Drawing failed.
    #[error("{}: {message}", path.display())]
    Draw {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
}

/// Draws panels of a table to a file; its ending says how.
pub fn draw(table: &Table, panels: &Panels, title: &str, path: &Path) -> Result<(), PlotError> {
    let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let drawn = match ending.as_deref() {
        Some("svg") => {
            let figure = draw::Figure::vector(table, panels, title);
            figure.draw(&SVGBackend::new(path, figure.size()).into_drawing_area())
        }
        Some("png") => {
            let figure = draw::Figure::bitmap(table, panels, title);
            figure.draw(&BitMapBackend::new(path, figure.size()).into_drawing_area())
        }
        _ => return Err(PlotError::Format { path: path.into() }),
    };
    drawn.map_err(|message| PlotError::Draw { path: path.into(), message })
}
