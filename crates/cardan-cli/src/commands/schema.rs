//! `cardan schema`: the JSON Schema of model files.

use crate::exit::{Code, Failure};
use crate::output;

/// Prints the schema.
pub fn schema() -> Result<Code, Failure> {
    output::print(&format!("{:#}\n", cardan_io::model_file::schema()))?;
    Ok(Code::Done)
}
