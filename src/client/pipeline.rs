//! From what a transport delivers to events that can be relied on.

use std::fmt;
use std::sync::Arc;

use super::peer::{PeerVersion, declared_version, read_from};
use super::retired::RetiredEvents;
use super::{Error, Result, Warning};
use crate::chunks::ChunkExpander;
use crate::decode::{decode_strict, decode_with_report};
use crate::transform::{StreamTransformer, finish, transform};
use crate::verify::EventVerifier;
use crate::{DecodeError, DecodeErrorKind, DecodeReport, Event};

/// What becomes of events of a type that this version of the protocol does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum UnknownEvents {
    /// The run ends as failed and names the type: nobody is shown three quarters of a
    /// conversation.
    #[default]
    Fail,
    /// The event is dropped with a warning, as the protocol's rule for receivers has it.
    DropWithWarning,
}

/// What becomes of properties and union members that the protocol does not describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Undescribed {
    /// They are left out with a warning, as the protocol's rule for receivers has it.
    #[default]
    Strip,
    /// The run ends as failed, as for whatever else the official JSON Schema refuses.
    Fail,
}

/// What becomes of events that are malformed or break a rule of the order of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Verification {
    /// The run ends as failed, as the protocol's rule for receivers has it.
    #[default]
    Fail,
    /// The event is skipped with a warning. One that ends the run is taken nevertheless.
    SkipWithWarning,
    /// The order is not verified; malformed events still end the run.
    Off,
}

/// Makes one transformer for each run.
type Factory = Arc<dyn Fn() -> Box<dyn StreamTransformer> + Send + Sync>;

/// What a [`Pipeline`] does.
#[derive(Clone, Default)]
pub struct PipelineSettings {
    unknown_events: UnknownEvents,
    undescribed: Undescribed,
    verification: Verification,
    peer: PeerVersion,
    transformers: Vec<Factory>,
}

impl PipelineSettings {
    /// The protocol's rules for receivers, but that unknown events end the run.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what becomes of events of unknown types. By default the run fails.
    #[must_use]
    pub fn unknown_events(mut self, unknown_events: UnknownEvents) -> Self {
        self.unknown_events = unknown_events;
        self
    }

    /// Sets what becomes of what the protocol does not describe. By default it is left out.
    #[must_use]
    pub fn undescribed(mut self, undescribed: Undescribed) -> Self {
        self.undescribed = undescribed;
        self
    }

    /// Sets what becomes of events that are wrong. By default the run fails.
    #[must_use]
    pub fn verification(mut self, verification: Verification) -> Self {
        self.verification = verification;
        self
    }

    /// Sets how old the agent is. By default it is current.
    #[must_use]
    pub fn peer(mut self, peer: PeerVersion) -> Self {
        self.peer = peer;
        self
    }

    /// Adds a transformer, made anew for each run, behind those that are there.
    #[must_use]
    pub fn transformer<T: StreamTransformer + 'static>(
        mut self,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        self.transformers.push(Arc::new(move || Box::new(make())));
        self
    }

    pub(super) fn peer_version(&self) -> PeerVersion {
        self.peer
    }
}

impl fmt::Debug for PipelineSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PipelineSettings")
            .field("unknown_events", &self.unknown_events)
            .field("undescribed", &self.undescribed)
            .field("verification", &self.verification)
            .field("peer", &self.peer)
            .field("transformers", &self.transformers.len())
            .finish()
    }
}

/// What comes out of a [`Pipeline`].
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "nothing else comes out")]
pub enum Passed {
    /// An event that can be relied on: current, in order, and no chunk.
    Event(Event),
    /// Something that is not as the protocol has it and was coped with.
    Warning(Warning),
}

