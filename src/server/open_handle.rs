//! What is possible wherever something is open: none of it depends on the open block.

/// Methods of everything that has a `sink` and a `state`.
macro_rules! open_handle {
    () => {
        /// The shared state.
        #[must_use]
        pub fn state(&self) -> &S {
            &self.state.value
        }

        /// The shared state, to be changed. Nothing is sent before [`Self::publish_state`].
        pub fn state_mut(&mut self) -> &mut S {
            &mut self.state.value
        }

        /// Sends what changed in the state since it was last published.
        ///
        /// # Errors
        /// When the state has no JSON form; else as with all emitters.
        pub fn publish_state(&mut self) -> $crate::server::Result<()> {
            self.state.publish(&self.sink)
        }

        /// Changes the state and publishes it. Returns what the change returns.
        ///
        /// # Errors
        /// As [`Self::publish_state`].
        pub fn update_state<R>(
            &mut self,
            change: impl FnOnce(&mut S) -> R,
        ) -> $crate::server::Result<R> {
            let changed = change(&mut self.state.value);
            self.publish_state()?;
            Ok(changed)
        }

        /// Replaces the state and publishes it.
        ///
        /// # Errors
        /// As [`Self::publish_state`].
        pub fn set_state(&mut self, state: S) -> $crate::server::Result<()> {
            self.state.value = state;
            self.publish_state()
        }

        /// Emits what agent and interface agreed on. Prefix the name, so that names do not meet by
        /// accident.
        ///
        /// # Errors
        /// When the value has no JSON form; else as with all emitters.
        pub fn custom(
            &mut self,
            name: impl Into<String>,
            value: &(impl serde_core::Serialize + ?Sized),
        ) -> $crate::server::Result<()> {
            self.sink.emit($crate::Event::custom(name, serde_json::to_value(value)?))
        }

        /// Passes an event of another system through.
        ///
        /// # Errors
        /// When the event has no JSON form; else as with all emitters.
        pub fn raw(
            &mut self,
            event: &(impl serde_core::Serialize + ?Sized),
        ) -> $crate::server::Result<()> {
            self.sink.emit($crate::Event::raw(serde_json::to_value(event)?))
        }

        /// Emits any event that neither opens nor ends a run. What has no emitter of its own goes
        /// this way, such as chunks; so does anything that the order of events allows while a block
        /// is open.
        ///
        /// # Errors
        /// [`Error::RunEvent`](crate::server::Error::RunEvent); else as with all emitters.
        pub fn emit(&mut self, event: impl Into<$crate::Event>) -> $crate::server::Result<()> {
            self.sink.emit(event)
        }

        /// Whether the run was cancelled. Emitting fails from then on.
        #[must_use]
        pub fn is_cancelled(&self) -> bool {
            self.sink.token.is_cancelled()
        }

        /// Fails when the run was cancelled; for loops that neither emit nor await.
        ///
        /// # Errors
        /// [`Error::Cancelled`](crate::server::Error::Cancelled).
        pub fn check_cancelled(&self) -> $crate::server::Result<()> {
            self.sink.check_cancelled()
        }

        /// Waits until the run is cancelled. The future borrows nothing.
        pub fn cancelled(&self) -> $crate::server::Cancelled {
            self.sink.token.cancelled()
        }

        /// Waits until the reader has taken what was emitted. An agent that emits on and on and
        /// has nothing else to wait for awaits this between emits, so that a slow reader slows it
        /// down instead of filling the queue.
        pub fn flushed(&self) -> $crate::server::Flushed {
            $crate::server::Flushed::new(&self.sink)
        }
    };
}

pub(super) use open_handle;
