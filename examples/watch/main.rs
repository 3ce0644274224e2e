//! A client in the terminal, for any AG-UI agent: shows text as it streams, tool calls, changes of
//! the state, and asks at interrupts.
//!
//! ```sh
//! cargo run --example task_board --features axum,schemars &
//! cargo run --example watch --features http -- http://127.0.0.1:3000/agent
//! cargo run --example watch --features http -- http://127.0.0.1:3000/agent \
//!   --message 'Add milk' --record run.jsonl
//! cargo run --example watch --features http -- --replay run.jsonl --message 'Add milk'
//! ```

mod arguments;
mod person;
mod screen;
mod text;

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use ag_ui::client::{
    BoxError, CancellationToken, HttpTransport, RecordingTransport, ReplayTransport, RunEnd,
    RunStream, Session, Transport, Update,
};

use crate::arguments::{Arguments, Source, USAGE};
use crate::person::{Answered, Person};
use crate::screen::Screen;

/// Exit code of a conversation that waits for an answer which nobody is there to give.
const WAITS: u8 = 2;

/// Exit code of a program that was stopped by Ctrl-C.
const STOPPED: i32 = 130;

/// The run that Ctrl-C aborts.
type Current = Arc<Mutex<Option<CancellationToken>>>;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => return say(&mut io::stdout(), USAGE, ExitCode::SUCCESS),
        Err(error) => {
            return say(&mut io::stderr(), &format!("{error}\n\n{USAGE}"), ExitCode::FAILURE);
        }
    };
    match watch(arguments).await {
        Ok(code) => code,
        // Whoever reads the output has seen enough.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => say(&mut io::stderr(), &format!("{error}\n"), ExitCode::FAILURE),
    }
}

fn say(out: &mut impl Write, text: &str, code: ExitCode) -> ExitCode {
    match out.write_all(text.as_bytes()) {
        Ok(()) => code,
        Err(_) => ExitCode::FAILURE,
    }
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

async fn watch(arguments: Arguments) -> Result<ExitCode, BoxError> {
    let transport = transport(&arguments)?;
    let session = Session::builder(transport, arguments.thread.as_str()).build();
    let mut screen = Screen::new(io::stdout(), io::stderr());
    let person = Person::new(arguments.messages, arguments.decision);
    converse(session, &mut screen, person).await
}

fn transport(arguments: &Arguments) -> Result<Box<dyn Transport>, BoxError> {
    let transport: Box<dyn Transport> = match &arguments.source {
        Source::Recording(path) => Box::new(ReplayTransport::from_file(path)?),
        Source::Agent(url) => {
            let mut builder = HttpTransport::builder(url);
            for (name, value) in &arguments.headers {
                builder = builder.header(name, value);
            }
            if let Some(timeout) = arguments.timeout {
                builder = builder.timeout(timeout);
            }
            Box::new(builder.build()?)
        }
    };
    let Some(path) = &arguments.record else { return Ok(transport) };
    let file =
        File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(Box::new(RecordingTransport::new(transport, arguments.format, file)))
}

/// Says what the person says, and shows what the agent answers, until nobody has anything to say.
async fn converse(
    mut session: Session,
    screen: &mut Screen<impl Write, impl Write>,
    mut person: Person,
) -> Result<ExitCode, BoxError> {
    let current = Current::default();
    tokio::spawn(stop_on_ctrl_c(current.clone()));
    let mut code = ExitCode::SUCCESS;
    while let Some(message) = person.next_message()? {
        let mut end = show(session.send(message), screen, &current).await?;
        while waits(&end) {
            end = match person.answer(&mut session, screen)? {
                Answered::Interrupts(answers) => {
                    show(session.resume(answers), screen, &current).await?
                }
                Answered::Tools => show(session.run(), screen, &current).await?,
                Answered::NobodyThere => return Ok(ExitCode::from(WAITS)),
            };
        }
        code = if end.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    Ok(code)
}

fn waits(end: &RunEnd) -> bool {
    match end {
        RunEnd::Success { pending_tool_calls, .. } => !pending_tool_calls.is_empty(),
        RunEnd::Interrupted { .. } => true,
        RunEnd::Failed { .. } => false,
    }
}

async fn show(
    mut run: RunStream<'_>,
    screen: &mut Screen<impl Write, impl Write>,
    current: &Current,
) -> Result<RunEnd, BoxError> {
    set(current, Some(run.cancellation_token()));
    let mut end = None;
    while let Some(update) = run.next().await {
        screen.show(&update, run.session())?;
        if let Update::Done(done) = update {
            end = Some(done);
        }
    }
    set(current, None);
    end.ok_or_else(|| "the run had no end".into())
}

fn set(current: &Current, token: Option<CancellationToken>) {
    *current.lock().unwrap_or_else(PoisonError::into_inner) = token;
}

/// The first Ctrl-C aborts the run, another one, or one between runs, the program.
async fn stop_on_ctrl_c(current: Current) {
    while tokio::signal::ctrl_c().await.is_ok() {
        let token = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match token.filter(|token| !token.is_cancelled()) {
            Some(token) => token.cancel(),
            None => std::process::exit(STOPPED),
        }
    }
}
