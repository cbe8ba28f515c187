//! How fast a game goes: when its turns are due.
//!
//! A function of times that are passed in. Wall-clock times are right across both changes of a
//! zone's clocks: a time that the clocks skip is the moment after the skip, a time that they
//! show twice is the later one. A deadline that has been announced is an instant and never moves with
//! a zone's rules.

use jiff::civil::{DateTime, Time, Weekday};
use jiff::tz::{AmbiguousOffset, TimeZone};
use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;

/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1000;
/// The shortest span of a turn, in hours.
pub const LEAST_HOURS: u32 = 1;
/// The longest span of a turn, in hours: 30 days.
pub const MOST_HOURS: u32 = 30 * 24;
/// The usual span of a turn, in hours: 3 days.
pub const USUAL_HOURS: u32 = 3 * 24;
/// How long a turn lasts at least when it is due at fixed times, unless said otherwise, in hours.
pub const USUAL_REST: u32 = 12;

/// How long a turn lasts at least after a pause, in milliseconds.
const RESUMED: i64 = 12 * HOUR;

/// When turns are due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "pace", rename_all = "snake_case")]
pub enum Pace {
    /// Never: the players wait for each other.
    Open,
    /// So many hours after the turn began.
    Span {
        /// For each turn but the first.
        hours: u32,
        /// For the first turn.
        first_hours: u32,
    },
    /// At fixed times of a zone's clocks.
    Fixed {
        /// The zone's IANA name, `Europe/Berlin`.
        zone: String,
        /// The time of day, `20:00`.
        at: String,
        /// The days of the week, Monday being 1 and Sunday 7; sorted, each once.
        days: Vec<i8>,
        /// How many hours a turn lasts at least.
        rest_hours: u32,
    },
}

/// The names of the days of the week, Monday first.
pub const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

impl Pace {
    /// Fixed times, with the days in order and each once.
    #[must_use]
    pub fn fixed(zone: String, at: String, mut days: Vec<i8>, rest_hours: u32) -> Pace {
        days.sort_unstable();
        days.dedup();
        Pace::Fixed { zone, at, days, rest_hours }
    }

    /// What is wrong with it: the setting's name and the end of a sentence.
    #[must_use]
    pub fn problem(&self) -> Option<(&'static str, String)> {
        match self {
            Pace::Open => None,
            Pace::Span { hours, first_hours } => {
                let fits = |hours: u32| (LEAST_HOURS..=MOST_HOURS).contains(&hours);
                let words = format!("is {LEAST_HOURS} hour to {} days", MOST_HOURS / 24);
                match (fits(*hours), fits(*first_hours)) {
                    (false, _) => Some(("hours", words)),
                    (true, false) => Some(("first_hours", words)),
                    (true, true) => None,
                }
            }
            Pace::Fixed { zone, at, days, rest_hours } => {
                if TimeZone::get(zone).is_err() {
                    Some(("zone", "is not a time zone, as in Europe/Berlin".into()))
                } else if read_time(at).is_none() {
                    Some(("at", "is not a time of day, as in 20:00".into()))
                } else if days.is_empty() || days.iter().any(|day| !(1..=7).contains(day)) {
                    Some(("days", "names at least one day of the week, 1 for Monday to 7 for Sunday".into()))
                } else if *rest_hours > MOST_HOURS {
                    Some(("rest_hours", format!("is {MOST_HOURS} hours at most")))
                } else {
                    None
                }
            }
        }
    }

