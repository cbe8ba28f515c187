//! What a colour looks like to people who see fewer colours, or on paper without any.
//!
//! The three colour-blindnesses by Machado, Oliveira and Fernandes, "A Physiologically-based
//! Model for Simulation of Color Vision Deficiency" (2009), at full severity, on linear RGB;
//! differences as the distance in CIE 1976 L*a*b* under D65.

/// A way of seeing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All colours.
    Full,
    /// No long-wave cones.
    Protanopia,
    /// No middle-wave cones.
    Deuteranopia,
    /// No short-wave cones.
    Tritanopia,
    /// No colours at all.
    Grey,
}

/// A colour in linear RGB, 0 to 1.
type Linear = [f64; 3];

impl Sight {
    /// All of them.
    pub const ALL: [Sight; 5] = [Sight::Full, Sight::Protanopia, Sight::Deuteranopia, Sight::Tritanopia, Sight::Grey];

    /// The colour `#rrggbb` as it is seen.
    pub fn sees(self, colour: &str) -> Linear {
        let rgb = linear(colour);
        let matrix = match self {
            Sight::Full => return rgb,
            Sight::Grey => return [luminance(rgb); 3],
            Sight::Protanopia => [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            Sight::Deuteranopia => [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
            Sight::Tritanopia => [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        };
        matrix.map(|row| product(row, rgb).clamp(0.0, 1.0))
    }

    /// WCAG's contrast of two colours as they are seen.
    pub fn contrast(self, a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(self.sees(a)), luminance(self.sees(b)));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// How different two colours are as they are seen; 2 can just be told apart side by side.
    pub fn difference(self, a: &str, b: &str) -> f64 {
        let [a, b] = [a, b].map(|colour| lab(self.sees(colour)));
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }
}

/// Relative luminance by WCAG 2.2.
pub fn luminance(rgb: Linear) -> f64 {
    product([0.2126, 0.7152, 0.0722], rgb)
}

/// `#rrggbb` in linear RGB.
pub fn linear(colour: &str) -> Linear {
    [1, 3, 5].map(|at| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

fn product(row: Linear, rgb: Linear) -> f64 {
    row.iter().zip(rgb).map(|(a, b)| a * b).sum()
}

fn lab(rgb: Linear) -> [f64; 3] {
    let xyz = [
        product([0.412_456, 0.357_576, 0.180_438], rgb) / 0.950_47,
        luminance(rgb),
        product([0.019_334, 0.119_192, 0.950_304], rgb) / 1.088_83,
    ];
    let [x, y, z] = xyz.map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn the_simulation_knows_what_is_known() {
    for sight in Sight::ALL {
        assert!(sight.difference("#808080", "#808080") < 1e-9);
        assert!((sight.contrast("#ffffff", "#000000") - 21.0).abs() < 0.05, "{sight:?} sees white");
    }
    // Red and green of like lightness fall together for the two that lack red or green, not for others.
    let apart = |sight: Sight| sight.difference("#c05a3c", "#7d7d2e");
    assert!(apart(Sight::Deuteranopia) < apart(Sight::Full) / 2.0);
    assert!(apart(Sight::Tritanopia) > apart(Sight::Deuteranopia));
    assert!((Sight::Full.difference("#ffffff", "#000000") - 100.0).abs() < 0.1);
}
