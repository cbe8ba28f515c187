//! What a person wants: how times are written, which letters come, and when.
//!
//! Kept as JSON; what is missing is as usual, so that a wish that is new here needs no migration.

use std::fmt;

use jiff::civil::Time;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::pace;
use crate::play::{Play, PlayError};
use crate::store::Reader;

/// The longest distance of a reminder from its deadline, in hours: as long as the longest turn.
pub const AHEAD_MAX: u32 = 720;

/// How a date is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateStyle {
    /// `29 Nov 2026`
    #[default]
    Words,
    /// `2026-11-29` (ISO 8601)
    Iso,
    /// `11/29/2026`
    MonthFirst,
}

impl DateStyle {
    /// All of them, with their words in forms and an example.
    pub const ALL: [(DateStyle, &'static str, &'static str); 3] = [
        (DateStyle::Words, "words", "29 Nov 2026"),
        (DateStyle::Iso, "iso", "2026-11-29"),
        (DateStyle::MonthFirst, "month_first", "11/29/2026"),
    ];

    const fn format(self) -> &'static str {
        match self {
            DateStyle::Words => "%-d %b %Y, %H:%M %Z",
            DateStyle::Iso => "%Y-%m-%d, %H:%M %Z",
            DateStyle::MonthFirst => "%m/%d/%Y, %H:%M %Z",
        }
    }
}

/// What letters are about, as far as one may do without them. Those by which somebody signs in or confirms always come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Turns that were resolved, and games that ended.
    Reports,
    /// Turns that will be due.
    Reminders,
    /// What the opponent has written.
    Messages,
    /// What the opponent offers or asks.
    Offers,
}

/// Hours of the day in which no letter comes that can wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quiet {
    /// From when on, `22:00`.
    pub from: String,
    /// Until when, `07:30`; mostly of the next day.
    pub to: String,
}

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "wishes that do not hang together")]
pub struct Wishes {
    /// The time zone, `Europe/Berlin`; `None` for that of the browser on pages, and UTC in letters.
    pub zone: Option<String>,
    /// How dates are written.
    pub dates: DateStyle,
    /// Whether letters come about turns that were resolved.
    pub reports: bool,
    /// Whether letters come before turns are due.
    pub reminders: bool,
    /// Whether letters come with what the opponent has written.
    pub messages: bool,
    /// Whether letters come about what the opponent offers.
    pub offers: bool,
    /// How many hours before a deadline reminders come; `None` for none.
    pub ahead: [Option<u32>; 2],
    /// When letters wait.
    pub quiet: Option<Quiet>,
    /// Whether a list that comes by mail is sealed at once, whatever becomes of its lines.
    pub seal_at_once: bool,
    /// Whether the subject of a letter may say who has won.
    pub results: bool,
    /// Whether letters end with the board in plain letters.
    pub text_board: bool,
    /// The time of day, `08:00`, at which all letters that may wait come as one; `None` for each by itself.
    pub digest: Option<String>,
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            zone: None,
            dates: DateStyle::Words,
            reports: true,
            reminders: true,
            messages: true,
            offers: true,
            ahead: [Some(24), Some(3)],
            quiet: None,
            seal_at_once: false,
            results: false,
            text_board: true,
            digest: None,
        }
    }
}

/// Reads a time of day, `22:00`.
pub(in crate::play) fn time(text: &str) -> Option<Time> {
    let (hours, minutes) = text.split_once(':')?;
    Time::new(hours.parse().ok()?, minutes.parse().ok()?, 0, 0).ok()
}

impl Wishes {
    /// Reads what is kept; nothing for the usual.
    pub(in crate::play) fn read(kept: Option<&str>) -> Result<Wishes, PlayError> {
        kept.map_or_else(
            || Ok(Wishes::default()),
            |kept| serde_json::from_str(kept).map_err(|_| PlayError::Broken("settings".into())),
        )
    }

    /// Writes what [`Wishes::read`] reads.
    pub(in crate::play) fn written(&self) -> Result<String, PlayError> {
        serde_json::to_string(self).map_err(|error| PlayError::Broken(error.to_string()))
    }

    /// Looks whether the wishes can be fulfilled.
    ///
    /// # Errors
    /// [`PlayError::Field`], with the field `zone`, `ahead`, `quiet` or `digest`.
    pub fn check(&self) -> Result<(), PlayError> {
        let wrong = |field, problem: &str| Err(PlayError::Field { field, problem: problem.into() });
        if let Some(zone) = &self.zone
            && TimeZone::get(zone).is_err()
        {
            return wrong("zone", "is not one of the IANA names, as Europe/Berlin");
        }
        if self.ahead.iter().flatten().any(|hours| !(1..=AHEAD_MAX).contains(hours)) {
            return wrong("ahead", "are whole hours from 1 to 720");
        }
        if let Some(Quiet { from, to }) = &self.quiet {
            match (time(from), time(to)) {
                (Some(from), Some(to)) if from != to => {}
                _ => return wrong("quiet", "need two different times, as 22:00 and 07:00"),
            }
        }
        if self.digest.as_deref().is_some_and(|digest| time(digest).is_none()) {
            return wrong("digest", "needs a time of day, as 08:00");
        }
        Ok(())
    }

    /// Whether letters about something are wanted.
    #[must_use]
    pub const fn wants(&self, topic: Topic) -> bool {
        match topic {
            Topic::Reports => self.reports,
            Topic::Reminders => self.reminders,
            Topic::Messages => self.messages,
            Topic::Offers => self.offers,
        }
    }

