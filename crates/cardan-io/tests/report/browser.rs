//! A headless Chromium, driven over its DevTools protocol: opens a page, evaluates, clicks, takes pictures, and collects complaints.

use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::picture::Picture;

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const PATIENCE: Duration = Duration::from_secs(60);
/// Gives every browser and every picture a number of its own.
static NUMBER: AtomicUsize = AtomicUsize::new(0);
/// One note is enough for all tests that need a browser.
static NOTE: Once = Once::new();

/// A running browser with one page. Dropping it ends the process and removes its files, also when a test panics.
pub struct Browser {
    child: Child,
    directory: PathBuf,
    socket: Option<WebSocket<TcpStream>>,
    session: Option<String>,
    calls: u64,
    complaints: Vec<String>,
}

impl Browser {
    /// Starts a browser with a window of this size. `None`, with a note, where none is installed; in continuous integration (CI=true)
    /// that is a failure.
    pub fn start(width: u32, height: u32) -> Option<Self> {
        let Some(program) = find() else {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "no browser found: install one of {NAMES:?}");
            NOTE.call_once(say_what_is_not_tested);
            return None;
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("cardan-browser-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let child = launch(&program, &directory, width, height);
        let mut browser = Self { child, directory, socket: None, session: None, calls: 0, complaints: Vec::new() };
        browser.connect(width, height);
        Some(browser)
    }

    fn connect(&mut self, width: u32, height: u32) {
        let (port, path) = self.address();
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap();
        self.socket = Some(socket);
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        self.session = attached["sessionId"].as_str().map(String::from);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        self.resize(width, height);
    }

    /// Port and path of the DevTools socket, once the browser has written them down.
    fn address(&mut self) -> (u16, String) {
        let file = self.directory.join("DevToolsActivePort");
        let begin = Instant::now();
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.trim().split_once('\n') {
                return (port.parse().unwrap(), path.to_string());
            }
            assert!(self.child.try_wait().unwrap().is_none(), "the browser ended before it could be used");
            assert!(begin.elapsed() < PATIENCE, "the browser did not open its DevTools port");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Calls a DevTools method and waits for its answer, noting complaints that arrive meanwhile.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.as_mut().unwrap().send(Message::text(message.to_string())).unwrap();
        loop {
            let event = self.receive();
            if event["id"] == json!(self.calls) {
                assert!(event["error"].is_null(), "{method}: {}", event["error"]);
                return event["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let Message::Text(text) = self.socket.as_mut().unwrap().read().unwrap() else { return Value::Null };
        let event: Value = serde_json::from_str(&text).unwrap();
        let details = &event["params"];
        let complains = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => details["type"] == "error" || details["type"] == "assert",
            Some("Log.entryAdded") => details["entry"]["level"] == "error",
            Some("Network.requestWillBeSent") => {
                let url = details["request"]["url"].as_str().unwrap_or("");
                !["file:", "data:", "blob:", "about:"].iter().any(|scheme| url.starts_with(scheme))
            }
            _ => false,
        };
        if complains {
            self.complaints.push(details.to_string());
        }
        event
    }

    /// Opens a file and waits until its scripts have run.
    pub fn open(&mut self, path: &Path) {
        self.call("Page.navigate", json!({ "url": format!("file://{}", path.display()) }));
        self.wait_for("document.readyState === 'complete' && window.cardan !== undefined");
        self.settle();
    }

    /// The value of an expression, or of the promise it gives.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// The value of an expression that is a number.
    pub fn number(&mut self, expression: &str) -> f64 {
        self.evaluate(expression).as_f64().unwrap()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, condition: &str) {
        let begin = Instant::now();
        while self.evaluate(condition) != json!(true) {
            assert!(begin.elapsed() < PATIENCE, "waited in vain for {condition}; complaints: {:#?}", self.complaints);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Lets the page draw what has changed.
    pub fn settle(&mut self) {
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(0)))))",
        );
    }

