//! A file that is complete at every instant although it grows and ends in a footer.
//!
//! Two copies take turns. Growing by a part means: the copy that nobody sees gets the parts it lacks and a new footer over its
//! old one; then it takes the place of the visible copy in one rename, and the old visible copy becomes the unseen one. Whenever
//! the process is killed, the file under its name ends with a footer. Every byte is written twice, the disk holds both copies
//! until the file is finished.

use std::fs::{self, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A growing file with a footer.
#[derive(Debug)]
pub struct Published {
    path: PathBuf,
    /// The unseen copy, and how much of it is data.
    unseen: PathBuf,
    length: u64,
    /// What the unseen copy lacks.
    missing: Vec<u8>,
}

impl Published {
    /// Nothing yet; leftovers of a killed process are removed.
    pub fn new(path: &Path) -> Self {
        let unseen = beside(path, "next");
        let _ = fs::remove_file(&unseen);
        Self { path: path.into(), unseen, length: 0, missing: Vec::new() }
    }

    /// Adds data, with a footer for everything so far.
    pub fn grow(&mut self, data: Vec<u8>, footer: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(&self.unseen)?;
        file.seek(SeekFrom::Start(self.length))?;
        for part in [&self.missing, &data, footer] {
            file.write_all(part)?;
        }
        let end = file.stream_position()?;
        file.set_len(end)?;
        drop(file);
        self.swap()?;
        self.length = end - (data.len() + footer.len()) as u64;
        self.missing = data;
        Ok(())
    }

    /// The unseen copy becomes visible, at once; the visible one unseen.
    fn swap(&self) -> io::Result<()> {
        let spare = beside(&self.path, "last");
        let _ = fs::remove_file(&spare);
        if !self.path.exists() {
            return fs::rename(&self.unseen, &self.path);
        }
        fs::hard_link(&self.path, &spare).or_else(|_| fs::copy(&self.path, &spare).map(|_| ()))?;
        fs::rename(&self.unseen, &self.path)?;
        fs::rename(&spare, &self.unseen)
    }

    /// Removes the unseen copy.
    pub fn finish(&self) -> io::Result<()> {
        if self.unseen.exists() { fs::remove_file(&self.unseen) } else { Ok(()) }
    }
}

/// A hidden file next to another.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{suffix}"))
}