    /// In words: `3 days a turn`, `20:00 Europe/Berlin on Mon, Wed, Fri`.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Pace::Open => "No deadlines.".into(),
            Pace::Span { hours, first_hours } if hours == first_hours => format!("{} for each turn.", span(*hours)),
            Pace::Span { hours, first_hours } => {
                format!("{} for each turn, {} for the deployment.", span(*hours), span(*first_hours))
            }
            Pace::Fixed { zone, at, days, rest_hours } => {
                let names: Vec<&str> =
                    days.iter().filter_map(|&day| DAYS.get(usize::try_from(day - 1).ok()?).copied()).collect();
                let names = if names.len() == 7 { "every day".to_owned() } else { format!("on {}", names.join(", ")) };
                format!("Turns are due at {at} {zone} {names}, {} after they began at the earliest.", span(*rest_hours))
            }
        }
    }

    /// When a turn that begins at `from` is due; `None` without deadlines, or where the pace has a problem.
    #[must_use]
    pub fn due(&self, first: bool, from: Timestamp) -> Option<Timestamp> {
        match self {
            Pace::Open => None,
            Pace::Span { hours, first_hours } => {
                let hours = if first { first_hours } else { hours };
                Some(Timestamp(from.0 + i64::from(*hours) * HOUR))
            }
            Pace::Fixed { zone, at, days, rest_hours } => {
                let zone = TimeZone::get(zone).ok()?;
                let earliest = Timestamp(from.0 + i64::from(*rest_hours) * HOUR);
                next_fixed(&zone, read_time(at)?, days, earliest)
            }
        }
    }
}

impl Pace {
    /// When a turn is due again after a pause that ends at `from`, with `left` milliseconds of its time left: 12 hours at
    /// least. At fixed times it is the first of them that leaves so long. `None` without deadlines.
    #[must_use]
    pub fn resumed(&self, from: Timestamp, left: i64) -> Option<Timestamp> {
        match self {
            Pace::Open => None,
            Pace::Span { .. } => Some(Timestamp(from.0 + left.max(RESUMED))),
            Pace::Fixed { zone, at, days, .. } => {
                next_fixed(&TimeZone::get(zone).ok()?, read_time(at)?, days, Timestamp(from.0 + RESUMED))
            }
        }
    }
}

/// `3 days`, `36 hours`, `1 hour`.
fn span(hours: u32) -> String {
    let counted = |number: u32, noun: &str| if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") };
    if hours > 24 && hours.is_multiple_of(24) || hours == 24 {
        counted(hours / 24, "day")
    } else {
        counted(hours, "hour")
    }
}

/// Reads `20:00`.
fn read_time(text: &str) -> Option<Time> {
    let (hour, minute) = text.split_once(':')?;
    let number = |part: &str| (part.len() == 2).then(|| part.parse::<i8>().ok()).flatten();
    Time::new(number(hour)?, number(minute)?, 0, 0).ok()
}

/// The first of the fixed times that is not before `earliest`.
fn next_fixed(zone: &TimeZone, at: Time, days: &[i8], earliest: Timestamp) -> Option<Timestamp> {
    let earliest = jiff::Timestamp::from_millisecond(earliest.0).ok()?;
    // A day before: the zone's date may still be the day before where its clocks are set back over midnight.
    let mut date = zone.to_datetime(earliest).date().yesterday().ok()?;
    // A week has every weekday; a date or two more for the day before and for a skipped date.
    for _ in 0..10 {
        if days.contains(&weekday(date.weekday())) {
            let instant = instant(zone, date.to_datetime(at))?;
            if instant >= earliest {
                return Some(Timestamp(instant.as_millisecond()));
            }
        }
        date = date.tomorrow().ok()?;
    }
    None
}

const fn weekday(day: Weekday) -> i8 {
    day.to_monday_one_offset()
}

