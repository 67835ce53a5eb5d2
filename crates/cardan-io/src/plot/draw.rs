//! Drawing: panels below each other over one axis, thin grid, the legend in a column at the right.

use super::{Panel, Panels};
use crate::results::Table;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use std::fmt::Display;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 250.0;
/// A single panel may be higher.
const SINGLE: f64 = 440.0;
const TITLE: f64 = 34.0;
/// Below the last panel: tick labels and the name of the axis.
const AXIS: f64 = 46.0;
const LEFT: f64 = 82.0;
/// Left of the tick labels, for the unit.
const UNIT: f64 = 12.0;
/// A bitmap of a curve is drawn in parts of so many points: where a wide line crosses itself its inside would stay empty.
const PART: usize = 12;
const FONT: &str = "sans-serif";
const TEXT: f64 = 13.0;
const INK: RGBColor = RGBColor(51, 51, 51);
const GRID: RGBColor = RGBColor(228, 228, 228);
/// Told apart also by people who see few colours.
const COLORS: [RGBColor; 12] = [
    RGBColor(51, 102, 170),
    RGBColor(221, 85, 102),
    RGBColor(34, 136, 51),
    RGBColor(204, 153, 34),
    RGBColor(68, 170, 187),
    RGBColor(153, 51, 119),
    RGBColor(102, 102, 102),
    RGBColor(238, 119, 34),
    RGBColor(119, 85, 204),
    RGBColor(136, 85, 51),
    RGBColor(153, 187, 51),
    RGBColor(238, 136, 187),
];

/// A plot to be drawn; all lengths are multiplied by the scale.
pub struct Figure<'a> {
    table: &'a Table,
    panels: &'a Panels,
    title: &'a str,
    scale: f64,
    /// Width of the legend.
    legend: f64,
    /// Points that are drawn in one stroke.
    part: usize,
}

type Area<B> = DrawingArea<B, Shift>;

impl<'a> Figure<'a> {
    /// For a picture of lines.
    pub fn vector(table: &'a Table, panels: &'a Panels, title: &'a str) -> Self {
        Self::new(table, panels, title, 1.0, usize::MAX)
    }

    /// For a picture of pixels, two for one.
    pub fn bitmap(table: &'a Table, panels: &'a Panels, title: &'a str) -> Self {
        Self::new(table, panels, title, 2.0, PART)
    }

    fn new(table: &'a Table, panels: &'a Panels, title: &'a str, scale: f64, part: usize) -> Self {
        // The same fonts on every machine. The bytes are a valid font, so that registering cannot fail.
        let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font(FONT, FontStyle::Bold, dejavu::sans::bold());
        let longest = panels.panels.iter().flat_map(|p| &p.columns).map(|c| table.channels[*c].name.chars().count()).max();
        let legend = 48.0 + 0.6 * TEXT * longest.unwrap_or(0) as f64;
        Self { table, panels, title, scale, legend, part }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        let height = TITLE + AXIS + self.panel_height() * self.panels.panels.len() as f64;
        (self.pixels(WIDTH + self.legend), self.pixels(height))
    }

    fn panel_height(&self) -> f64 {
        if self.panels.panels.len() == 1 { SINGLE } else { HEIGHT }
    }

    fn pixels(&self, length: f64) -> u32 {
        (length * self.scale).round() as u32
    }

