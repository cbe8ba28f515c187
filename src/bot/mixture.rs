//! Regret matching: how often each of a side's lists should be chosen when both sides choose at once.

/// What each pair of lists is worth to the side of the rows; the other side gets the negative of it.
#[derive(Default)]
pub struct Payoffs {
    rows: Vec<Vec<f32>>,
    columns: usize,
}

impl Payoffs {
    /// Computes the pairs that are missing.
    pub fn fill(&mut self, rows: usize, columns: usize, mut payoff: impl FnMut(usize, usize) -> i32) {
        self.rows.resize(rows, Vec::new());
        self.columns = columns;
        for (row, line) in self.rows.iter_mut().enumerate() {
            for column in line.len()..columns {
                #[expect(clippy::cast_precision_loss, reason = "far below the limit")]
                line.push(payoff(row, column) as f32);
            }
        }
    }
}

/// The shares of rows and columns after so many rounds, in which both sides choose what they regret not to have chosen
/// before (regret matching with regrets that never fall below nothing, later rounds counting more).
///
/// `given` holds how often, at least, each of the first columns is chosen without regard to its worth.
pub fn solve(payoffs: &Payoffs, given: &[f32], rounds: u16) -> (Vec<f32>, Vec<f32>) {
    let free = 1.0 - given.iter().sum::<f32>();
    let bound = |shares: &[f32]| -> Vec<f32> {
        let given = given.iter().copied().chain(std::iter::repeat(0.0));
        shares.iter().zip(given).map(|(share, given)| share * free + given).collect()
    };
    let (rows, columns) = (payoffs.rows.len(), payoffs.columns);
    let (mut row_regret, mut column_regret) = (vec![0.0; rows], vec![0.0; columns]);
    let (mut row_sum, mut column_sum) = (vec![0.0; rows], vec![0.0; columns]);
    for round in 1..=rounds {
        let (row_now, column_free) = (shares(&row_regret), shares(&column_regret));
        let column_now = bound(&column_free);
        let mut row_value = vec![0.0f32; rows];
        let mut column_value = vec![0.0f32; columns];
        for ((line, value), &share) in payoffs.rows.iter().zip(&mut row_value).zip(&row_now) {
            for ((&payoff, column), &other) in line.iter().zip(&mut column_value).zip(&column_now) {
                *value += payoff * other;
                *column -= payoff * share;
            }
        }
        for (regret, sum, now, value) in [
            (&mut row_regret, &mut row_sum, row_now, row_value),
            (&mut column_regret, &mut column_sum, column_free, column_value),
        ] {
            let mean: f32 = now.iter().zip(&value).map(|(share, value)| share * value).sum();
            for (((regret, sum), share), value) in regret.iter_mut().zip(sum.iter_mut()).zip(now).zip(value) {
                *regret = (*regret + value - mean).max(0.0);
                *sum += share * f32::from(round);
            }
        }
    }
    (shares(&row_sum), bound(&shares(&column_sum)))
}

/// Weights as shares of 1; all alike where there are none.
fn shares(weights: &[f32]) -> Vec<f32> {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        weights.iter().map(|weight| weight / sum).collect()
    } else {
        #[expect(clippy::cast_precision_loss, reason = "far below the limit")]
        let each = 1.0 / weights.len().max(1) as f32;
        vec![each; weights.len()]
    }
}
