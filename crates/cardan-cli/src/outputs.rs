//! Outputs of a run in real time, written to a file while it goes. Rows are handed over in packets to a thread of their own, so that no step
//! waits for a disk; packets come back to be filled again.

use crate::exit::Failure;
use cardan::results::Channel;
use cardan::system::System;
use cardan_io::results::{CsvWriter, ResultsError, Writer};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// Numbers in a packet.
const PACKET: usize = 8192;

/// A file that grows.
pub struct Outputs {
    packet: Vec<f64>,
    full: Sender<Vec<f64>>,
    empty: Receiver<Vec<f64>>,
    thread: JoinHandle<Result<(), ResultsError>>,
}

impl Outputs {
    /// Creates the file: time and sensors.
    pub fn create(path: &Path, system: &System) -> Result<Self, Failure> {
        let time = Channel { name: "time".into(), unit: "s".into() };
        let sensors = system.sensors().iter().map(|s| Channel { name: s.name.clone(), unit: s.unit.clone().unwrap_or("1".into()) });
        let channels: Vec<Channel> = std::iter::once(time).chain(sensors).collect();
        let file = CsvWriter::create(path, &channels).map_err(Failure::file)?;
        let (full, rows) = channel();
        let (back, empty) = channel();
        let thread = std::thread::spawn(move || write(file, channels.len(), &rows, &back));
        Ok(Self { packet: Vec::with_capacity(PACKET + channels_of(system)), full, empty, thread })
    }

    /// One more row.
    pub fn row(&mut self, t: f64, sensed: &[f64]) {
        self.packet.push(t);
        self.packet.extend_from_slice(sensed);
        if self.packet.len() >= PACKET {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        let room = self.packet.capacity();
        let fresh = self.empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(room));
        // Where the thread has ended with an error, `finish` tells it.
        let _ = self.full.send(std::mem::replace(&mut self.packet, fresh));
    }

    /// Writes what is left.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.hand_over();
        drop(self.full);
        let written = self.thread.join().map_err(|_| Failure::file("the thread that writes outputs has ended by itself"))?;
        written.map_err(Failure::file)
    }
}

fn channels_of(system: &System) -> usize {
    1 + system.sensors().len()
}

fn write(mut file: CsvWriter, width: usize, rows: &Receiver<Vec<f64>>, back: &Sender<Vec<f64>>) -> Result<(), ResultsError> {
    for mut packet in rows {
        packet.chunks_exact(width).try_for_each(|row| file.row(row))?;
        packet.clear();
        // Nobody fills packets any more after the last one.
        let _ = back.send(packet);
    }
    file.finish()
}
