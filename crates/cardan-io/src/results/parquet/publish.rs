//! A file that is complete at every instant although it grows and ends in a footer.
//!
//! Two copies take turns. Growing by a part means: the copy that nobody sees gets the parts it lacks, from the other one, the new part and
//! a new footer over its old one; then it takes the place of the visible copy in one rename, and the old visible copy becomes the unseen one. Whenever
//! the process is killed, the file under its name ends with a footer. Every byte is written twice, the disk holds both copies
//! until the file is finished.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 18;

/// A growing file with a footer.
#[derive(Debug)]
pub struct Published {
    path: PathBuf,
    /// The unseen copy.
    unseen: PathBuf,
    /// How much of the unseen copy is data, and of the visible one.
    length: u64,
    visible: u64,
}

impl Published {
    /// Nothing yet; leftovers of a killed process are removed.
    pub fn new(path: &Path) -> Self {
        let unseen = beside(path, "next");
        let _ = fs::remove_file(&unseen);
        Self { path: path.into(), unseen, length: 0, visible: 0 }
    }

    /// Adds data and a footer for everything so far, as `write` gives them; that says how much data there is then.
    pub fn grow(&mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<u64>) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(&self.unseen)?;
        file.seek(SeekFrom::Start(self.length))?;
        if self.visible > self.length {
            let mut seen = File::open(&self.path)?;
            seen.seek(SeekFrom::Start(self.length))?;
            io::copy(&mut seen.take(self.visible - self.length), &mut file)?;
        }
        let mut out = BufWriter::with_capacity(BUFFER, file);
        let data = write(&mut out)?;
        let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        let end = file.stream_position()?;
        file.set_len(end)?;
        drop(file);
        self.swap()?;
        (self.length, self.visible) = (self.visible, data);
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
