#![allow(clippy::unwrap_used)]

use super::SseReader;

const MEBIBYTE: usize = 1024 * 1024;

/// Feeds `stream` in pieces of `size` bytes and returns the lengths of the frames' data.
fn read_in_pieces(reader: &mut SseReader, stream: &[u8], size: usize) -> Vec<usize> {
    let mut lengths = Vec::new();
    for mut bytes in stream.chunks(size) {
        while let Some(frame) = reader.next_frame(&mut bytes).unwrap() {
            lengths.push(frame.data().len());
        }
    }
    lengths
}

#[test]
fn a_large_frame_in_small_pieces_costs_a_fixed_number_of_steps_per_byte() {
    for (length, size) in [
        (4 * MEBIBYTE, 1024),
        (4 * MEBIBYTE, 65_536),
        (MEBIBYTE, 1024),
        (MEBIBYTE / 8, 1),
        (MEBIBYTE / 8, 7),
    ] {
        let stream = format!("data: {}\n\n", "x".repeat(length));
        let mut reader = SseReader::new();
        assert_eq!(read_in_pieces(&mut reader, stream.as_bytes(), size), [length]);
        assert_eq!(reader.assembly.lines.scanned, stream.len());
        // Once into the buffer, and less than twice more as that doubles.
        assert!(reader.assembly.buffer.copied <= 3 * stream.len(), "pieces of {size}");
    }
}

#[test]
fn many_data_lines_in_small_pieces_cost_a_fixed_number_of_steps_per_byte() {
    for length in [1, 100, 100_000] {
        let line = format!("data: {}\n", "x".repeat(length));
        let lines = (MEBIBYTE / 4).div_ceil(line.len());
        let stream = format!("{}\n", line.repeat(lines));
        for size in [1, 1024, stream.len()] {
            let mut reader = SseReader::new();
            let data_length = lines * (length + 1) - 1;
            assert_eq!(read_in_pieces(&mut reader, stream.as_bytes(), size), [data_length]);
            assert_eq!(reader.assembly.lines.scanned, stream.len());
            assert!(reader.assembly.buffer.copied <= 4 * stream.len(), "pieces of {size}");
        }
    }
}

#[test]
fn many_frames_in_one_piece_are_not_copied() {
    let stream = "data: {\"type\":\"RUN_STARTED\"}\r\n\r\n: keep-alive\n\n".repeat(10_000);
    let mut reader = SseReader::new();
    assert_eq!(read_in_pieces(&mut reader, stream.as_bytes(), stream.len()).len(), 10_000);
    assert_eq!(reader.assembly.lines.scanned, stream.len());
    assert_eq!(reader.assembly.buffer.copied, 0);
}

#[test]
fn a_frame_cut_in_two_costs_only_itself() {
    let frames = "data: {\"type\":\"RUN_STARTED\"}\n\n".repeat(1000);
    let stream = format!("{frames}data: {{\"type\":\"RUN_FINISHED\"}}\n\n");
    let (mut head, mut tail) = stream.as_bytes().split_at(frames.len() + 10);
    let mut reader = SseReader::new();
    while reader.next_frame(&mut head).unwrap().is_some() {}
    assert_eq!(reader.assembly.buffer.copied, 10);
    assert!(reader.next_frame(&mut tail).unwrap().is_some());
}

#[test]
fn the_buffer_never_grows_beyond_the_limit() {
    const LIMIT: usize = 1000;
    let streams: [String; 4] = [
        "x".repeat(100 * LIMIT),
        format!("data: {}", "x".repeat(100 * LIMIT)),
        format!("data: {}\n", "x".repeat(90)).repeat(100),
        format!("data: {}\n\n", "x".repeat(LIMIT - 6)).repeat(3),
    ];
    for stream in &streams {
        for size in [1, 13, 512, 10_000, stream.len()] {
            let mut reader = SseReader::with_frame_limit(LIMIT);
            for mut bytes in stream.as_bytes().chunks(size) {
                while !matches!(reader.next_frame(&mut bytes), Ok(None)) {}
                assert!(reader.assembly.buffer.capacity() <= LIMIT);
            }
        }
    }
}
