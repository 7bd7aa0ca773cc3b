import Avahi
import Foundation
import HostInterface
import ReferenceProtocol
import ReferenceReceiver

/// The screen of the demo device: suggestions to try, then the events, one line each; with `--json` one value each.
struct DemoScreen {
    private let isOnLAN: Bool
    private let isOpen: Bool
    private let output: Output
    private var region: LiveRegion?
    private var name: String
    private var place: ReferenceReceiver.Place?
    private var sample: String?
    private var isPublished = false
    private var hasInvited = false
    private var playback: ReferencePlayback?
    /// The time of ``playback``.
    private var playbackTime = 0.0
    private var level = ""

    init(name: String, isOnLAN: Bool, isOpen: Bool, output: Output) {
        self.name = name
        self.isOnLAN = isOnLAN
        self.isOpen = isOpen
        self.output = output
        region = Terminal.output.isInteractive && !output.isJSON ? LiveRegion(.output) : nil
    }

    /// Announces the receiver and shows events until it is switched off.
    mutating func run(_ inputs: DemoInputs, _ receiver: ReferenceReceiver, interface: String?) async throws {
        let terminal = region == nil ? nil : RawTerminal()
        let commands = CommandInputs()
        commands.addSignals()
        if let terminal { commands.add(keys: terminal.keys) }
        if region != nil { commands.addTicks(every: .milliseconds(250)) }
        var publisher: AvahiPublisher?
        var forwards = [inputs.add(commands.stream)]
        defer {
            region?.clear()
            terminal?.restore()
            commands.stop()
            for forward in forwards { forward.cancel() }
        }
        for await input in inputs.stream {
            switch input {
            case .listens(let place):
                self.place = place
                let made = try announce(place, interface)
                publisher = made
                forwards.append(inputs.add(made.states))
                await made.start()
            case .offers(let sample): self.sample = sample
            case .announcement(let state): try take(state)
            case .notice(let notice): try show(notice)
            case .key(let key):
                guard await press(key, receiver) else {
                    await publisher?.close()
                    return
                }
            case .failed(let error): throw error
            case .tick: break
            case .interrupted:
                await publisher?.close()
                return
            }
            try invite()
            drawPlayback()
        }
    }

    private func announce(_ place: ReferenceReceiver.Place, _ interface: String?) throws -> AvahiPublisher {
        do throws(AvahiError) {
            return try AvahiPublisher(
                AvahiPublisher.Service(
                    name: name, type: ReferenceAnnouncement.serviceType, port: UInt16(clamping: place.port),
                    txt: place.announcement.txt, interface: interface))
        } catch {
            throw HostError(.internalFailure, "The demo cannot be announced: \(error.message).")
        }
    }

    private mutating func take(_ state: AvahiPublisher.State) throws {
        switch state {
        case .published(let name):
            self.name = name
            isPublished = true
        case .waiting(let error):
            let reason = HostError(.discoveryFailed, "Nobody can find the demo: avahi-daemon does not run.")
            try say("waiting", "\(reason.message) \(reason.remedy ?? "") (\(error.message))", .warning)
        case .failed(let error): throw HostError(.discoveryFailed, "The demo cannot be announced: \(error.message).")
        }
    }

    /// Shows suggestions to try once the device can be found.
    private mutating func invite() throws {
        guard isPublished, !hasInvited, let place, let sample else { return }
        hasInvited = true
        if output.isJSON {
            struct Ready: Encodable {
                let event = "ready"
                var name, id: String
                var port: Int
                var sample: String
            }
            return try output.json(Ready(name: name, id: place.announcement.id, port: place.port, sample: sample))
        }
        let quoted = "\"\(name)\""
        line(
            Style.heading("\(name) is on. ")
                + (isOnLAN ? "Everybody on this network can find it." : "Only this computer can find it; see --lan."))
        line("Try in a second terminal:\n")
        line("    mdhost discover")
        line(isOpen ? "    mdhost status \(quoted)" : "    mdhost pair \(quoted)")
        line("    mdhost play \(quoted) \(sample)\n")
        line(Style.dim("Ctrl-C switches it off."))
    }

