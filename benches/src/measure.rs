//! Measuring contestants in turns, so that what else the machine does hits them alike.

use std::time::{Duration, Instant};

/// Rounds in which every contestant has one go.
const ROUNDS: usize = 25;

type Work<'a> = Box<dyn FnMut() + 'a>;

/// Several ways to do the same work.
#[derive(Default)]
pub struct Contest<'a> {
    contestants: Vec<(&'static str, Work<'a>)>,
}

/// What one contestant took.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Its best time for one item, in nanoseconds.
    pub nanoseconds: f64,
}

impl<'a> Contest<'a> {
    /// Adds a contestant. `work` does all items once.
    #[must_use]
    pub fn with(mut self, name: &'static str, work: impl FnMut() + 'a) -> Self {
        self.contestants.push((name, Box::new(work)));
        self
    }

    /// Lets all of them work in turns and keeps the best round of each.
    #[must_use]
    pub fn run(mut self, items: usize) -> Vec<Row> {
        let mut best = vec![Duration::MAX; self.contestants.len()];
        for _ in 0..ROUNDS {
            for ((_, work), best) in self.contestants.iter_mut().zip(&mut best) {
                let start = Instant::now();
                work();
                *best = start.elapsed().min(*best);
            }
        }
        let names = self.contestants.iter().map(|(name, _)| *name);
        #[expect(clippy::cast_precision_loss, reason = "items are few")]
        let row = |(name, best): (&'static str, Duration)| Row {
            name,
            nanoseconds: best.as_secs_f64() * 1e9 / items as f64,
        };
        names.zip(best).map(row).collect()
    }
}
