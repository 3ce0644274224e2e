//! The bytes of a frame that have to outlive the input they came in.

/// The data of a frame, and behind it the line being read.
///
/// Both share one allocation: a line that arrives in many parts and turns out to be data becomes
/// the data where it lies.
#[derive(Debug)]
pub(super) struct FrameBuffer {
    bytes: Vec<u8>,
    /// Data begins here and reaches to `line_start`.
    data_start: Option<usize>,
    line_start: usize,
    limit: usize,
    /// Bytes written or moved, to hold against the bytes of the stream.
    #[cfg(test)]
    pub(super) copied: usize,
}

impl FrameBuffer {
    /// Holds at most `limit` bytes; the caller counts, and pushes no more.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            data_start: None,
            line_start: 0,
            limit,
            #[cfg(test)]
            copied: 0,
        }
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    pub(super) fn has_data(&self) -> bool {
        self.data_start.is_some()
    }

    pub(super) fn data(&self) -> &[u8] {
        &self.bytes[self.data_start.unwrap_or(self.line_start)..self.line_start]
    }

    pub(super) fn has_line(&self) -> bool {
        self.bytes.len() > self.line_start
    }

    pub(super) fn line(&self) -> &[u8] {
        &self.bytes[self.line_start..]
    }

    /// Adds a part of the line being read.
    pub(super) fn extend_line(&mut self, part: &[u8]) {
        self.append(part);
    }

    /// Adds the value of a data line; no line is being read.
    pub(super) fn push_data(&mut self, value: Option<&[u8]>) {
        let Some(value) = value else { return };
        if self.has_data() {
            self.append(b"\n");
        } else {
            self.data_start = Some(self.bytes.len());
        }
        self.append(value);
        self.line_start = self.bytes.len();
    }

    /// Makes the value that begins at `value` in the line being read a part of the data.
    pub(super) fn line_into_data(&mut self, value: usize) {
        let start = self.line_start + value;
        if self.has_data() {
            // The field name left room for the line feed.
            self.bytes[self.line_start] = b'\n';
            self.bytes.copy_within(start.., self.line_start + 1);
            #[cfg(test)]
            {
                self.copied += self.bytes.len() - start;
            }
            self.bytes.truncate(self.bytes.len() - value + 1);
        } else {
            self.data_start = Some(start);
        }
        self.line_start = self.bytes.len();
    }

    /// Forgets the line being read, unless it became data.
    pub(super) fn drop_line(&mut self) {
        self.bytes.truncate(self.line_start);
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.data_start = None;
        self.line_start = 0;
    }

    fn append(&mut self, part: &[u8]) {
        self.reserve(part.len());
        self.bytes.extend_from_slice(part);
        #[cfg(test)]
        {
            self.copied += part.len();
        }
    }

    /// Doubles the capacity as `Vec` does, but not past the limit.
    fn reserve(&mut self, additional: usize) {
        let length = self.bytes.len();
        let needed = length.saturating_add(additional);
        if needed <= self.bytes.capacity() {
            return;
        }
        let doubled = self.bytes.capacity().saturating_mul(2).min(self.limit);
        self.bytes.reserve_exact(doubled.max(needed) - length);
        #[cfg(test)]
        {
            self.copied += length;
        }
    }
}
