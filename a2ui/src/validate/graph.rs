//! The tree that components make by their links.
//!
//! Nothing here recurses: how deep a graph is was decided by a model.

use std::collections::HashMap;

use super::entry::Entry;
use super::links::{self, Edge};
use super::options::ValidateOptions;
use super::report::{ErrorCode, ValidationReport};
use crate::Catalog;

/// Ids of a cycle that are shown.
const SHOWN: usize = 12;

/// Components and the links between them.
pub(crate) struct Graph<'e, 'a> {
    pub(super) entries: &'e [Entry<'a>],
    /// All links, those of a component one after the other.
    edges: Vec<(Edge<'a>, Option<usize>)>,
    /// Where the links of each component begin.
    starts: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    New,
    Open,
    Done,
}

impl<'e, 'a> Graph<'e, 'a> {
    /// Collects the links, and reports those that lead nowhere.
    pub(super) fn new(
        catalog: &Catalog,
        entries: &'e [Entry<'a>],
        ids: &HashMap<&str, usize>,
        options: &ValidateOptions,
        report: &mut ValidationReport,
    ) -> Self {
        let mut edges = Vec::new();
        let mut starts = Vec::with_capacity(entries.len() + 1);
        for entry in entries {
            starts.push(edges.len());
            links::each(catalog, entry, |edge| {
                let target = ids.get(edge.target).copied();
                if target.is_none() && !options.allow_dangling_children {
                    let message = format!(
                        "`{}` references non-existent component '{}'; add a component with that \
                         id, or take the reference away",
                        entry.id, edge.target
                    );
                    let path = entry.place.of_property(&edge.path());
                    report.error(ErrorCode::UnresolvedChild, path, message);
                }
                edges.push((edge, target));
            });
        }
        starts.push(edges.len());
        Self { entries, edges, starts }
    }

    pub(super) fn links(&self, index: usize) -> &[(Edge<'a>, Option<usize>)] {
        &self.edges[self.starts[index]..self.starts[index + 1]]
    }

    /// Reports circles, what is too deep, and what the root does not reach.
    pub(super) fn check(
        &self,
        root: Option<usize>,
        options: &ValidateOptions,
        report: &mut ValidationReport,
    ) {
        let order = self.check_cycles(report);
        self.check_depth(root, &order, options.max_depth, report);
        let Some(root) = root else { return };
        let reached = self.reached_from(root);
        let unreached = self.entries.iter().zip(reached).filter(|(_, reached)| !reached);
        report.unreachable.extend(unreached.map(|(entry, _)| entry.id.to_owned()));
    }

    /// Reports each link that closes a circle; gives back the components, children first.
    fn check_cycles(&self, report: &mut ValidationReport) -> Vec<usize> {
        let mut colours = vec![Colour::New; self.entries.len()];
        let mut done = Vec::with_capacity(self.entries.len());
        // The way down: a component, and which of its links is next.
        let mut way: Vec<(usize, usize)> = Vec::new();
        for start in 0..self.entries.len() {
            if colours[start] != Colour::New {
                continue;
            }
            colours[start] = Colour::Open;
            way.push((start, 0));
            while let Some((index, next)) = way.last_mut() {
                let index = *index;
                let Some((_, target)) = self.links(index).get(*next) else {
                    colours[index] = Colour::Done;
                    done.push(index);
                    way.pop();
                    continue;
                };
                *next += 1;
                let Some(target) = *target else { continue };
                match colours[target] {
                    Colour::New => {
                        colours[target] = Colour::Open;
                        way.push((target, 0));
                    }
                    Colour::Open => self.report_cycle(target, &way, report),
                    Colour::Done => {}
                }
            }
        }
        done
    }

    #[cold]
    fn report_cycle(&self, target: usize, way: &[(usize, usize)], report: &mut ValidationReport) {
        let begin = way.iter().rposition(|(index, _)| *index == target).unwrap_or_default();
        let circle = &way[begin..];
        let (last, next) = way[way.len() - 1];
        let (edge, _) = self.links(last)[next - 1];
        let id = self.entries[target].id;
        let message = if circle.len() == 1 {
            format!("Self-reference detected: `{id}` references itself; take that reference away")
        } else {
            let mut shown: Vec<&str> =
                circle.iter().take(SHOWN).map(|(index, _)| self.entries[*index].id).collect();
            if circle.len() > SHOWN {
                shown.push("…");
            }
            shown.push(id);
            format!(
                "Circular reference detected: {}; take one of these references away",
                shown.join(" -> ")
            )
        };
        let path = self.entries[last].place.of_property(&edge.path());
        report.error(ErrorCode::ChildCycle, path, message);
    }

    /// Reports components that are nested too deep, counted from the root, or without one from
    /// components that nothing links to.
    fn check_depth(
        &self,
        root: Option<usize>,
        children_first: &[usize],
        limit: usize,
        report: &mut ValidationReport,
    ) {
        let mut levels: Vec<Option<usize>> = vec![None; self.entries.len()];
        match root {
            Some(root) => levels[root] = Some(0),
            None => {
                levels.fill(Some(0));
                for (_, target) in &self.edges {
                    if let Some(target) = target {
                        levels[*target] = None;
                    }
                }
            }
        }
        let mut place = vec![0; self.entries.len()];
        for (position, index) in children_first.iter().enumerate() {
            place[*index] = position;
        }
        for index in children_first.iter().rev() {
            let Some(level) = levels[*index] else { continue };
            if level == limit + 1 {
                let message = format!(
                    "Global recursion limit exceeded: logical depth of `{}` is more than {limit}; \
                     make the tree flatter",
                    self.entries[*index].id
                );
                let path = self.entries[*index].place.path();
                report.error(ErrorCode::MaxDepthExceeded, path, message);
            }
            for (_, target) in self.links(*index) {
                // A link that closes a circle leads up, not down.
                if let Some(target) = *target
                    && place[target] < place[*index]
                {
                    levels[target] = levels[target].max(Some(level + 1));
                }
            }
        }
    }

    fn reached_from(&self, root: usize) -> Vec<bool> {
        let mut reached = vec![false; self.entries.len()];
        reached[root] = true;
        let mut pending = vec![root];
        while let Some(index) = pending.pop() {
            for (_, target) in self.links(index) {
                if let Some(target) = *target
                    && !std::mem::replace(&mut reached[target], true)
                {
                    pending.push(target);
                }
            }
        }
        reached
    }
}
