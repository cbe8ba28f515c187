//! When turns are due, counted by hand for the year 2026: the changes of two zones' clocks are typed in here, and no library
//! of times is asked.

use fieldcommand::clock::Timestamp;

/// Milliseconds of an hour.
pub const HOUR: i64 = 3_600_000;
/// Milliseconds of a day.
pub const DAY: i64 = 24 * HOUR;
/// 2026-01-01T00:00:00Z, a Thursday.
pub const NEW_YEAR: i64 = 1_767_225_600_000;

/// A zone in 2026.
#[derive(Clone, Copy, Debug)]
pub struct Zone {
    /// Its IANA name.
    pub name: &'static str,
    /// Hours ahead of UTC in winter.
    winter: i64,
    /// When its clocks are set an hour forward and back again.
    pub summer: (i64, i64),
}

/// Berlin: 2026-03-29T01:00Z to 2026-10-25T01:00Z.
pub const BERLIN: Zone =
    Zone { name: "Europe/Berlin", winter: 1, summer: (NEW_YEAR + 87 * DAY + HOUR, NEW_YEAR + 297 * DAY + HOUR) };
/// New York: 2026-03-08T07:00Z to 2026-11-01T06:00Z.
pub const NEW_YORK: Zone = Zone {
    name: "America/New_York",
    winter: -5,
    summer: (NEW_YEAR + 66 * DAY + 7 * HOUR, NEW_YEAR + 304 * DAY + 6 * HOUR),
};

impl Zone {
    fn is_summer(self, at: i64) -> bool {
        (self.summer.0..self.summer.1).contains(&at)
    }

    /// The instant at which the zone's clocks show so many milliseconds after the new year: the later one of two, and the
    /// moment after the gap for a time that is skipped.
    fn instant(self, shown: i64) -> i64 {
        let (winter, summer) = (NEW_YEAR + shown - self.winter * HOUR, NEW_YEAR + shown - (self.winter + 1) * HOUR);
        match (!self.is_summer(winter), self.is_summer(summer)) {
            (true, _) => winter,
            (false, true) => summer,
            (false, false) => self.summer.0,
        }
    }

    /// The first of the fixed times (minutes after midnight, on days of the week, Monday being 1) at least `rest` hours after `from`.
    pub fn next(self, minutes: i64, days: &[i8], rest: i64, from: Timestamp) -> Timestamp {
        let earliest = from.0 + rest * HOUR;
        // The new year is day 0, a Thursday.
        let found = (0..365)
            .filter(|day| days.contains(&i8::try_from((day + 3) % 7 + 1).unwrap()))
            .map(|day| self.instant(day * DAY + minutes * 60_000))
            .find(|&instant| instant >= earliest);
        Timestamp(found.expect("the season ends before the year"))
    }
}

/// The typed dates are the right ones: looked up in the tables of the IANA for 2026.
#[test]
fn the_changes_of_the_clocks_are_where_they_should_be() {
    assert_eq!(Timestamp(BERLIN.summer.0).to_string(), "2026-03-29T01:00:00Z");
    assert_eq!(Timestamp(BERLIN.summer.1).to_string(), "2026-10-25T01:00:00Z");
    assert_eq!(Timestamp(NEW_YORK.summer.0).to_string(), "2026-03-08T07:00:00Z");
    assert_eq!(Timestamp(NEW_YORK.summer.1).to_string(), "2026-11-01T06:00:00Z");
    // 2:30 on 29 March does not exist in Berlin; on 25 October it comes twice.
    let sunday = |from: i64| BERLIN.next(150, &[7], 0, Timestamp(from)).to_string();
    assert_eq!(sunday(NEW_YEAR + 86 * DAY), "2026-03-29T01:00:00Z");
    assert_eq!(sunday(NEW_YEAR + 296 * DAY), "2026-10-25T01:30:00Z");
}
