import CastStreaming
import Foundation
import GoogleCastProtocol
import JSONValues

/// A simulated Google Cast device as a state machine: its apps, its volume and the media that it plays. The network, the
/// media and the clock are outside.
struct ReceiverMachine: Sendable {
    enum Effect: Sendable, Hashable {
        case send(client: Int, CastMessage)
        /// Opens the media. The result is the input ``opened(_:_:now:)``, and for live media later ``ended(_:now:)``.
        case open(number: Int, url: String)
        /// Requests the bytes from a part of the media on, as a player does after a seek.
        case fetch(url: String, part: Double)
        case cancelFetch
        /// Reads a file of subtitles, as the script of a device does.
        case subtitles(String)
        /// Sets the volume of a device of the group.
        case setMember(String, level: Double, isMuted: Bool)
        case show(ReceiverEvent)
        /// Opens a socket for a stream. The result is the input ``opened(_:port:for:)``.
        case openStream(StreamOffer, Link)
        case closeStream
    }

    /// Media that a device has opened.
    enum OpenedMedia: Sendable, Hashable {
        /// - Parameter duration: `nil` for a live stream.
        case playable(duration: Double?)
        /// - Parameter code: A `DetailedErrorCode`.
        case failed(code: Int)
    }

    /// A connection between a sender and the device or its app, as made with `CONNECT`.
    struct Link: Hashable {
        let client: Int
        let sender: String
        let destination: String
    }

    struct App {
        let identifier: String
        let session: String
        var transport: String { session }
        var known: ReceiverApp? { ReceiverApp.all[identifier] }
    }

    let settings: ReceiverSettings
    var signature: DeviceSignature?
    var links: Set<Link> = []
    var level: Double
    var isMuted = false
    var app: App?
    var launches = 0
    var playback: ReceiverPlayback?
    var loads = 0
    /// The devices of a group.
    var members: [ReceiverMember]

    init(_ settings: ReceiverSettings) {
        self.settings = settings
        level = settings.level
        members = settings.members
    }

    // MARK: Inputs

    mutating func disconnected(_ client: Int) { links = links.filter { $0.client != client } }

    mutating func received(_ message: CastMessage, from client: Int, now: Double) -> [Effect] {
        guard case .text(let text) = message.payload else { return authentication(message, client) }
        let link = Link(client: client, sender: message.source, destination: message.destination)
        if let app, link.destination == app.transport, links.contains(link),
            ![CastNames.media, CastNames.streaming].contains(message.namespace),
            app.known?.namespaces.contains(message.namespace) == true
        {
            // An app of its own answers with the same, which need not be JSON.
            let echo = CastMessage(
                from: link.destination, to: link.sender, namespace: message.namespace, payload: .text(text))
            return [.show(.message(text)), .send(client: client, echo)]
        }
        guard let json = try? JSONDecoder().decode(JSON.self, from: Data(text.utf8)), let type = json["type"]?.string
        else { return [] }
        switch (message.namespace, type) {
        case (CastNames.heartbeat, "PING"):
            return [send(["type": "PONG"], CastNames.heartbeat, to: link)]
        case (CastNames.heartbeat, _): return []
        case (CastNames.connection, "CONNECT"):
            guard link.destination == CastNames.platform || link.destination == app?.transport else {
                return [send(["type": "CLOSE"], CastNames.connection, to: link)]
            }
            links.insert(link)
            return []
        case (CastNames.connection, "CLOSE"):
            links.remove(link)
            return []
        default: break
        }
        guard links.contains(link) else { return [send(["type": "CLOSE"], CastNames.connection, to: link)] }
        guard settings.failure != .silent else { return [] }
        if message.namespace == CastNames.receiver, link.destination == CastNames.platform {
            return platform(type, json, link, now)
        }
        if message.namespace == CastNames.multizone, link.destination == CastNames.platform {
            return multizone(type, json, link)
        }
        if message.namespace == CastNames.streaming, link.destination == app?.transport {
            return streaming(type, json, link)
        }
        guard message.namespace == CastNames.media, app?.known?.namespaces.contains(CastNames.media) == true else {
            return []
        }
        return media(type, json, link, now)
    }