    fn text(&self, size: f64) -> TextStyle<'static> {
        (FONT, size * self.scale).into_font().color(&INK)
    }

    /// Draws everything.
    pub fn draw<B: DrawingBackend>(&self, root: &Area<B>) -> Result<(), String> {
        root.fill(&WHITE).map_err(text)?;
        let left = (self.pixels(LEFT) as i32, self.pixels(10.0) as i32);
        root.draw_text(self.title, &(FONT, 16.0 * self.scale, FontStyle::Bold).into_font().color(&INK), left).map_err(text)?;
        let (_, mut rest) = root.split_vertically(self.pixels(TITLE));
        let last = self.panels.panels.len().saturating_sub(1);
        for (k, panel) in self.panels.panels.iter().enumerate() {
            let axis = if k == last { AXIS } else { 0.0 };
            let (area, below) = rest.split_vertically(self.pixels(self.panel_height() + axis));
            self.draw_panel(panel, &area, axis)?;
            rest = below;
        }
        root.present().map_err(text)
    }

    fn draw_panel<B: DrawingBackend>(&self, panel: &Panel, area: &Area<B>, axis: f64) -> Result<(), String> {
        let (plot, legend) = area.split_horizontally(self.pixels(WIDTH));
        let x = &self.table.columns[self.panels.against];
        let curves: Vec<&[f64]> = panel.columns.iter().map(|c| self.table.columns[*c].as_slice()).collect();
        let (xs, ys) = (range([x.as_slice()], if self.panels.against == 0 { 0.0 } else { 0.03 }), range(curves.iter().copied(), 0.06));
        let mut chart = ChartBuilder::on(&plot)
            .margin_top(self.pixels(8.0))
            .margin_bottom(self.pixels(6.0))
            .margin_right(self.pixels(14.0))
            .margin_left(self.pixels(UNIT))
            .set_label_area_size(LabelAreaPosition::Left, self.pixels(LEFT - UNIT))
            .set_label_area_size(LabelAreaPosition::Bottom, self.pixels(axis))
            .build_cartesian_2d(xs.0..xs.1, ys.0..ys.1)
            .map_err(text)?;
        let channel = &self.table.channels[self.panels.against];
        let (x_name, y_name) = (format!("{} [{}]", channel.name, channel.unit), format!("[{}]", panel.unit));
        let (x_size, y_size) = (xs.0.abs().max(xs.1.abs()), ys.0.abs().max(ys.1.abs()));
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.stroke_width(self.pixels(1.0)))
            .axis_style(RGBColor(150, 150, 150).stroke_width(self.pixels(1.0)))
            .x_labels(9)
            .y_labels(if axis > 0.0 && self.panels.panels.len() == 1 { 9 } else { 6 })
            .x_label_formatter(&|v| tick(*v, x_size))
            .y_label_formatter(&|v| tick(*v, y_size))
            .label_style(self.text(12.0))
            .axis_desc_style(self.text(TEXT))
            .x_desc(if axis > 0.0 { x_name.as_str() } else { "" })
            .y_desc(y_name)
            .draw()
            .map_err(text)?;
        let pixel = ((xs.1 - xs.0) / WIDTH, (ys.1 - ys.0) / self.panel_height());
        for (k, curve) in curves.iter().enumerate() {
            let style = COLORS[k % COLORS.len()].stroke_width(self.pixels(1.5));
            for part in pieces(x, curve, pixel).iter().flat_map(|piece| parts(piece, self.part)) {
                chart.draw_series(LineSeries::new(part.iter().copied(), style)).map_err(text)?;
            }
        }
        self.draw_legend(panel, &legend)
    }

    fn draw_legend<B: DrawingBackend>(&self, panel: &Panel, area: &Area<B>) -> Result<(), String> {
        let at = |length: f64| self.pixels(length) as i32;
        for (k, column) in panel.columns.iter().enumerate() {
            let y = 18.0 + 1.6 * TEXT * k as f64;
            let style = COLORS[k % COLORS.len()].stroke_width(self.pixels(2.5));
            area.draw(&PathElement::new(vec![(at(4.0), at(y)), (at(24.0), at(y))], style)).map_err(text)?;
            let place = (at(30.0), at(y - 0.33 * TEXT));
            area.draw_text(&self.table.channels[*column].name, &self.text(TEXT), place).map_err(text)?;
        }
        Ok(())
    }
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// The range of all finite values, widened by a part of it; never empty.
fn range<'a>(curves: impl IntoIterator<Item = &'a [f64]>, margin: f64) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in curves.into_iter().flatten().filter(|v| v.is_finite()) {
        (low, high) = (low.min(*value), high.max(*value));
    }
    if low > high {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    if high - low <= 1e-12 * size {
        let around = if size > 0.0 { 0.1 * size } else { 1.0 };
        return (low - around, high + around);
    }
    let more = margin * (high - low);
    (low - more, high + more)
}

