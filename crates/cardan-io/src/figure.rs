//! A small line chart as SVG: linear or logarithmic axes, lines and circles, a legend above in as many lines as it needs.

use std::borrow::Cow;
use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
/// Height of a line of the legend.
const LEGEND: f64 = 18.0;
const BOTTOM: f64 = 50.0;
/// Colours that most people with colour blindness can tell apart (Okabe, Ito; then Tol).
const COLORS: [&str; 10] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933", "#882255", "#aaaaaa"];

/// How curves are drawn after those that all colours are taken by.
const DASHED: &str = r#" stroke-dasharray="6 3""#;

/// A chart.
pub struct Figure {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn. Lines and circles are coloured each in their own order, so that the n-th circles belong to the n-th line.
    pub curves: Vec<Curve>,
}

/// An axis.
pub struct Axis {
    /// Name and unit.
    pub label: &'static str,
    /// How values are spread.
    pub scale: Scale,
}

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By their logarithm; all values must be positive.
    Logarithmic,
}

/// A set of points.
pub struct Curve {
    /// For the legend.
    pub name: Cow<'static, str>,
    /// The points.
    pub points: Vec<(f64, f64)>,
    /// How they are drawn.
    pub mark: Mark,
}

/// How points are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mark {
    /// Joined by a line, which points that are not finite interrupt.
    Line,
    /// Joined by a line, a dot each.
    Dots,
    /// A circle each.
    Circles,
}

impl Figure {
    /// The chart as an SVG file.
    pub fn svg(&self) -> String {
        let xs = self.curves.iter().flat_map(|c| c.points.iter().map(|p| p.0));
        let ys = self.curves.iter().flat_map(|c| c.points.iter().map(|p| p.1));
        let x = Ruler::new(self.x.scale, xs, LEFT, WIDTH - RIGHT);
        let y = Ruler::new(self.y.scale, ys, HEIGHT - BOTTOM, TOP);
        let mut body = String::new();
        x.ticks().for_each(|(value, label)| vertical_grid_line(&mut body, x.place(value), &label));
        y.ticks().for_each(|(value, label)| horizontal_grid_line(&mut body, y.place(value), &label));
        let frame = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        line(
            &mut body,
            format_args!(r##"<rect x="{LEFT}" y="{TOP}" width="{}" height="{}" fill="none" stroke="#444"/>"##, frame.0, frame.1),
        );
        self.labels(&mut body);
        let (places, top) = self.legend();
        for ((curve, pen), place) in self.coloured().zip(places) {
            draw(&mut body, curve, pen, |p| (x.place(p.0), y.place(p.1)));
            legend_entry(&mut body, curve, pen, place);
        }
        let from = if top == 0.0 { String::new() } else { format!(" y=\"{top}\"") };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {top} {WIDTH} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect{from} width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n",
            HEIGHT - top
        )
    }

    /// Where the entries of the legend are, in lines that end above the chart; and the upper edge of the picture.
    fn legend(&self) -> (Vec<(f64, f64)>, f64) {
        let (mut x, mut row, mut places) = (LEFT, 0.0, Vec::new());
        for curve in &self.curves {
            let width = 46.0 + 7.5 * curve.name.chars().count() as f64;
            if x > LEFT && x + width > WIDTH {
                (x, row) = (LEFT, row + 1.0);
            }
            places.push((x, row));
            x += width;
        }
        (places.into_iter().map(|(x, r)| (x, TOP - 16.0 - LEGEND * (row - r))).collect(), -LEGEND * row)
    }

    /// The curves, each with a pen that no other one of its kind has, as long as there are twenty at most.
    fn coloured(&self) -> impl Iterator<Item = (&Curve, Pen)> {
        let dashes = ["", DASHED].into_iter().cycle();
        let pens = dashes.flat_map(|dash| COLORS.iter().map(move |color| Pen { color, dash }));
        let (mut lines, mut circles) = (pens.clone(), pens);
        self.curves.iter().map_while(move |curve| {
            let pens = if curve.mark == Mark::Circles { &mut circles } else { &mut lines };
            pens.next().map(|pen| (curve, pen))
        })
    }