/// Turns what a transport delivers into events that can be relied on.
///
/// Each event passes, once and without being written again:
///
/// 1. decoding, which leaves out what the protocol does not describe and reads what older
///    producers send instead;
/// 2. translation of retired events, see [`RetiredEvents`];
/// 3. the transformers;
/// 4. the rules for older agents, see [`PeerVersion`];
/// 5. expansion of chunks, see [`ChunkExpander`];
/// 6. verification of the order, see [`EventVerifier`].
///
/// Transformers see what the types of this crate can hold: what the protocol does not describe is
/// left out before.
///
/// ```
/// use ag_ui::client::{Passed, Pipeline, PipelineSettings};
///
/// let mut pipeline = Pipeline::new(PipelineSettings::new(), "r-1");
/// let mut events = Vec::new();
/// for json in [
///     r#"{"type":"RUN_STARTED","threadId":"t-1","runId":"r-1"}"#,
///     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m-1","delta":"Hello"}"#,
///     r#"{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1"}"#,
/// ] {
///     pipeline.push_json(json, &mut |passed| {
///         if let Passed::Event(event) = passed {
///             events.push(event.event_type().as_str());
///         }
///     })?;
/// }
/// pipeline.finish(&mut |_| {})?;
/// assert_eq!(events, [
///     "RUN_STARTED",
///     "TEXT_MESSAGE_START",
///     "TEXT_MESSAGE_CONTENT",
///     "TEXT_MESSAGE_END",
///     "RUN_FINISHED",
/// ]);
/// # Ok::<(), ag_ui::client::Error>(())
/// ```
pub struct Pipeline {
    settings: PipelineSettings,
    retired: RetiredEvents,
    chain: Vec<Box<dyn StreamTransformer>>,
    expander: ChunkExpander,
    verifier: EventVerifier,
    index: u64,
    run: Open,
}

/// Whether a run is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// No run was opened yet.
    Before,
    Running,
    Ended,
}

impl Pipeline {
    /// A pipeline for one stream. What has to get an id gets one that begins with `run_id`.
    #[must_use]
    pub fn new(settings: PipelineSettings, run_id: impl Into<String>) -> Self {
        Self {
            chain: settings.transformers.iter().map(|make| make()).collect(),
            settings,
            retired: RetiredEvents::new(run_id),
            expander: ChunkExpander::new(),
            verifier: EventVerifier::new(),
            index: 0,
            run: Open::Before,
        }
    }

    /// Events that it took so far.
    #[must_use]
    pub fn event_count(&self) -> u64 {
        self.index
    }

