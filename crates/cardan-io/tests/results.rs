//! Result files: written and read again, complete at every instant.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::results::Channel;
use cardan_io::results::{CsvWriter, ParquetWriter, ResultsError, Writer, read};
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cardan-results-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn channels() -> Vec<Channel> {
    let channel = |name: &str, unit: &str| Channel { name: name.into(), unit: unit.into() };
    vec![channel("time", "s"), channel("crank.angular_velocity.z", "rad/s"), channel("odd, \"name\" [x]", "N*m")]
}

fn row(k: usize) -> [f64; 3] {
    let t = k as f64 * 0.1;
    [t, t.sin() * 1e-17, if k == 5 { f64::NAN } else { -1e300 * t }]
}

fn check(path: &std::path::Path, rows: usize) {
    let table = read(path).unwrap();
    assert_eq!(table.channels, channels());
    for (c, column) in table.columns.iter().enumerate() {
        assert_eq!(column.len(), rows);
        for (k, value) in column.iter().enumerate() {
            assert!(value.to_bits() == row(k)[c].to_bits() || value.is_nan() && row(k)[c].is_nan(), "column {c}, row {k}");
        }
    }
    assert_eq!(table.column("time").unwrap().len(), rows);
    assert!(table.column("nothing").is_none());
}

#[test]
fn numbers_come_back_bit_for_bit() {
    let folder = folder("bits");
    let (csv, parquet) = (folder.join("results.csv"), folder.join("results.parquet"));
    let mut writers: Vec<Box<dyn Writer>> =
        vec![Box::new(CsvWriter::create(&csv, &channels()).unwrap()), Box::new(ParquetWriter::create(&parquet, &channels()).unwrap())];
    for writer in &mut writers {
        (0..1000).for_each(|k| writer.row(&row(k)).unwrap());
        writer.finish().unwrap();
    }
    check(&csv, 1000);
    check(&parquet, 1000);
    check(&folder, 1000);
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing else stays: {left:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Numbers that are all the same, zeros of either sign, no numbers, and more rows than a page has.
#[test]
fn constant_columns_come_back_bit_for_bit() {
    let folder = folder("constant");
    let path = folder.join("results.parquet");
    let names = ["time", "same", "zeros", "none"].map(|name| Channel { name: name.into(), unit: "1".into() });
    let row = |k: usize| [k as f64, -2.5, if k == 7 { -0.0 } else { 0.0 }, f64::NAN];
    for rows in [1, 2, 200_000] {
        let mut writer = ParquetWriter::create(&path, &names).unwrap();
        (0..rows).for_each(|k| writer.row(&row(k)).unwrap());
        writer.finish().unwrap();
        let columns = read(&path).unwrap().columns;
        for (c, column) in columns.iter().enumerate() {
            assert_eq!(column.len(), rows);
            assert!(column.iter().enumerate().all(|(k, v)| v.to_bits() == row(k)[c].to_bits()), "column {c} of {rows} rows");
        }
    }
    assert!(std::fs::metadata(&path).unwrap().len() < 2 * 8 * 200_000 + 1000, "what is constant takes no room");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn parquet_is_readable_while_it_is_written() {
    let folder = folder("growing");
    let path = folder.join("results.parquet");
    std::fs::write(&path, "left from an earlier run").unwrap();
    let mut writer = ParquetWriter::create(&path, &channels()).unwrap();
    check(&path, 0);
    let mut rows = 0;
    for part in 0..4 {
        std::thread::sleep(std::time::Duration::from_millis(1010));
        (0..100 + part).for_each(|_| {
            writer.row(&row(rows)).unwrap();
            rows += 1;
        });
        let seen = read(&path).unwrap().columns[0].len();
        assert!(seen > 0 && seen <= rows, "{seen} of {rows}");
        check(&path, seen);
    }
    // As a killed process leaves it: no finish.
    drop(writer);
    let seen = read(&path).unwrap().columns[0].len();
    assert!(seen > 300, "{seen}");
    check(&path, seen);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_csv_line_cut_short_is_left_out() {
    let folder = folder("cut");
    let path = folder.join("results.csv");
    let mut writer = CsvWriter::create(&path, &channels()).unwrap();
    (0..10).for_each(|k| writer.row(&row(k)).unwrap());
    writer.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 3]).unwrap();
    check(&path, 9);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_not_a_result_is_refused() {
    let folder = folder("refused");
    assert!(matches!(read(&folder).unwrap_err(), ResultsError::Nothing { .. }));
    assert!(matches!(read(&folder.join("results.csv")).unwrap_err(), ResultsError::File { .. }));
    assert!(matches!(read(&folder.join("results.txt")).unwrap_err(), ResultsError::Content { .. }));
    std::fs::write(folder.join("results.csv"), "time [s],x [m]\n0.0,1.0\n1.0\n").unwrap();
    assert!(read(&folder).unwrap_err().to_string().contains("line 3"));
    std::fs::write(folder.join("results.parquet"), "PAR1 but nothing else").unwrap();
    assert!(matches!(read(&folder).unwrap_err(), ResultsError::Parquet { .. }));
    std::fs::remove_dir_all(folder).unwrap();
}