    fn labels(&self, body: &mut String) {
        let (middle_x, middle_y) = ((LEFT + WIDTH - RIGHT) / 2.0, (TOP + HEIGHT - BOTTOM) / 2.0);
        line(body, format_args!(r#"<text x="{middle_x}" y="{}" text-anchor="middle">{}</text>"#, HEIGHT - 12.0, self.x.label));
        let turn = format_args!("translate(18 {middle_y}) rotate(-90)");
        line(body, format_args!(r#"<text transform="{turn}" text-anchor="middle">{}</text>"#, self.y.label));
    }
}

/// What a curve is drawn with.
#[derive(Debug, Clone, Copy)]
struct Pen {
    color: &'static str,
    /// Nothing, or the attribute that makes dashes of lines.
    dash: &'static str,
}

/// Values of an axis and where they are on the page.
struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Ruler {
    /// Covers the values with some room, from one place on the page to another.
    fn new(scale: Scale, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let mut ruler = Self { scale, low: f64::INFINITY, high: f64::NEG_INFINITY, from, to };
        for value in values.map(|value| ruler.spread(value)).filter(|value| value.is_finite()).collect::<Vec<_>>() {
            ruler.low = ruler.low.min(value);
            ruler.high = ruler.high.max(value);
        }
        if ruler.low >= ruler.high {
            (ruler.low, ruler.high) = if ruler.low.is_finite() { (ruler.low - 1.0, ruler.high + 1.0) } else { (0.0, 1.0) };
        }
        let room = 0.03 * (ruler.high - ruler.low);
        Self { low: ruler.low - room, high: ruler.high + room, ..ruler }
    }

    fn spread(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (self.to - self.from) * (self.spread(value) - self.low) / (self.high - self.low)
    }

    /// Round values with their labels.
    fn ticks(&self) -> Box<dyn Iterator<Item = (f64, String)>> {
        let step = match self.scale {
            Scale::Linear => round_step((self.high - self.low) / 6.0),
            Scale::Logarithmic => 1.0,
        };
        let counts = (self.low / step).ceil() as i64..=(self.high / step).floor() as i64;
        match self.scale {
            Scale::Linear => {
                let decimals = (-step.log10().floor()).max(0.0) as usize;
                Box::new(counts.map(move |k| (k as f64 * step, format!("{:.decimals$}", k as f64 * step))))
            }
            Scale::Logarithmic => Box::new(counts.map(|k| (10f64.powi(k as i32), format!("1e{k}")))),
        }
    }
}

/// The smallest of 1, 2, 5, 10, … times a power of ten that is at least `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].iter().map(|factor| factor * power).find(|step| *step >= least).unwrap_or(10.0 * power)
}

fn line(out: &mut String, text: std::fmt::Arguments) {
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{text}");
}

fn vertical_grid_line(out: &mut String, x: f64, label: &str) {
    let bottom = HEIGHT - BOTTOM;
    line(out, format_args!(r##"<path d="M{x:.1} {TOP}V{bottom}" stroke="#ddd"/>"##));
    line(out, format_args!(r#"<text x="{x:.1}" y="{}" text-anchor="middle">{label}</text>"#, bottom + 18.0));
}

fn horizontal_grid_line(out: &mut String, y: f64, label: &str) {
    line(out, format_args!(r##"<path d="M{LEFT} {y:.1}H{}" stroke="#ddd"/>"##, WIDTH - RIGHT));
    line(out, format_args!(r#"<text x="{}" y="{:.1}" text-anchor="end">{label}</text>"#, LEFT - 6.0, y + 4.5));
}

fn draw(out: &mut String, curve: &Curve, Pen { color, dash }: Pen, place: impl Fn(&(f64, f64)) -> (f64, f64) + Copy) {
    let points = curve.points.iter().map(place);
    if curve.mark == Mark::Dots {
        points.clone().for_each(|(x, y)| dot(out, x, y, color));
    }
    match curve.mark {
        Mark::Line | Mark::Dots => {
            for part in points.collect::<Vec<_>>().split(|(x, y)| !(x.is_finite() && y.is_finite())).filter(|part| !part.is_empty()) {
                let path: Vec<String> = part.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                line(out, format_args!(r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="1.8"{dash}/>"#, path.join(" ")));
            }
        }
        Mark::Circles => points.for_each(|(x, y)| circle(out, x, y, color)),
    }
}

fn circle(out: &mut String, x: f64, y: f64, color: &str) {
    line(out, format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4.5" fill="none" stroke="{color}" stroke-width="1.5"/>"#));
}

fn dot(out: &mut String, x: f64, y: f64, color: &str) {
    line(out, format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{color}"/>"#));
}

/// Draws an entry of the legend.
fn legend_entry(out: &mut String, curve: &Curve, Pen { color, dash }: Pen, (x, y): (f64, f64)) {
    match curve.mark {
        Mark::Line | Mark::Dots => line(out, format_args!(r#"<path d="M{x:.1} {y}h20" stroke="{color}" stroke-width="1.8"{dash}/>"#)),
        Mark::Circles => circle(out, x + 10.0, y, color),
    }
    line(out, format_args!(r#"<text x="{:.1}" y="{}">{}</text>"#, x + 26.0, y + 4.5, curve.name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulers_cover_all_values_and_count_in_round_numbers() {
        let ruler = Ruler::new(Scale::Linear, [0.0, 2.0].into_iter(), 0.0, 106.0);
        assert!((ruler.place(0.0) - 3.0).abs() < 1e-9 && (ruler.place(2.0) - 103.0).abs() < 1e-9);
        let labels: Vec<String> = ruler.ticks().map(|t| t.1).collect();
        assert_eq!(labels, ["0.0", "0.5", "1.0", "1.5", "2.0"]);
        let ruler = Ruler::new(Scale::Logarithmic, [2e-4, 0.3].into_iter(), 0.0, 1.0);
        assert_eq!(ruler.ticks().map(|t| t.1).collect::<Vec<_>>(), ["1e-3", "1e-2", "1e-1"]);
        assert!((Ruler::new(Scale::Linear, [4.0].into_iter(), 0.0, 1.0).place(4.0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn no_two_of_many_lines_look_the_same() {
        let curve = |k: usize| Curve { name: k.to_string().into(), points: vec![(0.0, 0.0), (1.0, k as f64)], mark: Mark::Dots };
        let axis = || Axis { label: "", scale: Scale::Linear };
        let figure = Figure { x: axis(), y: axis(), curves: (0..20).map(curve).collect() };
        let mut pens: Vec<_> = figure.coloured().map(|(_, pen)| (pen.color, pen.dash)).collect();
        assert!(pens[..10].iter().all(|pen| pen.1.is_empty()) && figure.svg().matches(DASHED).count() == 20);
        pens.sort_unstable();
        pens.dedup();
        assert_eq!(pens.len(), 20);
    }
}
