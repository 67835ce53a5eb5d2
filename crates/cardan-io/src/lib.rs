//! Files of Cardan: models in TOML, results in CSV and Parquet, comparisons of results, plots and the interactive report.

pub mod compare;
pub mod figure;
pub mod geometry;
pub mod model_file;
pub mod plot;
pub mod report;
pub mod results;
