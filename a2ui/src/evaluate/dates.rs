//! Dates in the form of a pattern.

use jiff::civil::{DateTime, Time};
use jiff::{Timestamp, tz::TimeZone};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Reads a date, a time, or both, by ISO 8601; a time with an offset as the time of UTC.
pub(super) fn read(text: &str) -> Option<DateTime> {
    let text = text.trim();
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(TimeZone::UTC.to_datetime(timestamp));
    }
    if let Ok(datetime) = text.parse::<DateTime>() {
        return Some(datetime);
    }
    let time: Time = text.parse().ok()?;
    Some(jiff::civil::date(1970, 1, 1).to_datetime(time))
}

/// Milliseconds since 1970, as scripts have them.
pub(super) fn of_milliseconds(number: f64) -> Option<DateTime> {
    if !number.is_finite() || number.abs() > 8.64e15 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "it was checked to be in range")]
    let timestamp = Timestamp::from_millisecond(number as i64).ok()?;
    Some(TimeZone::UTC.to_datetime(timestamp))
}

/// Writes a date by a pattern of Unicode TR 35. Letters between `'` stand for themselves.
pub(super) fn format(date: DateTime, pattern: &str) -> String {
    let mut written = String::new();
    let characters: Vec<char> = pattern.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let letter = characters[at];
        if letter == '\'' {
            at = quoted(&characters, at + 1, &mut written);
            continue;
        }
        let count = characters[at..].iter().take_while(|other| **other == letter).count();
        field(date, letter, count, &mut written);
        at += count;
    }
    written
}

/// Writes what is between quotes; two of them are one.
fn quoted(characters: &[char], mut at: usize, written: &mut String) -> usize {
    if characters.get(at) == Some(&'\'') {
        written.push('\'');
        return at + 1;
    }
    while let Some(character) = characters.get(at) {
        if *character == '\'' {
            return at + 1;
        }
        written.push(*character);
        at += 1;
    }
    at
}

fn field(date: DateTime, letter: char, count: usize, written: &mut String) {
    let name = |names: &[&'static str], index: i8| {
        usize::try_from(index)
            .ok()
            .and_then(|index| names.get(index.wrapping_sub(1)))
            .copied()
            .unwrap_or_default()
    };
    let number = |value: i8| format!("{value:0count$}");
    let hour = date.hour() % 12;
    let text = match letter {
        'y' if count == 2 => format!("{:02}", date.year().rem_euclid(100)),
        'y' => format!("{:0count$}", date.year()),
        'M' if count >= 4 => name(&MONTHS, date.month()).to_owned(),
        'M' if count == 3 => name(&MONTHS, date.month())[..3].to_owned(),
        'M' => number(date.month()),
        'd' => number(date.day()),
        'E' if count >= 4 => name(&DAYS, date.weekday().to_monday_one_offset()).to_owned(),
        'E' => name(&DAYS, date.weekday().to_monday_one_offset())[..3].to_owned(),
        'h' => number(if hour == 0 { 12 } else { hour }),
        'H' => number(date.hour()),
        'm' => number(date.minute()),
        's' => number(date.second()),
        'a' if date.hour() < 12 => "AM".to_owned(),
        'a' => "PM".to_owned(),
        other => std::iter::repeat_n(other, count).collect(),
    };
    written.push_str(&text);
}
