//! A server that answers with bytes exactly as told, for tests of a client.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::RngExt;
use proptest::test_runner::TestRng;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server answers to a request.
#[derive(Clone)]
pub(crate) struct Answer {
    head: String,
    pieces: Vec<Vec<u8>>,
    end: End,
}

/// What the server does when all is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Ends the body as HTTP has it.
    Well,
    /// Closes the connection in the middle of the body.
    Cut,
    /// Goes on for ever, silently.
    Silent,
    /// Goes on for ever with comments.
    Comments,
}

impl Answer {
    pub(crate) fn new(status: &str, content_type: Option<&str>, body: impl Into<Vec<u8>>) -> Self {
        let content_type =
            content_type.map(|name| format!("content-type: {name}\r\n")).unwrap_or_default();
        let head = format!("HTTP/1.1 {status}\r\n{content_type}transfer-encoding: chunked\r\n");
        Self { head, pieces: vec![body.into()], end: End::Well }
    }

    pub(crate) fn sse(body: impl Into<Vec<u8>>) -> Self {
        Self::new("200 OK", Some("text/event-stream"), body)
    }

    pub(crate) fn header(mut self, header: &str) -> Self {
        self.head.push_str(header);
        self.head.push_str("\r\n");
        self
    }

    /// Cuts the body at random places.
    pub(crate) fn cut(mut self, random: &mut TestRng) -> Self {
        let body = self.pieces.concat();
        let mut rest = body.as_slice();
        self.pieces.clear();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(random.random_range(1..=rest.len().min(40)));
            self.pieces.push(piece.to_vec());
            rest = after;
        }
        self
    }

    pub(crate) fn ending(mut self, end: End) -> Self {
        self.end = end;
        self
    }
}

/// What a client asked for.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: String,
}

/// A server on a port of its own. Requests get the answers in order, the last one again and again.
pub(crate) struct Server {
    address: std::net::SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    closed: Arc<tokio::sync::Notify>,
    task: tokio::task::JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(answer: Answer) -> Self {
        Self::with_answers(vec![answer]).await
    }

    pub(crate) async fn with_answers(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let closed = Arc::new(tokio::sync::Notify::new());
        let (seen, gone) = (requests.clone(), closed.clone());
        let task = tokio::spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { return };
                let (answers, seen, gone) = (answers.clone(), seen.clone(), gone.clone());
                tokio::spawn(async move {
                    let _ = serve(stream, &answers, &seen).await;
                    gone.notify_one();
                });
            }
        });
        Self { address, requests, closed, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/agent", self.address)
    }

    pub(crate) async fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until a connection is gone.
    pub(crate) async fn closed(&self) {
        let limit = Duration::from_secs(20);
        tokio::time::timeout(limit, self.closed.notified()).await.expect("the connection stays");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    answers: &[Answer],
    requests: &Mutex<Vec<Request>>,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let request = read_request(&mut stream).await?;
    let number = {
        let mut requests = requests.lock().unwrap();
        requests.push(request);
        requests.len() - 1
    };
    let answer = &answers[number.min(answers.len() - 1)];
    let head = format!("{}connection: close\r\n\r\n", answer.head);
    stream.write_all(head.as_bytes()).await?;
    for piece in answer.pieces.iter().filter(|piece| !piece.is_empty()) {
        send(&mut stream, piece).await?;
        tokio::task::yield_now().await;
    }
    match answer.end {
        End::Well => {
            stream.write_all(b"0\r\n\r\n").await?;
            stream.shutdown().await
        }
        End::Cut => Ok(()),
        // Whoever waits for nothing waits until the other side goes away.
        End::Silent => stream.read(&mut [0; 1]).await.map(drop),
        End::Comments => loop {
            send(&mut stream, b": still here\n\n").await?;
            tokio::time::sleep(Duration::from_millis(5)).await;
        },
    }
}

async fn send(stream: &mut TcpStream, piece: &[u8]) -> std::io::Result<()> {
    let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
    chunk.extend_from_slice(piece);
    chunk.extend_from_slice(b"\r\n");
    stream.write_all(&chunk).await?;
    stream.flush().await
}

async fn read_request(stream: &mut TcpStream) -> std::io::Result<Request> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let count = stream.read(&mut buffer).await?;
        bytes.extend_from_slice(&buffer[..count]);
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length")
                    .then(|| value.trim().parse::<usize>().ok())?
            });
            while bytes.len() < end + 4 + length.unwrap_or(0) {
                let count = stream.read(&mut buffer).await?;
                if count == 0 {
                    break;
                }
                bytes.extend_from_slice(&buffer[..count]);
            }
            let body = String::from_utf8_lossy(&bytes[end + 4..]).into_owned();
            return Ok(Request { head, body });
        }
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
}