    mutating func opened(_ number: Int, _ result: OpenedMedia, now: Double) -> [Effect] {
        guard var playback, playback.session == number, let asker = playback.asker else { return [] }
        playback.asker = nil
        switch result {
        case .playable(let duration):
            playback.start(duration: duration, now: now)
            self.playback = playback
            let link = Link(client: asker.client, sender: asker.sender, destination: asker.destination)
            return mediaStatus(playback, requested: (link, asker.request), withMedia: true, now: now)
                + [.fetch(url: playback.url, part: playback.part(now))]
                + playback.activeTrackFiles.map { .subtitles($0) }
        case .failed(let code):
            playback.end(.error, now: now)
            self.playback = nil
            let link = Link(client: asker.client, sender: asker.sender, destination: asker.destination)
            return mediaStatus(playback, now: now) + [
                send(
                    [
                        "type": "LOAD_FAILED", "requestId": .number(Double(asker.request)),
                        "detailedErrorCode": .number(Double(code)),
                    ], CastNames.media, to: link)
            ]
        }
    }

    /// A live stream has ended.
    mutating func ended(_ number: Int, now: Double) -> [Effect] {
        guard let playback, playback.session == number, playback.asker == nil, playback.duration == nil else {
            return []
        }
        return end(.finished, now)
    }

    /// The time at which ``woken(now:)`` is due.
    var wakeTime: Double? { playback?.endTime(failing: settings.failure == .playback) }

    mutating func woken(now: Double) -> [Effect] {
        guard let time = wakeTime, now >= time - 0.001 else { return [] }
        return end(settings.failure == .playback ? .error : .finished, now)
    }

    // MARK: The device

    mutating func platform(_ type: String, _ json: JSON, _ link: Link, _ now: Double) -> [Effect] {
        let request = json["requestId"]?.integer ?? 0
        switch type {
        case "GET_STATUS": return [receiverStatus(to: link, request)]
        case "GET_APP_AVAILABILITY":
            let asked = (json["appId"]?.array ?? []).compactMap(\.string)
            let answers = asked.map {
                ($0, JSON.string(ReceiverApp.all[$0] == nil ? "APP_UNAVAILABLE" : "APP_AVAILABLE"))
            }
            return [
                send(
                    [
                        "responseType": "GET_APP_AVAILABILITY", "requestId": .number(Double(request)),
                        "availability": .object(Dictionary(answers) { $1 }),
                    ], CastNames.receiver, to: link)
            ]
        case "LAUNCH": return launch(json["appId"]?.string ?? "", link, request, now)
        case "STOP":
            guard let app, json["sessionId"] == nil || json["sessionId"]?.string == app.session else {
                return [invalid("INVALID_SESSION_ID", CastNames.receiver, link, request)]
            }
            return stopApp(now) + changed(link, request)
        case "SET_VOLUME":
            guard settings.volume != .fixed else {
                return [invalid("INVALID_COMMAND", CastNames.receiver, link, request)]
            }
            if let new = json["volume"]?["level"]?.number {
                // Steps of a television, as its remote control makes them.
                let step = settings.step
                level = settings.volume == .master ? (max(0, min(1, new)) / step).rounded() * step : max(0, min(1, new))
            }
            if let new = json["volume"]?["muted"]?.bool { isMuted = new }
            return changed(link, request) + [.show(.volume(level: level, isMuted: isMuted))] + levelMembers()
        default: return [invalid("INVALID_COMMAND", CastNames.receiver, link, request)]
        }
    }