    /// Whether the last run of the stream, if there was one, has ended.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.run == Open::Ended
    }

    /// Takes an event as JSON text.
    ///
    /// # Errors
    /// When the event is malformed, unknown, or breaks a rule, as the settings say; and when a
    /// transformer fails. The stream should be given up then: it may be cut in the middle of
    /// something.
    pub fn push_json(&mut self, json: &str, put_out: &mut impl FnMut(Passed)) -> Result<()> {
        match self.settings.undescribed {
            Undescribed::Fail => match decode_strict(json) {
                Ok(event) => self.push_event(event, put_out),
                Err(error) => self.refuse(json, error, put_out),
            },
            Undescribed::Strip => match decode_with_report::<Event>(json) {
                Ok((event, report)) => {
                    self.report(&event, &report, put_out);
                    self.push_event(event, put_out)
                }
                Err(error) => self.refuse(json, error, put_out),
            },
        }
    }

    /// Takes an event that needs no decoding, as from an agent in the same process.
    ///
    /// # Errors
    /// As [`Self::push_json`].
    pub fn push_event(&mut self, event: Event, put_out: &mut impl FnMut(Passed)) -> Result<()> {
        let (event, retired) = self.retired.translate(event, self.index);
        if let Some(warning) = retired {
            put_out(Passed::Warning(warning));
        }
        let passed = if self.chain.is_empty() {
            self.read(event, put_out)
        } else {
            self.transform(event, put_out)
        };
        self.index += 1;
        passed
    }

    /// Takes the end of the stream.
    ///
    /// # Errors
    /// [`Error::Truncated`] when a run was not ended, or none begun.
    pub fn finish(&mut self, put_out: &mut impl FnMut(Passed)) -> Result<()> {
        if self.run == Open::Ended {
            return Ok(());
        }
        self.flush(put_out)?;
        Err(Error::Truncated { events: self.index })
    }

    #[cold]
    fn refuse(
        &mut self,
        json: &str,
        source: DecodeError,
        put_out: &mut impl FnMut(Passed),
    ) -> Result<()> {
        let event_index = self.index;
        self.index += 1;
        if let Some(event_type) = unknown_type(json, &source) {
            return match self.settings.unknown_events {
                UnknownEvents::Fail => Err(Error::UnknownEvent { event_index, event_type }),
                UnknownEvents::DropWithWarning => {
                    put_out(Passed::Warning(Warning::UnknownEvent { event_index, event_type }));
                    Ok(())
                }
            };
        }
        match self.settings.verification {
            Verification::SkipWithWarning => {
                let error = Box::new(source);
                put_out(Passed::Warning(Warning::Malformed { event_index, error }));
                Ok(())
            }
            _ => Err(Error::Decode { event_index, source }),
        }
    }

    fn report(&self, event: &Event, report: &DecodeReport, put_out: &mut impl FnMut(Passed)) {
        if report.is_empty() {
            return;
        }
        let (event_index, event_type) = (self.index, event.event_type());
        for adjustment in report.adjustments().iter().filter(|adjustment| !adjustment.is_silent()) {
            let adjustment = adjustment.clone();
            let warning = Warning::Adjusted { event_index, event_type, adjustment };
            put_out(Passed::Warning(warning));
        }
        if report.unlisted() > 0 {
            let count = report.unlisted();
            put_out(Passed::Warning(Warning::Unlisted { event_index, event_type, count }));
        }
    }

    fn transform(&mut self, event: Event, put_out: &mut impl FnMut(Passed)) -> Result<()> {
        if matches!(event, Event::RunStarted(_)) && self.run == Open::Ended {
            self.chain = self.settings.transformers.iter().map(|make| make()).collect();
        }
        if matches!(event, Event::RunFinished(_) | Event::RunError(_)) {
            self.flush(put_out)?;
        }
        let mut events = Vec::new();
        let transformed = transform(&mut self.chain, event, &mut events);
        self.read_all(events, put_out)?;
        transformed.map_err(|error| Error::Transformer(Arc::from(error)))
    }

    /// What the transformers hold back comes before the end of the run.
    fn flush(&mut self, put_out: &mut impl FnMut(Passed)) -> Result<()> {
        if self.chain.is_empty() || self.run == Open::Ended {
            return Ok(());
        }
        let mut events = Vec::new();
        let finished = finish(&mut self.chain, &mut events);
        self.read_all(events, put_out)?;
        finished.map_err(|error| Error::Transformer(Arc::from(error)))
    }

    fn read_all(&mut self, events: Vec<Event>, put_out: &mut impl FnMut(Passed)) -> Result<()> {
        events.into_iter().try_for_each(|event| self.read(event, put_out))
    }

    /// The stages behind the transformers.
    fn read(&mut self, event: Event, put_out: &mut impl FnMut(Passed)) -> Result<()> {
        let event_type = event.event_type();
        let peer = self.settings.peer;
        let Some(event) = read_from(event, peer) else {
            let event_index = self.index;
            let warning = Warning::NotOfPeer { event_index, event_type, peer };
            put_out(Passed::Warning(warning));
            return Ok(());
        };
        if let Event::RunStarted(started) = &event
            && let Some(warning) = declared_version(started)
        {
            put_out(Passed::Warning(warning));
        }
        self.expand(event, put_out)
    }

    fn expand(&mut self, event: Event, put_out: &mut impl FnMut(Passed)) -> Result<()> {
        let index = self.index;
        let Self { expander, verifier, settings, run, .. } = self;
        let mut verified = Ok(());
        let expanded = expander.expand(event, |event| {
            if verified.is_ok() {
                verified = verify(verifier, settings.verification, event, run, index, put_out);
            }
        });
        match (expanded, settings.verification) {
            (Ok(()), _) => verified,
            (Err(violation), Verification::SkipWithWarning) => {
                put_out(Passed::Warning(Warning::Order(violation.with_event_index(index))));
                Ok(())
            }
            (Err(violation), _) => Err(violation.with_event_index(index).into()),
        }
    }
}

fn verify(
    verifier: &mut EventVerifier,
    verification: Verification,
    event: Event,
    run: &mut Open,
    index: u64,
    put_out: &mut impl FnMut(Passed),
) -> Result<()> {
    let ends = matches!(event, Event::RunFinished(_) | Event::RunError(_));
    if verification != Verification::Off
        && let Err(violation) = verifier.verify(&event)
    {
        let violation = violation.with_event_index(index);
        if verification == Verification::Fail {
            return Err(violation.into());
        }
        put_out(Passed::Warning(Warning::Order(violation)));
        if !ends || *run != Open::Running {
            return Ok(());
        }
        // The run has ended, in whatever order: what follows it is another one.
        *verifier = EventVerifier::new();
    }
    match event {
        Event::RunStarted(_) => *run = Open::Running,
        _ if ends => *run = Open::Ended,
        _ => {}
    }
    put_out(Passed::Event(event));
    Ok(())
}

/// The type of an event, when that is what is wrong with it.
fn unknown_type(json: &str, error: &DecodeError) -> Option<String> {
    let is_type = error.kind() == DecodeErrorKind::UnknownVariant && error.event_type().is_none();
    if !is_type {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(json).ok()?;
    let event_type = value.get("type")?.as_str().filter(|name| !name.is_empty())?;
    Some(event_type.to_owned())
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pipeline")
            .field("settings", &self.settings)
            .field("events", &self.index)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}