    private mutating func press(_ key: Key, _ receiver: ReferenceReceiver) async -> Bool {
        switch key {
        case .interrupt, .endOfInput, .character("q"): return false
        case .character("y"): await receiver.perform(.confirm(true))
        case .character("n"): await receiver.perform(.confirm(false))
        case .character(" "): await receiver.perform(.togglePlayback)
        case .character("s"): await receiver.perform(.stop)
        case .character("m"): await receiver.perform(.toggleMute)
        case .character("+"), .up: await receiver.perform(.changeVolume(5))
        case .character("-"), .down: await receiver.perform(.changeVolume(-5))
        default: break
        }
        return true
    }

    // MARK: Events

    private mutating func show(_ notice: ReceiverNotice) throws {
        switch notice {
        case .code(let code): try say("code", "PIN \(code) is on this screen.", .accent, ["code": code])
        case .passwordWanted: try say("password-wanted", "A client is asked for the password.", .accent)
        case .confirmationWanted(let client):
            try say("confirmation-wanted", "\(client) wants to use this device. Press y for yes, n for no.", .accent)
        case .paired(let client): try say("paired", "Paired with \(client).", .good)
        case .pairingFailed(let reason): try say("pairing-failed", "Not paired: \(reason)", .bad)
        case .pairingCancelled: try say("pairing-cancelled", "The pairing was cancelled.", .dim)
        case .connected(let client): try say("connected", "\(client) is connected.", .dim)
        case .fetching(let url): try say("fetching", "Opening \(url)", .dim, ["url": url])
        case .playback(let state):
            let old = playback
            playback = state
            playbackTime = monotonicSeconds()
            try tell(state, old)
        case .playbackFailed(let reason):
            playback = nil
            try say("playback-failed", "Cannot play: \(reason)", .bad)
        case .volume(let volume, let isMuted):
            level = isMuted ? "muted" : volume.map { "vol \(Int(($0 * 100).rounded())) %" } ?? ""
            let text = level.hasPrefix("vol ") ? String(level.dropFirst("vol ".count)) : level
            try say("volume", "Volume: \(text)", .dim, ["level": level])
        case .data(let application, let bytes):
            try say("data", "\(bytes) bytes for \(application)", .dim, ["application": application])
        case .trouble(let text): try say("trouble", text, .warning)
        }
    }

    private mutating func tell(_ state: ReferencePlayback?, _ old: ReferencePlayback?) throws {
        guard let state else { return try say("ended", "Playback is over.", .dim) }
        let (event, word) =
            if state.isBuffering {
                ("buffering", "Buffering")
            } else if !state.isPlaying {
                ("paused", "Paused")
            } else if state.isHeld {
                ("waiting", "Waiting for the others with")
            } else {
                ("playing", state.rate == 0 ? "Starting" : "Playing")
            }
        let length = state.duration.map { " of \(ClockTime.text($0))" } ?? (state.isLive ? ", live" : "")
        let title = [state.title, state.subtitle].compactMap(\.self).joined(separator: " · ")
        try say(
            event,
            "\(word) \(title.isEmpty ? "" : "“\(title)” ")at \(ClockTime.text(state.position))\(length)", nil,
            [
                "title": state.title ?? "", "position": "\(state.position)", "rate": "\(state.rate)",
                "time": "\(state.time)",
            ])
    }

    private mutating func say(
        _ event: String, _ text: String, _ style: Style?, _ details: [String: String] = [:]
    ) throws {
        let text = DisplayText.clean(text)
        if output.isJSON {
            try output.json(details.merging(["event": event, "text": text]) { $1 })
        } else {
            line(style.map { $0(text) } ?? text)
        }
    }

    /// Above the line that moves, which is drawn again below.
    private mutating func line(_ text: String) {
        region?.clear()
        output.line(text)
    }

    private mutating func drawPlayback() {
        guard region != nil, hasInvited else { return }
        guard let playback else {
            region?.clear()
            return
        }
        let elapsed = monotonicSeconds() - playbackTime
        let moved = max(0, playback.position + playback.rate * elapsed)
        let position = playback.duration.map { min($0, moved) } ?? moved
        let symbol = playback.isBuffering || playback.isHeld ? "…" : playback.isPlaying ? "▶" : "‖"
        let segment = playback.segments.last { $0.start <= position }.map { "  \($0.kind.rawValue)" } ?? ""
        let text =
            "\(symbol)  \(ClockTime.text(position))"
            + (playback.duration.map { " / \(ClockTime.text($0))" } ?? (playback.isLive ? "  live" : "")) + segment
            + (level.isEmpty ? "" : "  \(level)")
        region?.draw([Style.accent(DisplayText.fit(text, Terminal.output.width))])
    }
}
