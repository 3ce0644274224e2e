//! Numbers as they are written in the United States.

/// Digits that follow the point where nobody says how many.
const FRACTION: usize = 3;

/// A number with thousands set apart, or not.
pub(super) fn format(number: f64, decimals: Option<usize>, grouping: bool) -> String {
    let text = match decimals {
        Some(decimals) => format!("{:.decimals$}", number.abs()),
        None => {
            let text = format!("{:.FRACTION$}", number.abs());
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text.as_str(), None),
    };
    let mut written = String::new();
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if number < 0.0 && !is_zero {
        written.push('-');
    }
    for (index, digit) in whole.chars().enumerate() {
        if grouping && index > 0 && (whole.len() - index).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    if let Some(fraction) = fraction {
        written.push('.');
        written.push_str(fraction);
    }
    written
}

/// A sum of money: with the sign of the currency where it has one there, else with its code.
pub(super) fn format_currency(
    number: f64,
    currency: &str,
    decimals: Option<usize>,
    grouping: bool,
) -> String {
    let currency = currency.to_ascii_uppercase();
    let usual = match currency.as_str() {
        "JPY" | "KRW" | "VND" | "CLP" | "ISK" | "XAF" | "XOF" | "XPF" | "PYG" | "UGX" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        _ => 2,
    };
    let sign = match currency.as_str() {
        "USD" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "JPY" => "¥",
        "KRW" => "₩",
        "INR" => "₹",
        "CNY" => "CN¥",
        "CAD" => "CA$",
        "AUD" => "A$",
        "BRL" => "R$",
        "MXN" => "MX$",
        "ILS" => "₪",
        "VND" => "₫",
        _ => "",
    };
    let amount = format(number, Some(decimals.unwrap_or(usual)), grouping);
    let (minus, amount) = match amount.strip_prefix('-') {
        Some(amount) => ("-", amount),
        None => ("", amount.as_str()),
    };
    // A code keeps its distance from the amount, on one line.
    if sign.is_empty() {
        format!("{minus}{currency}\u{a0}{amount}")
    } else {
        format!("{minus}{sign}{amount}")
    }
}
