//! stub
use crate::system::*;
/// a
#[derive(Debug)]
pub struct Redundancy {
    /// r
    pub regularization: Vec<f64>,
}
/// a
#[derive(Debug)]
pub struct Assembly {
    /// s
    pub state: State,
    /// r
    pub redundancy: Redundancy,
    /// w
    pub warnings: Vec<String>,
}
/// e
pub type AssemblyError = KktError;
/// a
pub fn assemble(system: &System) -> Result<Assembly, AssemblyError> {
    let mut kkt = Kkt::new(system);
    let mut w = Work::new(system);
    let mut x = system.initial().clone();
    kkt.project_positions(system, &mut x, &mut w)?;
    system.remember(&mut x, &mut w);
    kkt.project_velocities(system, &mut x, &mut w)?;
    kkt.accelerate(system, &mut x, &mut w)?;
    Ok(Assembly { state: x, redundancy: Redundancy { regularization: vec![] }, warnings: vec![] })
}
