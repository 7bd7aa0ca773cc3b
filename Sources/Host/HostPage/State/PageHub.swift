import Foundation
import HostClient
import HostInterface

/// Owns what the page shows, and hands it to the streams of browsers.
package actor PageHub {
    /// What is known of the daemon.
    enum Phase: Sendable, Hashable {
        case loading, ready
        /// It can't be reached: the page says so, and shows nothing.
        case unavailable
    }

    /// A stream of a browser.
    private struct Viewer {
        let browser: PageBrowser
        let signal: AsyncStream<Void>.Continuation
    }

    /// The next events for a stream, as text.
    struct Batch: Sendable {
        var text = ""
        var cursor: EventID?
        /// `true` after the last event.
        var isLast = false
    }

    private static let viewerLimit = 64
    private static let viewersPerBrowser = 8
    /// The least time between two messages of changes.
    private static let rhythm = Duration.milliseconds(16)
    private static let keepAlive = Duration.seconds(20)

    private let epoch = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private(set) var state = PageState()
    private var log = ChangeLog()
    private var phase = Phase.loading
    private var viewers: [Int: Viewer] = [:]
    private var lastViewer = 0
    private var lastViewing = ContinuousClock.now
    private var browsers: [PageBrowser] = []
    private var pickers: [String: PagePicker] = [:]
    private var flushing: Task<Void, Never>?
    private var lastFlush = ContinuousClock.now - .seconds(1)
    private var keepingAlive: Task<Void, Never>?
    private var prompts: [String: OpenPrompt] = [:]
    private var lastPrompt = 0
    private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastWatcher = 0

    package init() {}

    // MARK: Streams

    /// Opens a stream for a browser.
    ///
    /// - Returns: Its number, and a signal whenever ``next(_:after:)`` may have something.
    /// - Throws: ``HostError`` `limit-exceeded`.
    func open(_ browser: PageBrowser) throws(HostError) -> (number: Int, signals: AsyncStream<Void>) {
        let own = viewers.values.count { $0.browser.id == browser.id }
        guard viewers.count < Self.viewerLimit, own < Self.viewersPerBrowser else {
            throw HostError(.limitExceeded, "Too many pages are open.", remedy: "Close some of them.")
        }
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastViewer += 1
        viewers[lastViewer] = Viewer(browser: browser, signal: signal)
        signal.yield()
        if keepingAlive == nil {
            keepingAlive = Task {
                while (try? await Task.sleep(for: Self.keepAlive)) != nil { self.signalAll() }
            }
        }
        return (lastViewer, signals)
    }

    func close(_ number: Int) {
        viewers.removeValue(forKey: number)?.signal.finish()
        lastViewing = .now
        guard viewers.isEmpty else { return }
        // Without a page nothing wakes up.
        keepingAlive?.cancel()
        keepingAlive = nil
    }

    /// Returns the next events of a stream: the missed ones if they are still there, otherwise a snapshot.
    ///
    /// - Parameter cursor: The last event that the browser has; `nil` for none.
    func next(_ number: Int, after cursor: EventID?) -> Batch {
        guard let browser = viewers[number]?.browser else { return Batch(cursor: cursor, isLast: true) }
        if let cursor, cursor.epoch == epoch,
            let entries = log.entries(after: cursor.number, browser: browser.id, role: browser.role)
        {
            var batch = Batch(cursor: EventID(epoch: epoch, number: log.latest))
            for entry in entries {
                let id = EventID(epoch: epoch, number: entry.number)
                switch entry.event {
                case .change(let members):
                    batch.text += Self.event("change", id, "{\"now\":\(MonotonicTime.now),\(members)}")
                case .offline: batch.text += Self.event("offline", id, "{}")
                case .revoked:
                    batch.text += Self.event("revoked", id, "{}")
                    batch.isLast = true
                    return batch
                }
            }
            return batch
        }
        // Not before there is something to show.
        guard phase != .loading else { return Batch(cursor: nil) }
        flush()
        let id = EventID(epoch: epoch, number: log.latest)
        return Batch(text: Self.event("snapshot", id, "{\(snapshot(for: browser))}"), cursor: id)
    }

    /// Returns the snapshot for a browser; `nil` if the daemon has said nothing yet, or can't be reached.
    func current(for browser: PageBrowser) -> String? {
        guard phase == .ready else { return nil }
        flush()
        return "{\(snapshot(for: browser))}"
    }

    private static func event(_ name: String, _ id: EventID, _ data: String) -> String {
        "id: \(id.text)\nevent: \(name)\ndata: \(data)\n\n"
    }

    private func snapshot(for browser: PageBrowser) -> String {
        state.snapshot(
            includingPrompts: browser.role >= .control,
            others: [
                "now": "\(MonotonicTime.now)", "role": PageJSON.text(browser.role),
                "picker": PageJSON.text(pickers[browser.id]), "browsers": browserList(for: browser),
            ])
    }

    private func browserList(for browser: PageBrowser) -> String {
        let shown = browser.role == .administrate ? browsers : browsers.filter { $0.id == browser.id }
        return PageJSON.text(shown.map { BrowserPart($0, isCurrent: $0.id == browser.id) })
    }

    private func signalAll() {
        for viewer in viewers.values { viewer.signal.yield() }
    }

    /// The identifiers of browsers with a stream.
    var connectedBrowsers: Set<String> { Set(viewers.values.map(\.browser.id)) }

    /// Returns whether there was no stream for a time.
    func isIdle(for time: Duration) -> Bool { viewers.isEmpty && ContinuousClock.now - lastViewing >= time }

    // MARK: Who may use the page

    func apply(_ change: BrowserDirectory.Change) {
        switch change {
        case .browsers(let list):
            browsers = list
            for browser in list {
                log.append(.change("\"browsers\":" + browserList(for: browser)), for: .browser(browser.id))
            }
        case .revoked(let browser):
            pickers[browser.id] = nil
            log.append(.revoked, for: .browser(browser.id))
        case .picker(let picker, let browser):
            pickers[browser] = picker
            log.append(.change("\"picker\":" + PageJSON.text(picker)), for: .browser(browser))
        }
        signalAll()
    }

    // MARK: The daemon

    /// A connection begins: what it reports replaces everything.
    func begin() {
        state = PageState()
        phase = .loading
    }

    func apply(_ event: HostEvent) {
        state.apply(event)
        if event == .ready {
            phase = .ready
            _ = state.takeChanges()
            log.reset()
            signalAll()
        } else if phase == .ready {
            scheduleFlush()
        }
        for watcher in watchers.values { watcher.yield() }
    }

    func update(_ change: @Sendable (inout PageState) -> Void) {
        change(&state)
        if phase == .ready { scheduleFlush() }
    }

    /// The daemon went away, or couldn't be reached.
    func end() {
        for prompt in prompts.values { prompt.continuation.resume(returning: .failure(.gone)) }
        prompts = [:]
        switch phase {
        case .ready:
            flush()
            log.append(.offline)
            // A browser that comes now learns that there is no daemon; the others know it.
            state = PageState()
            phase = .unavailable
        case .loading, .unavailable:
            state = PageState()
            if phase == .loading { log.reset() }
            phase = .unavailable
        }
        for watcher in watchers.values { watcher.yield() }
        signalAll()
    }

    private func scheduleFlush() {
        guard flushing == nil, state.hasChanges else { return }
        let wait = Self.rhythm - (ContinuousClock.now - lastFlush)
        flushing = Task {
            if wait > .zero { try? await Task.sleep(for: wait) }
            self.flushScheduled()
        }
    }

    private func flushScheduled() {
        flushing = nil
        flush()
    }

    private func flush() {
        guard phase == .ready, state.hasChanges else { return }
        lastFlush = .now
        let changes = state.takeChanges()
        if let all = changes.all { log.append(.change(all)) }
        if let prompts = changes.prompts { log.append(.change(prompts), for: .role(.control)) }
        signalAll()
    }

    /// Waits until `isDone` returns `true` for the state, for as long as `limit`.
    ///
    /// - Returns: Whether it did.
    func wait(for limit: Duration, until isDone: @Sendable (HostView) -> Bool) async -> Bool {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastWatcher += 1
        let number = lastWatcher
        watchers[number] = signal
        defer { watchers[number] = nil }
        let timer = Task {
            try? await Task.sleep(for: limit)
            signal.finish()
        }
        defer { timer.cancel() }
        if isDone(state.view) { return true }
        for await _ in signals {
            if isDone(state.view) { return true }
            if phase != .ready { return false }
        }
        return isDone(state.view)
    }

    // MARK: Pairing prompts

    /// Shows a prompt in the browsers that may answer it, and waits for the answer.
    func ask(device: String, name: String, _ challenge: PairingChallenge) async -> Result<String, HostError> {
        cancelPrompts(of: device)
        guard prompts.count < 16 else { return .failure(HostError(.limitExceeded, "Too many prompts are open.")) }
        lastPrompt += 1
        let id = String(lastPrompt)
        let prompt = PagePrompt(id: id, device: device, name: name, challenge)
        return await withCheckedContinuation { continuation in
            prompts[id] = OpenPrompt(prompt: prompt, challenge: challenge, continuation: continuation)
            state.set(.prompts, id, PageJSON.text(prompt))
            scheduleFlush()
        }
    }

    /// Answers a prompt.
    ///
    /// - Parameter code: `nil` cancels it.
    /// - Throws: ``HostError`` `invalid-argument` for a code of the wrong form, and if there is no such prompt.
    func answer(_ id: String, _ code: String?) throws(HostError) {
        guard let open = prompts[id] else {
            throw HostError(.invalidArgument, "The device doesn't wait for this code any more.")
        }
        let answer: Result<String, HostError> =
            if let code { .success(try open.challenge.code(from: code)) } else {
                .failure(HostError(.cancelled, "Cancelled."))
            }
        close(open, answer)
    }

    /// The identifiers of the prompts that wait for an answer.
    var openPrompts: [String] { Array(prompts.keys) }

    func cancelPrompts(of device: String) {
        for open in prompts.values where open.prompt.device == device {
            close(open, .failure(HostError(.cancelled, "The device no longer asks.")))
        }
    }

    private func close(_ open: OpenPrompt, _ answer: Result<String, HostError>) {
        prompts[open.prompt.id] = nil
        state.set(.prompts, open.prompt.id, nil)
        scheduleFlush()
        open.continuation.resume(returning: answer)
    }
}

extension HostError {
    fileprivate static let gone = HostError(.hostUnavailable, "The daemon went away.")
}
