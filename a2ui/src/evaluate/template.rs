//! Texts with places for values: `Hello ${/name}`.

use serde_json::{Map, Value, json};

use super::EvaluateError;

/// Places for values in one text, and levels that they may stand in each other.
const PARTS: usize = 1_000;
const DEPTH: usize = 100;

/// A piece of a text.
#[derive(Debug, PartialEq)]
pub(super) enum Part {
    Text(String),
    /// What is to be worked out: a literal, a binding or a call.
    Value(Value),
}

/// Reads a text into pieces.
pub(super) fn read(text: &str) -> Result<Vec<Part>, EvaluateError> {
    let mut reader = Reader { characters: text.chars().collect(), at: 0 };
    let mut parts = Vec::new();
    let mut literal = String::new();
    while let Some(character) = reader.peek() {
        if reader.starts_with("\\${") {
            literal.push_str("${");
            reader.at += 3;
        } else if reader.starts_with("${") {
            if !literal.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut literal)));
            }
            parts.push(Part::Value(reader.place(0)?));
            if parts.len() > PARTS {
                return reader.fail(&format!("there are more than {PARTS} places for values"));
            }
        } else {
            literal.push(character);
            reader.at += 1;
        }
    }
    if !literal.is_empty() {
        parts.push(Part::Text(literal));
    }
    Ok(parts)
}

struct Reader {
    characters: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(offset, character)| self.characters.get(self.at + offset) == Some(&character))
    }

    fn fail<T>(&self, problem: &str) -> Result<T, EvaluateError> {
        Err(EvaluateError::Template { at: self.at, problem: problem.to_owned() })
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// A place for a value, from its `${` to its `}`.
    fn place(&mut self, depth: usize) -> Result<Value, EvaluateError> {
        if depth > DEPTH {
            return self.fail(&format!("places stand in each other more than {DEPTH} times"));
        }
        self.at += 2;
        self.skip_space();
        if self.peek() == Some('}') {
            self.at += 1;
            return Ok(json!(""));
        }
        let value = self.expression(depth)?;
        self.skip_space();
        match self.peek() {
            Some('}') => {
                self.at += 1;
                Ok(value)
            }
            None => self.fail("the place for a value has no end; add `}`"),
            Some(_) => self.fail("something follows the value; end the place with `}`"),
        }
    }

    fn expression(&mut self, depth: usize) -> Result<Value, EvaluateError> {
        match self.peek() {
            Some('$') if self.starts_with("${") => self.place(depth + 1),
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            Some(character) if character.is_ascii_digit() => Ok(self.number_or_path()),
            Some('-') if self.characters.get(self.at + 1).is_some_and(char::is_ascii_digit) => {
                Ok(self.number_or_path())
            }
            Some(character) if is_of_path(character) || character == '@' => self.named(depth),
            Some(_) => {
                self.fail("a value was expected: a path, a call, a text in quotes or a number")
            }
            None => self.fail("the place for a value has no end; add `}`"),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Value, EvaluateError> {
        self.at += 1;
        let mut text = String::new();
        while let Some(character) = self.peek() {
            self.at += 1;
            match character {
                '\\' => {
                    let Some(escaped) = self.peek() else { break };
                    self.at += 1;
                    text.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        other => other,
                    });
                }
                other if other == quote => return Ok(json!(text)),
                other => text.push(other),
            }
        }
        self.fail("a text in quotes has no end")
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(is_of_path) {
            self.at += 1;
        }
        self.characters[start..self.at].iter().collect()
    }

    fn number_or_path(&mut self) -> Value {
        let word = self.word();
        match word.parse::<i64>() {
            Ok(number) => json!(number),
            Err(_) => match word.parse::<f64>() {
                Ok(number) => json!(number),
                Err(_) => json!({"path": word}),
            },
        }
    }

    /// A path, a word that means something, or a call.
    fn named(&mut self, depth: usize) -> Result<Value, EvaluateError> {
        let is_special = self.peek() == Some('@');
        if is_special {
            self.at += 1;
        }
        let mut word = self.word();
        if is_special {
            word.insert(0, '@');
        }
        let end = self.at;
        self.skip_space();
        if self.peek() == Some('(') {
            self.at += 1;
            return self.call(&word, depth);
        }
        self.at = end;
        match word.as_str() {
            "true" => Ok(json!(true)),
            "false" => Ok(json!(false)),
            "null" => Ok(Value::Null),
            _ if is_special => self.fail("a name with `@` has to be called"),
            _ => Ok(json!({"path": word})),
        }
    }

    /// The arguments of a call, each by its name.
    fn call(&mut self, name: &str, depth: usize) -> Result<Value, EvaluateError> {
        if depth > DEPTH {
            return self.fail(&format!("calls stand in each other more than {DEPTH} times"));
        }
        let mut args = Map::new();
        loop {
            self.skip_space();
            match self.peek() {
                Some(')') => {
                    self.at += 1;
                    return Ok(json!({"call": name, "args": args}));
                }
                Some(',') => self.at += 1,
                Some(character) if is_of_path(character) => {
                    let argument = self.word();
                    self.skip_space();
                    if self.peek() != Some(':') {
                        return self.fail("an argument is written as `name: value`");
                    }
                    self.at += 1;
                    self.skip_space();
                    let value = self.expression(depth + 1)?;
                    args.insert(argument, value);
                }
                Some(_) => return self.fail("an argument is written as `name: value`"),
                None => return self.fail("the call has no end; add `)`"),
            }
        }
    }
}

fn is_of_path(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '/' | '~')
}
