//! Pictures of the page, and questions about their pixels.

/// A picture in red, green and blue.
pub struct Picture {
    /// Pixels a row.
    pub width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads a PNG file.
    pub fn decode(bytes: &[u8]) -> Self {
        let mut reader = png::Decoder::new(bytes).read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut data).unwrap();
        let samples = info.color_type.samples();
        let pixels = data[..info.buffer_size()].chunks_exact(samples).map(|p| [p[0], p[1], p[2]]).collect();
        Self { width: info.width as usize, pixels }
    }

    /// How many pixels are within a distance of a color `#rrggbb`.
    pub fn count(&self, color: &str, distance: i32) -> usize {
        let wanted = u32::from_str_radix(&color[1..7], 16).unwrap().to_be_bytes();
        let close = |pixel: &&[u8; 3]| (0..3).all(|k| (i32::from(pixel[k]) - i32::from(wanted[k + 1])).abs() <= distance);
        self.pixels.iter().filter(close).count()
    }

    /// Number of different colors.
    pub fn colors(&self) -> usize {
        self.pixels.iter().collect::<std::collections::HashSet<_>>().len()
    }

    /// Number of pixels that are clearly not the same in another picture of the same size.
    pub fn differences(&self, other: &Self) -> usize {
        assert_eq!(self.pixels.len(), other.pixels.len());
        let differ = |(a, b): &(&[u8; 3], &[u8; 3])| (0..3).any(|k| a[k].abs_diff(b[k]) > 24);
        self.pixels.iter().zip(&other.pixels).filter(differ).count()
    }

    /// Mean brightness, 0 to 255.
    pub fn brightness(&self) -> f64 {
        self.pixels.iter().flatten().map(|&value| f64::from(value)).sum::<f64>() / (3 * self.pixels.len()) as f64
    }
}