/// A label for a tick on an axis with values up to `size`: no digits that say nothing.
fn tick(value: f64, size: f64) -> String {
    if value.abs() < 1e-9 * size {
        return "0".into();
    }
    if (1e-2..1e5).contains(&size) {
        let text = format!("{value:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').into();
    }
    let text = format!("{value:.4e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// A curve without the points nobody could see, in pieces between values that are not finite.
fn pieces(x: &[f64], y: &[f64], pixel: (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let mut out = vec![Vec::new()];
    let near = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).abs() < 0.3 * pixel.0 && (a.1 - b.1).abs() < 0.3 * pixel.1;
    let last = x.len().saturating_sub(1);
    for (k, point) in x.iter().copied().zip(y.iter().copied()).enumerate() {
        let piece = out.len() - 1;
        if !point.0.is_finite() || !point.1.is_finite() {
            out.push(Vec::new());
        } else if k == last || out[piece].last().is_none_or(|before| !near(before, &point)) {
            out[piece].push(point);
        }
    }
    out.retain(|piece| !piece.is_empty());
    out
}

/// A curve in parts of at most so many points, each beginning where the last one ends.
fn parts(piece: &[(f64, f64)], most: usize) -> impl Iterator<Item = &[(f64, f64)]> {
    let step = most.saturating_sub(1).max(1);
    let last = piece.len().saturating_sub(1);
    (0..last.max(1)).step_by(step).map(move |start| &piece[start..piece.len().min(start.saturating_add(most))])
}

#[cfg(test)]
mod tests {
    use super::{parts, pieces, range, tick};

    #[test]
    fn ticks_show_no_round_off() {
        let labels: Vec<String> = [0.1 + 0.2, -1.5, 1e-17, 2.0].iter().map(|v| tick(*v, 2.0)).collect();
        assert_eq!(labels, ["0.3", "-1.5", "0", "2"]);
        assert_eq!((tick(2.5e-6, 1e-5), tick(3e7, 4e7)), ("2.5e-6".into(), "3e7".into()));
    }

    #[test]
    fn parts_of_a_curve_touch_each_other() {
        let curve: Vec<(f64, f64)> = (0..6).map(|k| (f64::from(k), 0.0)).collect();
        let lengths: Vec<(f64, f64)> = parts(&curve, 3).map(|p| (p[0].0, p[p.len() - 1].0)).collect();
        assert_eq!(lengths, [(0.0, 2.0), (2.0, 4.0), (4.0, 5.0)]);
        assert_eq!((parts(&curve, usize::MAX).count(), parts(&curve[..1], 3).count()), (1, 1));
    }

    #[test]
    fn ranges_are_never_empty() {
        assert_eq!(range([[0.0, 0.0].as_slice()], 0.1), (-1.0, 1.0));
        assert_eq!(range([[f64::NAN].as_slice()], 0.1), (0.0, 1.0));
        assert_eq!(range([[1.0, f64::INFINITY, 3.0].as_slice()], 0.5), (0.0, 4.0));
        let (low, high) = range([[5.0, 5.0].as_slice()], 0.1);
        assert!(low < 5.0 && high > 5.0);
    }

    #[test]
    fn curves_break_where_they_are_not_finite_and_keep_what_is_seen() {
        let x: Vec<f64> = (0..7).map(f64::from).collect();
        let found = pieces(&x, &[0.0, 0.0, 1.0, f64::NAN, 1.0, 1.0, 1.0], (10.0, 0.1));
        assert_eq!(found, [vec![(0.0, 0.0), (2.0, 1.0)], vec![(4.0, 1.0), (6.0, 1.0)]]);
    }
}
