//! What a game was opened with for its clock beside its pace: how many turns may be missed, second thoughts, days of
//! absence, and what happens where a deployment is missing.

use serde::{Deserialize, Serialize};

/// The usual number of turns missed running after which the opponent may claim the win.
const MISSED_RUNNING: u32 = 3;
/// The usual number of turns missed in all after which the opponent may claim the win.
const MISSED_ALL: u32 = 5;
/// The greatest number of turns that can be set for either.
pub const MISSED_MOST: u32 = 99;
/// The minutes for second thoughts that a game may have.
pub const SECOND_THOUGHTS: [u32; 4] = [0, 2, 10, 60];
/// The usual number of days of absence that each player may announce.
const ABSENCE_DAYS: u32 = 14;
/// The greatest number of days of absence.
pub const ABSENCE_MOST: u32 = 365;

/// What happens where a deployment is missing when it is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingDeployment {
    /// The game is void, and what the other side has written is kept for its writer.
    #[default]
    Void,
    /// One of the ready-made ones takes its place, and the game goes on.
    ReadyMade,
}

/// The terms of a game's clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// After so many turns missed running the opponent may claim the win.
    pub missed_running: u32,
    /// After so many turns missed in all the opponent may claim the win.
    pub missed_all: u32,
    /// For so many minutes after the last seal both may still replace what they have sealed.
    pub second_thoughts: u32,
    /// So many days of absence may each player announce.
    pub absence_days: u32,
    /// What happens where a deployment is missing.
    pub missing_deployment: MissingDeployment,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            missed_running: MISSED_RUNNING,
            missed_all: MISSED_ALL,
            second_thoughts: 0,
            absence_days: ABSENCE_DAYS,
            missing_deployment: MissingDeployment::Void,
        }
    }
}

impl Terms {
    /// What is wrong with them: the setting's name and the end of a sentence.
    #[must_use]
    pub fn problem(&self) -> Option<(&'static str, String)> {
        let fits = |number: u32| (1..=MISSED_MOST).contains(&number);
        if !fits(self.missed_running) {
            Some(("missed_running", format!("is a whole number from 1 to {MISSED_MOST}")))
        } else if !fits(self.missed_all) {
            Some(("missed_all", format!("is a whole number from 1 to {MISSED_MOST}")))
        } else if !SECOND_THOUGHTS.contains(&self.second_thoughts) {
            Some(("second_thoughts", "is 0, 2, 10 or 60 minutes".into()))
        } else if self.absence_days > ABSENCE_MOST {
            Some(("absence_days", format!("is {ABSENCE_MOST} days at most")))
        } else {
            None
        }
    }

    /// In sentences, for a game with or without deadlines.
    #[must_use]
    pub fn words(&self, deadlines: bool) -> Vec<String> {
        let mut words = Vec::new();
        if self.second_thoughts > 0 {
            words.push(format!(
                "After the last seal both may still replace their sheets for {} minutes.",
                self.second_thoughts
            ));
        }
        if !deadlines {
            return words;
        }
        words.push(match self.missing_deployment {
            MissingDeployment::Void => "If a deployment is missing when it is due, the game is void.".into(),
            MissingDeployment::ReadyMade => {
                "If a deployment is missing when it is due, a ready-made one is used, drawn by lot.".into()
            }
        });
        words.push(format!(
            "Who misses {} running or {} in all may lose the game: the opponent may claim it.",
            counted(self.missed_running, "turn"),
            self.missed_all
        ));
        words.push(match self.absence_days {
            0 => "No absences can be announced.".into(),
            days => format!("Each player may announce {} of absence, in which nothing is due.", counted(days, "day")),
        });
        words
    }
}

/// `1 turn`, `3 turns`.
pub(in crate::play) fn counted(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_short_is_filled_with_what_is_usual() {
        let short: Terms = serde_json::from_str(r#"{"second_thoughts":10}"#).unwrap();
        assert_eq!(short, Terms { second_thoughts: 10, ..Terms::default() });
        assert_eq!(short.problem(), None);
        let wrong = [
            Terms { missed_running: 0, ..Terms::default() },
            Terms { missed_all: 100, ..Terms::default() },
            Terms { second_thoughts: 5, ..Terms::default() },
            Terms { absence_days: 366, ..Terms::default() },
        ];
        let named: Vec<&str> = wrong.iter().filter_map(|terms| terms.problem().map(|(name, _)| name)).collect();
        assert_eq!(named, ["missed_running", "missed_all", "second_thoughts", "absence_days"]);
        assert!(Terms::default().words(false).is_empty());
        assert!(Terms::default().words(true).iter().any(|line| line.contains("3 turns running or 5 in all")));
    }
}