    /// Sets the size of the window.
    pub fn resize(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// What the system of the user prefers: `light` or `dark`.
    pub fn prefer(&mut self, scheme: &str) {
        self.call("Emulation.setEmulatedMedia", json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }));
    }

    /// Left, top, width and height of the first element that a selector finds.
    pub fn place(&mut self, selector: &str) -> [f64; 4] {
        let expression = format!(
            "(() => {{ const b = document.querySelector({selector:?}).getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; }})()"
        );
        serde_json::from_value(self.evaluate(&expression)).unwrap()
    }

    /// A real click in the middle of an element.
    pub fn click(&mut self, selector: &str) {
        let [left, top, width, height] = self.place(selector);
        self.click_at(left + width / 2.0, top + height / 2.0);
    }

    /// A real click at a point of the page.
    pub fn click_at(&mut self, x: f64, y: f64) {
        self.drag((x, y), (x, y));
    }

    /// Presses the left button at one point, moves, and lets go at another.
    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.mouse("mouseMoved", from, 0);
        self.mouse("mousePressed", from, 1);
        for k in 1..=4 {
            let part = f64::from(k) / 4.0;
            self.mouse("mouseMoved", (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1)), 1);
        }
        self.mouse("mouseReleased", to, 1);
        self.settle();
    }

    /// Turns the wheel by so many pixels at a point.
    pub fn wheel(&mut self, at: (f64, f64), pixels: f64) {
        let event = json!({ "type": "mouseWheel", "x": at.0, "y": at.1, "deltaX": 0, "deltaY": pixels });
        self.call("Input.dispatchMouseEvent", event);
        self.settle();
    }

    /// Moves the mouse without a button.
    pub fn hover(&mut self, at: (f64, f64)) {
        self.mouse("mouseMoved", at, 0);
        self.settle();
    }

    fn mouse(&mut self, kind: &str, at: (f64, f64), buttons: u32) {
        let button = if buttons == 0 { "none" } else { "left" };
        let event = json!({ "type": kind, "x": at.0, "y": at.1, "button": button, "buttons": buttons, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Two fingers around a point, moved from one distance to another.
    pub fn pinch(&mut self, at: (f64, f64), from: f64, to: f64) {
        let fingers = |distance: f64| json!([{ "x": at.0 - distance, "y": at.1, "id": 0 }, { "x": at.0 + distance, "y": at.1, "id": 1 }]);
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": fingers(from) }));
        for k in 1..=10 {
            let distance = from + f64::from(k) / 10.0 * (to - from);
            self.call("Input.dispatchTouchEvent", json!({ "type": "touchMove", "touchPoints": fingers(distance) }));
        }
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
        self.settle();
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key }));
        }
        self.settle();
    }

    /// Puts text where the cursor is.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
        self.settle();
    }

    /// A picture of an element as it is seen.
    pub fn picture(&mut self, selector: &str) -> Picture {
        let [x, y, width, height] = self.place(selector).map(f64::round);
        let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png", "clip": clip }));
        let bytes = STANDARD.decode(answer["data"].as_str().unwrap()).unwrap();
        keep(&bytes);
        Picture::decode(&bytes)
    }

    /// Errors, exceptions and requests to a network since the start.
    pub fn complaints(&mut self) -> &[String] {
        self.evaluate("0");
        &self.complaints
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The process may be gone already; its files may be in use for a moment longer.
        let _ = self.child.kill();
        let _ = self.child.wait();
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.directory).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|file| file.is_file())
}

/// Tests that pass have their output hidden, but for what is written past the macros that print.
fn say_what_is_not_tested() {
    let _ = writeln!(std::io::stderr(), "not tested: the report in a browser (no Chromium found: {})", NAMES.join(", "));
}

fn launch(program: &Path, directory: &Path, width: u32, height: u32) -> Child {
    Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-port=0"])
        .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars", "--force-color-profile=srgb"])
        .arg(format!("--window-size={width},{height}"))
        .arg(format!("--user-data-dir={}", directory.display()))
        .arg("about:blank")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Keeps a picture in the folder `CARDAN_PICTURES`, for those who want to see what the tests see.
fn keep(bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("CARDAN_PICTURES") {
        let test = std::thread::current().name().unwrap_or("picture").to_string();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        std::fs::write(Path::new(&folder).join(format!("{test}-{number}.png")), bytes).unwrap();
    }
}
