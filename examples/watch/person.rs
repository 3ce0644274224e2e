//! Whoever sits at the terminal, or the options that stand in.

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Write};

use ag_ui::client::{Answers, BoxError, Session, ToolAnswer};
use ag_ui::{Interrupt, ResumeEntry};
use serde_json::{Value, json};

use crate::arguments::Decision;
use crate::screen::Screen;
use crate::text::line;

/// How often tool calls are declined in a row when nobody is there to answer them.
const DECLINES: u32 = 3;

pub(crate) struct Person {
    messages: VecDeque<String>,
    /// Whether the messages are all there is to say.
    is_scripted: bool,
    decision: Option<Decision>,
    is_there: bool,
    declined: u32,
}

/// What became of what waited.
pub(crate) enum Answered {
    Interrupts(Vec<ResumeEntry>),
    Tools,
    NobodyThere,
}

impl Person {
    pub(crate) fn new(messages: Vec<String>, decision: Option<Decision>) -> Self {
        Self {
            is_scripted: !messages.is_empty(),
            messages: messages.into(),
            decision,
            is_there: io::stdin().is_terminal(),
            declined: 0,
        }
    }

    /// What to say next; `None` ends the conversation.
    pub(crate) fn next_message(&mut self) -> io::Result<Option<String>> {
        self.declined = 0;
        if self.is_scripted {
            return Ok(self.messages.pop_front());
        }
        loop {
            match self.ask("> ")? {
                Some(text) if text.trim().is_empty() => {}
                text => return Ok(text),
            }
        }
    }

    /// Answers what waits in a session.
    pub(crate) fn answer(
        &mut self,
        session: &mut Session,
        screen: &mut Screen<impl Write, impl Write>,
    ) -> Result<Answered, BoxError> {
        if session.interrupts().is_empty() {
            return self.answer_tools(session, screen);
        }
        let mut answers = session.answers();
        for interrupt in session.interrupts() {
            let message = interrupt.message.as_deref().unwrap_or(&interrupt.reason);
            screen.line("asks", interrupt.subagent_run_id.as_ref(), message)?;
            answers = match self.decision {
                Some(Decision::Approve) => {
                    answers.resolve(&interrupt.id, json!({"approved": true}))?
                }
                Some(Decision::Decline) => answers.cancel(&interrupt.id),
                None if self.is_there => match self.decide(interrupt, answers)? {
                    Some(answers) => answers,
                    None => return Ok(Answered::NobodyThere),
                },
                None => return Ok(Answered::NobodyThere),
            };
        }
        Ok(Answered::Interrupts(answers.build()?))
    }

    fn decide(
        &mut self,
        interrupt: &Interrupt,
        answers: Answers,
    ) -> Result<Option<Answers>, BoxError> {
        Ok(match self.ask("[y]es, [n]o, or an answer in JSON: ")? {
            None => None,
            Some(text) => Some(match text.trim() {
                "y" | "yes" => answers.resolve(&interrupt.id, json!({"approved": true}))?,
                "" | "n" | "no" => answers.cancel(&interrupt.id),
                text => {
                    let answer = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
                    answers.resolve(&interrupt.id, answer)?
                }
            }),
        })
    }

    fn answer_tools(
        &mut self,
        session: &mut Session,
        screen: &mut Screen<impl Write, impl Write>,
    ) -> Result<Answered, BoxError> {
        if !self.is_there {
            if self.declined == DECLINES {
                return Ok(Answered::NobodyThere);
            }
            self.declined += 1;
        }
        for call in session.pending().tool_calls {
            let name = line(&call.function.name);
            let answer =
                if self.is_there { self.ask(&format!("answer of {name}: "))? } else { None };
            let answer = match answer {
                Some(text) => ToolAnswer::new(text),
                None => {
                    screen
                        .warn(&format!("nobody runs the tool {name} here, its call is declined"))?;
                    ToolAnswer::failed("this client cannot run tools")
                }
            };
            session.answer_tool(call.id, answer)?;
        }
        Ok(Answered::Tools)
    }

    /// A line of the person's; `None` when there are no more.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        if self.is_there {
            write!(io::stderr(), "{prompt}")?;
            io::stderr().flush()?;
        }
        let mut text = String::new();
        let count = io::stdin().lock().read_line(&mut text)?;
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
        Ok((count > 0).then_some(text))
    }
}