    mutating func launch(_ identifier: String, _ link: Link, _ request: Int, _ now: Double) -> [Effect] {
        let reason: String? =
            settings.failure == .launch
            ? settings.launchError : ReceiverApp.all[identifier] == nil ? "NOT_FOUND" : nil
        if let reason {
            return [
                send(
                    ["type": "LAUNCH_ERROR", "requestId": .number(Double(request)), "reason": .string(reason)],
                    CastNames.receiver, to: link)
            ]
        }
        // A second LAUNCH of the same app joins it.
        if app?.identifier == identifier { return [receiverStatus(to: link, request)] }
        let stopped = stopApp(now)
        launches += 1
        app = App(identifier: identifier, session: "session-\(settings.run)-\(launches)")
        return stopped + changed(link, request) + [.show(.launched(app?.known?.name ?? identifier))]
    }

    mutating func stopApp(_ now: Double) -> [Effect] {
        guard let app else { return [] }
        var effects = playback == nil ? [] : end(.cancelled, now)
        for link in linked(to: app.transport) {
            effects.append(send(["type": "CLOSE"], CastNames.connection, to: link))
        }
        links = links.filter { $0.destination != app.transport }
        self.app = nil
        return effects + [.closeStream, .show(.appEnded)]
    }

    func changed(_ link: Link, _ request: Int) -> [Effect] {
        linked(to: CastNames.platform).map { receiverStatus(to: $0, $0 == link ? request : 0) }
    }

    func receiverStatus(to link: Link, _ request: Int) -> Effect {
        var status: [String: JSON] = [
            "isActiveInput": true, "isStandBy": false,
            "volume": [
                "controlType": .string(settings.volume.rawValue), "level": .number(level), "muted": .bool(isMuted),
                "stepInterval": .number(settings.step),
            ],
        ]
        if let app {
            let name = JSON.string(app.known?.name ?? "")
            let spaces = JSON.array((app.known?.namespaces ?? []).map { ["name": .string($0)] })
            status["applications"] = [
                [
                    "appId": .string(app.identifier), "displayName": name, "isIdleScreen": false, "namespaces": spaces,
                    "sessionId": .string(app.session), "statusText": activity(name),
                    "transportId": .string(app.transport),
                ]
            ]
        }
        return send(
            ["type": "RECEIVER_STATUS", "requestId": .number(Double(request)), "status": .object(status)],
            CastNames.receiver, to: link)
    }

    /// The text about what plays, in the words of the Default Media Receiver.
    private func activity(_ name: JSON) -> JSON {
        guard let playback else { return name }
        return .string("Casting: " + (playback.media["metadata"]?["title"]?.string ?? "a stream"))
    }

    // MARK: Messages

    func linked(to destination: String) -> [Link] {
        links.filter { $0.destination == destination }.sorted { ($0.client, $0.sender) < ($1.client, $1.sender) }
    }

    func invalid(_ reason: String?, _ namespace: String, _ link: Link, _ request: Int) -> Effect {
        var answer: [String: JSON] = [
            "type": reason == nil ? "INVALID_PLAYER_STATE" : "INVALID_REQUEST", "requestId": .number(Double(request)),
        ]
        if let reason { answer["reason"] = .string(reason) }
        return send(.object(answer), namespace, to: link)
    }

    func send(_ payload: JSON, _ namespace: String, to link: Link) -> Effect {
        let text = (try? JSONEncoder().encode(payload)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return .send(
            client: link.client,
            CastMessage(from: link.destination, to: link.sender, namespace: namespace, payload: .text(text)))
    }

    /// VLC asks for the device's signature before anything else and doesn't check it. This one is empty unless a sender
    /// that checks it is expected.
    func authentication(_ message: CastMessage, _ client: Int) -> [Effect] {
        guard message.namespace == CastNames.authentication else { return [] }
        guard case .binary(let challenge) = message.payload else { return [] }
        let response = (try? signature?.response(to: challenge)) ?? [0x12, 0x04, 0x0A, 0x00, 0x12, 0x00]
        return [
            .send(
                client: client,
                CastMessage(
                    from: message.destination, to: message.source, namespace: message.namespace,
                    payload: .binary(response)))
        ]
    }
}
