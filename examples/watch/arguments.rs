//! What is asked for on the command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use ag_ui::client::RecordFormat;
use lexopt::ValueExt;
use lexopt::prelude::{Long, Short, Value};

pub(crate) const USAGE: &str = "\
watch URL [options]             talk to the agent at that URL
watch --replay FILE [options]   show a recording

  --message TEXT        say that; several are said one after the other.
                        Without it, lines are read from the standard input
  --thread ID           the thread, `watch` unless set
  --header NAME:VALUE   send a header
  --timeout SECONDS     longest time of a run
  --record FILE         write down what arrives
  --format FORMAT       json-lines (unless set) or sse
  --approve, --decline  answer all interrupts, without asking
  --help                show this

Exit code: 0 the last run succeeded, 1 it failed, 2 it waits for an answer.
";

/// Who answers.
#[derive(Debug, PartialEq)]
pub(crate) enum Source {
    Agent(String),
    Recording(PathBuf),
}

/// How interrupts are answered without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    Approve,
    Decline,
}

#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) source: Source,
    pub(crate) messages: Vec<String>,
    pub(crate) thread: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) record: Option<PathBuf>,
    pub(crate) format: RecordFormat,
    pub(crate) decision: Option<Decision>,
}

impl Arguments {
    /// Reads the arguments; `None` asks for help.
    pub(crate) fn parse(
        arguments: impl Iterator<Item = OsString>,
    ) -> Result<Option<Self>, lexopt::Error> {
        let mut parser = lexopt::Parser::from_args(arguments);
        let mut source = None;
        let mut parsed = Self {
            source: Source::Agent(String::new()),
            messages: Vec::new(),
            thread: "watch".to_owned(),
            headers: Vec::new(),
            timeout: None,
            record: None,
            format: RecordFormat::JsonLines,
            decision: None,
        };
        while let Some(argument) = parser.next()? {
            match argument {
                Value(url) if source.is_none() => source = Some(Source::Agent(url.string()?)),
                Long("replay") if source.is_none() => {
                    source = Some(Source::Recording(parser.value()?.into()));
                }
                Long("message") => parsed.messages.push(parser.value()?.string()?),
                Long("thread") => parsed.thread = parser.value()?.string()?,
                Long("header") => parsed.headers.push(header(&parser.value()?.string()?)?),
                Long("timeout") => parsed.timeout = Some(seconds(&parser.value()?.string()?)?),
                Long("record") => parsed.record = Some(parser.value()?.into()),
                Long("format") => parsed.format = format(&parser.value()?.string()?)?,
                Long("approve") => parsed.decision = Some(Decision::Approve),
                Long("decline") => parsed.decision = Some(Decision::Decline),
                Long("help") | Short('h') => return Ok(None),
                other => return Err(other.unexpected()),
            }
        }
        parsed.source = source.ok_or("say the URL of an agent, or --replay FILE")?;
        Ok(Some(parsed))
    }
}

fn header(text: &str) -> Result<(String, String), lexopt::Error> {
    let (name, value) = text.split_once(':').ok_or("write a header as NAME:VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn seconds(text: &str) -> Result<Duration, lexopt::Error> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Ok(seconds.ok_or_else(|| format!("`{text}` is no number of seconds"))?)
}

fn format(text: &str) -> Result<RecordFormat, lexopt::Error> {
    match text {
        "json-lines" => Ok(RecordFormat::JsonLines),
        "sse" => Ok(RecordFormat::Sse),
        other => Err(format!("`{other}` is no format; json-lines and sse are").into()),
    }
}
