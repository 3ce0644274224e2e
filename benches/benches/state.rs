//! Publishing a growing list: what one more publish costs, beside the strongest Rust peer.
//!
//! Every publish adds an item, and every other one changes an earlier item too.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use ag_ui::server::{StateManager, TrackedVec};
use peer::server::StateManager as PeerManager;
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
struct Task {
    title: String,
    done: bool,
    labels: Vec<&'static str>,
}

#[derive(Serialize)]
struct Board<L> {
    name: &'static str,
    tasks: L,
}

fn task(number: usize) -> Task {
    Task { title: format!("task number {number}"), done: false, labels: vec!["tea", "kitchen"] }
}

/// Publishes that many times, with a manager that is given the state each time.
fn publishes<L: Default>(
    count: usize,
    push: fn(&mut L, Task),
    toggle: fn(&mut L, usize),
    mut publish: impl FnMut(&Board<L>),
) -> Duration {
    let mut board = Board { name: "kitchen", tasks: L::default() };
    let start = Instant::now();
    for number in 0..count {
        push(&mut board.tasks, task(number));
        if number % 2 == 1 {
            toggle(&mut board.tasks, number / 2);
        }
        publish(&board);
    }
    start.elapsed()
}

fn tracked(count: usize) -> Duration {
    let mut manager = StateManager::new();
    publishes::<TrackedVec<Task>>(
        count,
        |tasks, task| tasks.push(task),
        |tasks, index| tasks[index].done ^= true,
        |board| drop(black_box(manager.publish(board).unwrap().unwrap())),
    )
}

fn plain(count: usize) -> Duration {
    let mut manager = StateManager::new();
    publishes::<Vec<Task>>(
        count,
        |tasks, task| tasks.push(task),
        |tasks, index| tasks[index].done ^= true,
        |board| drop(black_box(manager.publish(board).unwrap().unwrap())),
    )
}

fn peer(count: usize) -> Duration {
    let mut manager = PeerManager::new();
    publishes::<Vec<Task>>(
        count,
        |tasks, task| tasks.push(task),
        |tasks, index| tasks[index].done ^= true,
        |board| {
            let state = serde_json::to_value(board).unwrap();
            drop(black_box(manager.publish(state).unwrap()));
        },
    )
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn each(total: Duration, count: usize) -> f64 {
    total.as_secs_f64() * 1e6 / count as f64
}

fn best(rounds: usize, work: impl Fn() -> Duration) -> Duration {
    (0..rounds).map(|_| work()).min().unwrap_or_default()
}

fn main() {
    println!("microseconds a publish   TrackedVec       Vec      peer");
    let mut first = None;
    for count in [1_000, 2_000, 4_000, 8_000] {
        let ours = each(best(5, || tracked(count)), count);
        let plain = each(best(2, || plain(count)), count);
        // The peer's total grows with the square: it is measured where the comparison is made.
        let theirs = (count <= 4_000).then(|| each(peer(count), count));
        let theirs_text = theirs.map_or_else(|| "-".to_owned(), |time| format!("{time:.1}"));
        println!("{count:>8} publishes {ours:>15.2} {plain:>9.1} {theirs_text:>9}");
        let first = *first.get_or_insert(ours);
        if count == 4_000
            && let Some(theirs) = theirs
        {
            println!(
                "  peer / TrackedVec {:.0}, peer / Vec {:.1}   (wanted: at least 10)",
                theirs / ours,
                theirs / plain
            );
        }
        if count == 8_000 {
            println!(
                "  a publish at 8,000 / at 1,000 {:.2}   (1 is linear in total)",
                ours / first
            );
        }
    }
}