/// The instant of a time on a zone's clocks: skipped, the moment after the skip; shown twice, the later one.
pub(crate) fn instant(zone: &TimeZone, shown: DateTime) -> Option<jiff::Timestamp> {
    match zone.to_ambiguous_timestamp(shown).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(shown).ok(),
        AmbiguousOffset::Fold { after, .. } => after.to_timestamp(shown).ok(),
        AmbiguousOffset::Gap { after, .. } => {
            // With the later offset the skipped time lies before the skip; the next change of the clocks is the skip.
            let before = after.to_timestamp(shown).ok()?;
            zone.following(before).next().map(|skip| skip.timestamp())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(text: &str) -> Timestamp {
        Timestamp(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    fn fixed(zone: &str, at: &str, days: &[i8], rest_hours: u32) -> Pace {
        Pace::Fixed { zone: zone.into(), at: at.into(), days: days.to_vec(), rest_hours }
    }

    const EVERY_DAY: [i8; 7] = [1, 2, 3, 4, 5, 6, 7];

    #[test]
    fn a_span_counts_hours_whatever_the_clocks_do() {
        let pace = Pace::Span { hours: 72, first_hours: 24 };
        assert_eq!(pace.due(true, ms("2026-03-28T19:00:00Z")), Some(ms("2026-03-29T19:00:00Z")));
        assert_eq!(pace.due(false, ms("2026-03-28T19:00:00Z")), Some(ms("2026-03-31T19:00:00Z")));
        assert_eq!(Pace::Open.due(false, ms("2026-03-28T19:00:00Z")), None);
    }

    #[test]
    fn after_a_pause_there_is_what_was_left_and_half_a_day_at_least() {
        let span = Pace::Span { hours: 72, first_hours: 72 };
        let end = ms("2026-03-28T12:00:00Z");
        assert_eq!(span.resumed(end, 50 * HOUR), Some(ms("2026-03-30T14:00:00Z")));
        assert_eq!(span.resumed(end, HOUR), Some(ms("2026-03-29T00:00:00Z")));
        assert_eq!(Pace::Open.resumed(end, HOUR), None);
        let fixed = fixed("Europe/Berlin", "20:00", &EVERY_DAY, 0);
        assert_eq!(fixed.resumed(end, HOUR), Some(ms("2026-03-29T18:00:00Z")));
        // A leap day is a day like others.
        let leap = Pace::Span { hours: 24, first_hours: 24 };
        assert_eq!(leap.due(false, ms("2028-02-28T20:00:00Z")), Some(ms("2028-02-29T20:00:00Z")));
        assert_eq!(fixed.due(false, ms("2028-02-28T20:00:00Z")), Some(ms("2028-02-29T19:00:00Z")));
    }

    /// From when, and when it is due: 20:00 in Berlin, through both changes of 2026 (29 March, 25 October).
    #[test]
    fn fixed_times_follow_the_zones_clocks() {
        let pace = fixed("Europe/Berlin", "20:00", &[1, 3, 5], 12);
        for (from, due) in [
            // Mon 23 March, 10:00 in Berlin: 20:00 is only ten hours away, so Wednesday.
            ("2026-03-23T09:00:00Z", "2026-03-25T19:00:00Z"),
            ("2026-03-23T07:00:00Z", "2026-03-23T19:00:00Z"),
            ("2026-03-23T07:00:00.001Z", "2026-03-25T19:00:00Z"),
            // Over the change to summer time the same hour is an hour earlier in UTC.
            ("2026-03-27T19:00:00Z", "2026-03-30T18:00:00Z"),
            // And back.
            ("2026-10-23T18:00:00Z", "2026-10-26T19:00:00Z"),
        ] {
            assert_eq!(pace.due(false, ms(from)).map(|due| due.to_string()), Some(ms(due).to_string()), "{from}");
        }
    }

    #[test]
    fn a_skipped_time_is_the_moment_after_and_a_double_one_the_later() {
        for (zone, at, from, due) in [
            // Berlin skips 02:00 to 03:00 on 29 March; 03:00 summer time is 01:00 UTC.
            ("Europe/Berlin", "02:30", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
            // It shows 02:30 twice on 25 October: the second is 01:30 UTC.
            ("Europe/Berlin", "02:30", "2026-10-24T12:00:00Z", "2026-10-25T01:30:00Z"),
            // New York skips 02:00 to 03:00 on 8 March and doubles 01:00 to 02:00 on 1 November.
            ("America/New_York", "02:00", "2026-03-07T12:00:00Z", "2026-03-08T07:00:00Z"),
            ("America/New_York", "01:15", "2026-10-31T12:00:00Z", "2026-11-01T06:15:00Z"),
            // Lord Howe moves by half an hour: 02:00 to 02:30 is skipped on 4 October.
            ("Australia/Lord_Howe", "02:15", "2026-10-03T02:00:00Z", "2026-10-03T15:30:00Z"),
            // Cairo skips the first hour of 24 April.
            ("Africa/Cairo", "00:00", "2026-04-23T08:00:00Z", "2026-04-23T22:00:00Z"),
            // No change at all.
            ("Asia/Kolkata", "23:59", "2026-06-01T00:00:00Z", "2026-06-01T18:29:00Z"),
        ] {
            let due_at = fixed(zone, at, &EVERY_DAY, 0).due(false, ms(from));
            assert_eq!(due_at.map(|due| due.to_string()), Some(ms(due).to_string()), "{zone} {at} from {from}");
        }
    }

    /// Samoa had no 30 December 2011 at all; a Friday that there is not is not waited for.
    #[test]
    fn a_date_that_a_zone_skips_is_passed_over() {
        let pace = fixed("Pacific/Apia", "12:00", &[5], 0);
        assert_eq!(pace.due(false, ms("2011-12-29T00:00:00Z")), Some(ms("2011-12-30T10:00:00Z")));
    }

    #[test]
    fn no_zone_and_no_hour_is_due_too_early() {
        for zone in ["Europe/Berlin", "America/St_Johns", "Pacific/Chatham", "Africa/Casablanca", "Antarctica/Troll"] {
            for hour in (0..24 * 400).step_by(7) {
                let from = Timestamp(ms("2026-01-01T00:00:00Z").0 + i64::from(hour) * HOUR);
                let due = fixed(zone, "02:30", &[1, 2, 4, 7], 12).due(false, from).unwrap();
                assert!(due.0 >= from.0 + 12 * HOUR && due.0 <= from.0 + (12 + 24 * 4) * HOUR, "{zone} {from}: {due}");
            }
        }
    }

    #[test]
    fn what_cannot_be_a_pace_is_named() {
        let problem = |pace: Pace| pace.problem().map(|(setting, _)| setting);
        assert_eq!(problem(Pace::Span { hours: 0, first_hours: 1 }), Some("hours"));
        assert_eq!(problem(Pace::Span { hours: 1, first_hours: 721 }), Some("first_hours"));
        assert_eq!(problem(fixed("Europe/Bonn", "20:00", &[1], 12)), Some("zone"));
        assert_eq!(problem(fixed("Europe/Berlin", "24:00", &[1], 12)), Some("at"));
        assert_eq!(problem(fixed("Europe/Berlin", "8:00", &[1], 12)), Some("at"));
        assert_eq!(problem(fixed("Europe/Berlin", "20:00", &[], 12)), Some("days"));
        assert_eq!(problem(fixed("Europe/Berlin", "20:00", &[0], 12)), Some("days"));
        assert_eq!(problem(fixed("Europe/Berlin", "20:00", &[7], 12)), None);
    }

    #[test]
    fn a_pace_is_told_in_words() {
        assert_eq!(Pace::Span { hours: 72, first_hours: 72 }.words(), "3 days for each turn.");
        assert_eq!(
            Pace::Span { hours: 36, first_hours: 24 }.words(),
            "36 hours for each turn, 1 day for the deployment."
        );
        let words = fixed("Europe/Berlin", "20:00", &[1, 3, 5], 12).words();
        assert_eq!(
            words,
            "Turns are due at 20:00 Europe/Berlin on Mon, Wed, Fri, 12 hours after they began at the earliest."
        );
    }
}
