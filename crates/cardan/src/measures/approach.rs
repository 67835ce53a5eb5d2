//! How fast the touches of contacts began. At every accepted state each touch notes its gap g and the speed −ġ with which it closes; while it lasts, it keeps
//! the speed with which it began. Where a step has led from g₀ ≥ 0 to g₁ < 0, that is the slope at the root of the cubic with gaps and speeds of both ends,
//! between these speeds.

/// Which touch: of which force, by a number made of its name, between which of its markers, and which of these.
pub type TouchId = (u64, [u32; 2], u32);

/// A touch as it was at an accepted state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// Which touch.
    pub id: TouchId,
    /// g, m; infinite where there was nothing.
    pub gap: f64,
    /// −ġ; where g < 0, as it was when the touch began, m/s.
    pub speed: f64,
}

impl Approach {
    /// The same touch after a step of size h, at whose end it stands and closes so.
    pub fn after(self, h: f64, gap: f64, speed: f64) -> Self {
        if gap >= 0.0 {
            return Self { gap, speed, ..self };
        }
        if self.gap < 0.0 {
            return Self { gap, ..self };
        }
        let (low, high) = (self.speed.min(speed), self.speed.max(speed));
        let known = h > 0.0 && self.gap.is_finite();
        let began = if known { self.at_root(h, gap, speed).clamp(low, high) } else { speed };
        Self { gap, speed: began.max(0.0), ..self }
    }

    /// The speed at the root of the cubic.
    fn at_root(&self, h: f64, gap: f64, speed: f64) -> f64 {
        let (a, b) = (-h * self.speed, -h * speed);
        let (c, d) = (3.0 * (gap - self.gap) - 2.0 * a - b, a + b - 2.0 * (gap - self.gap));
        let value = |s: f64| self.gap + s * (a + s * (c + s * d));
        let (mut before, mut after) = (0.0, 1.0);
        for _ in 0..52 {
            let middle = 0.5 * (before + after);
            if value(middle) >= 0.0 { before = middle } else { after = middle }
        }
        -(a + after * (2.0 * c + after * 3.0 * d)) / h
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const APART: Approach = Approach { id: (0, [0, 1], 0), gap: 0.1, speed: 1.0 };

    #[test]
    fn a_touch_begins_with_the_speed_of_the_fall_and_keeps_it() {
        // Falling with 10 m/s² from 0.1 m with 1 m/s.
        let h = 0.2;
        let touching = APART.after(h, 0.1 - h - 5.0 * h * h, 1.0 + 10.0 * h);
        assert!((touching.speed - 3.0_f64.sqrt()).abs() < 1e-12, "{}", touching.speed);
        assert_eq!(touching.after(h, -0.3, -2.0).speed, touching.speed);
        assert_eq!(touching.after(h, 0.05, -2.0).speed, -2.0);
    }

    #[test]
    fn what_is_lost_in_rounding_does_not_matter() {
        let close = Approach { gap: 0.0, ..APART };
        let after = close.after(1e-17, -1e-18, 1.0 + 1e-15);
        assert!((after.speed - 1.0).abs() < 1e-14);
        assert_eq!(close.after(0.0, -1e-3, -1.0).speed, 0.0);
    }
}
