//! The commands, one file each.

mod check;
pub mod compare;
mod completions;
mod gallery;
pub mod kinematics;
pub mod linearize;
pub mod modes;
mod new;
mod plot;
mod real_time;
mod report;
pub mod reproduce;
mod run;
mod schema;
mod show;
mod stability;
pub mod statics;
mod tables;

use crate::args::Command;
use crate::exit::{Code, Failure};

/// Does what was asked for.
pub fn execute(command: &Command) -> Result<Code, Failure> {
    match command {
        Command::Run(args) => run::run(args),
        Command::Check(args) => check::check(args),
        Command::Plot(args) => plot::plot(args),
        Command::Report(args) => report::report(args),
        Command::Show(args) => show::show(args),
        Command::New(args) => new::new(args),
        Command::Gallery(args) => gallery::gallery(args),
        Command::Compare(args) => compare::compare(args),
        Command::Reproduce(args) => reproduce::reproduce(args),
        Command::Statics(args) => statics::statics(args),
        Command::Kinematics(args) => kinematics::run(args),
        Command::Linearize(args) => linearize::run(args),
        Command::Modes(args) => modes::run(args),
        Command::Stability(args) => stability::stability(args),
        Command::Methods => tables::methods(),
        Command::Joints => tables::joints(),
        Command::Forces => tables::forces(),
        Command::Blocks => tables::blocks(),
        Command::Functions => tables::functions(),
        Command::Units => tables::units(),
        Command::Schema => schema::schema(),
        Command::Completions { shell } => completions::completions(*shell),
    }
}
