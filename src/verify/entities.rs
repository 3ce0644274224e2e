//! What events are about, by id.

use std::collections::HashMap;
use std::hash::Hash;

use crate::SubagentRunId;

/// Who a thing belongs to: a subagent, or the agent itself.
pub(super) type Owner = Option<SubagentRunId>;

/// Things of one kind, which are remembered until the run ends.
#[derive(Debug, Clone)]
pub(super) struct Entities<Id, State> {
    places: HashMap<Id, usize>,
    all: Vec<Entity<Id, State>>,
    /// Where the last one was found: streams stay with one thing for long.
    last: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Entity<Id, State> {
    pub(super) id: Id,
    pub(super) owner: Owner,
    pub(super) state: State,
}

impl<Id, State> Default for Entities<Id, State> {
    fn default() -> Self {
        Self { places: HashMap::new(), all: Vec::new(), last: 0 }
    }
}

impl<Id: Clone + Eq + Hash, State: Default> Entities<Id, State> {
    #[inline]
    pub(super) fn find(&mut self, id: &Id) -> Option<&mut Entity<Id, State>> {
        if self.all.get(self.last).is_none_or(|entity| entity.id != *id) {
            self.last = *self.places.get(id)?;
        }
        self.all.get_mut(self.last)
    }

    /// Finds it without remembering the place.
    pub(super) fn get(&self, id: &Id) -> Option<&Entity<Id, State>> {
        self.all.get(*self.places.get(id)?)
    }

    /// Finds it, or adds it under that owner.
    pub(super) fn find_or_add(
        &mut self,
        id: &Id,
        owner: Option<&SubagentRunId>,
    ) -> &mut Entity<Id, State> {
        if self.find(id).is_none() {
            self.last = self.all.len();
            self.places.insert(id.clone(), self.last);
            let state = State::default();
            self.all.push(Entity { id: id.clone(), owner: owner.cloned(), state });
        }
        &mut self.all[self.last]
    }

    /// Says whose it is: over what is known, or only where nothing is.
    pub(super) fn seed(&mut self, id: &Id, owner: Option<&SubagentRunId>, over: bool) {
        let entity = self.find_or_add(id, owner);
        if over {
            entity.owner = owner.cloned();
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Entity<Id, State>> {
        self.all.iter()
    }
}