    /// The end of the quiet hours, if a moment lies in them.
    #[must_use]
    pub fn quiet_until(&self, now: Timestamp) -> Option<Timestamp> {
        let quiet = self.quiet.as_ref()?;
        let (from, to) = (time(&quiet.from)?, time(&quiet.to)?);
        let zone = self.time_zone();
        let here = zone.to_datetime(jiff::Timestamp::from_millisecond(now.0).ok()?);
        let clock = here.time();
        let within = if from < to { from <= clock && clock < to } else { clock >= from || clock < to };
        if !within {
            return None;
        }
        let day = if clock < to { here.date() } else { here.date().tomorrow().ok()? };
        Some(Timestamp(pace::instant(&zone, day.to_datetime(to))?.as_millisecond()))
    }

    /// A moment in the person's zone and manner; `29 Nov 2026, 20:00 CET`.
    #[must_use]
    pub fn moment(&self, moment: Timestamp) -> String {
        jiff::Timestamp::from_millisecond(moment.0).map_or_else(
            |_| "at an unknown time".to_owned(),
            |moment| moment.to_zoned_datetime(self.time_zone()).strftime(self.dates.format()).to_string(),
        )
    }

    pub(in crate::play) fn time_zone(&self) -> TimeZone {
        self.zone.as_deref().and_then(|zone| TimeZone::get(zone).ok()).unwrap_or(TimeZone::UTC)
    }
}

impl fmt::Display for DateStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(DateStyle::ALL.iter().find(|(style, ..)| style == self).map_or("", |(_, word, _)| word))
    }
}

impl Play {
    /// What a person wants of letters: which, how long before a deadline, and when they wait.
    pub(in crate::play) async fn letter_wishes(&self, tx: &mut Reader, person: &str) -> Result<Wishes, PlayError> {
        let person = tx.person(person).await?;
        Wishes::read(person.and_then(|person| person.settings).as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
    }

    fn quiet(from: &str, to: &str) -> Wishes {
        let quiet = Some(Quiet { from: from.into(), to: to.into() });
        Wishes { zone: Some("Europe/Berlin".into()), quiet, ..Wishes::default() }
    }

    #[test]
    fn quiet_hours_end_in_the_readers_zone_across_midnight_and_both_clock_changes() {
        let night = quiet("22:00", "07:30");
        for (now, end) in [
            ("2026-06-01T19:59:00Z", None),
            ("2026-06-01T20:00:00Z", Some("2026-06-02T05:30:00Z")),
            ("2026-06-02T05:29:59Z", Some("2026-06-02T05:30:00Z")),
            ("2026-06-02T05:30:00Z", None),
            ("2026-03-28T23:00:00Z", Some("2026-03-29T05:30:00Z")),
            ("2026-10-24T23:00:00Z", Some("2026-10-25T06:30:00Z")),
        ] {
            assert_eq!(night.quiet_until(at(now)), end.map(at), "{now}");
        }
        let noon = quiet("12:00", "14:00");
        assert_eq!(noon.quiet_until(at("2026-06-01T10:00:00Z")), Some(at("2026-06-01T12:00:00Z")));
        assert_eq!(noon.quiet_until(at("2026-06-01T12:00:00Z")), None);
        // An end that the night of the change leaves out is the moment after the gap.
        let gap = quiet("23:00", "02:30");
        assert_eq!(gap.quiet_until(at("2026-03-29T00:30:00Z")), Some(at("2026-03-29T01:00:00Z")));
        assert_eq!(Wishes::default().quiet_until(at("2026-06-01T20:00:00Z")), None);
    }

    #[test]
    fn dates_are_written_as_they_are_wanted() {
        let moment = at("2026-11-29T19:05:00Z");
        let of = |dates, zone: Option<&str>| {
            Wishes { dates, zone: zone.map(str::to_owned), ..Wishes::default() }.moment(moment)
        };
        assert_eq!(of(DateStyle::Words, Some("Europe/Berlin")), "29 Nov 2026, 20:05 CET");
        assert_eq!(of(DateStyle::Iso, None), "2026-11-29, 19:05 UTC");
        assert_eq!(of(DateStyle::MonthFirst, Some("America/New_York")), "11/29/2026, 14:05 EST");
    }

    #[test]
    fn wishes_are_kept_whole_and_what_is_new_is_as_usual() {
        let wishes = Wishes { ahead: [Some(48), None], offers: false, ..quiet("22:00", "07:00") };
        assert_eq!(Wishes::read(Some(&wishes.written().unwrap())), Ok(wishes));
        assert_eq!(Wishes::read(None), Ok(Wishes::default()));
        assert_eq!(Wishes::read(Some(r#"{"reports":false}"#)).map(|wishes| wishes.reminders), Ok(true));
        assert!(Wishes::read(Some("nonsense")).is_err());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let field = |wishes: Wishes| match wishes.check() {
            Err(PlayError::Field { field, .. }) => field,
            other => panic!("{other:?}"),
        };
        assert_eq!(field(Wishes { zone: Some("Mars/Base".into()), ..Wishes::default() }), "zone");
        assert_eq!(field(Wishes { ahead: [Some(0), None], ..Wishes::default() }), "ahead");
        assert_eq!(field(Wishes { ahead: [None, Some(721)], ..Wishes::default() }), "ahead");
        for (from, to) in [("22:00", "22:00"), ("25:00", "07:00"), ("ten", "07:00")] {
            assert_eq!(field(quiet(from, to)), "quiet");
        }
        assert_eq!(quiet("22:00", "07:00").check(), Ok(()));
        assert_eq!(field(Wishes { digest: Some("24:00".into()), ..Wishes::default() }), "digest");
        assert_eq!(Wishes { digest: Some("00:00".into()), ..Wishes::default() }.check(), Ok(()));
    }
}
