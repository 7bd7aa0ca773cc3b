public import DeviceConnections
import Foundation
public import JSONValues

/// The Cast channel as a state machine: frames, virtual connections, heartbeats, and requests with their answers.
public struct CastConnectionMachine: ConnectionMachine {
    public typealias Response = Result<JSON, CastRefusal>
    public typealias Action = ConnectionAction<Response, CastNotification>

    /// The interval of heartbeats. After two without any message from the device, the connection is lost.
    public static let heartbeat = Duration.seconds(5)

    private struct Pending {
        let request: CastRequest
        /// The heartbeats after which the request has timed out.
        var patience: Int
    }

    private static let greeting: RequestID = 0

    private let sender: String
    private var frames = CastFrames()
    private var pending: [RequestID: Pending] = [:]
    private var silentBeats = 0
    private var isReady = false

    /// - Parameter sender: The identifier of this connection for the device, such as `sender-1`.
    public init(sender: String) { self.sender = sender }

    // MARK: Events

    public mutating func connected() -> [Action] {
        submit(Self.greeting, .connect(to: CastNames.platform)) + submit(Self.greeting, .receiverStatus)
    }

    public mutating func submit(_ id: RequestID, _ request: CastRequest) -> [Action] {
        // A device takes 0 for no number, so that the greeting has the number 1.
        guard let bytes = request.encoded(id: id + 1, from: sender) else { return [.complete(id, .failure(.tooLong))] }
        if request.answer == .none {
            return [.send(bytes)] + (id == Self.greeting ? [] : [.complete(id, .success(.null))])
        }
        let beats = Int((request.limit / Self.heartbeat).rounded(.up))
        pending[id] = Pending(request: request, patience: beats + 1)
        return [.send(bytes)]
    }

    public mutating func received(_ bytes: [UInt8]) -> [Action] {
        silentBeats = 0
        var actions: [Action] = []
        do throws(CastFrames.Failure) {
            for message in try frames.append(bytes) { actions += handle(message) }
        } catch .tooLong {
            actions.append(.close(.tooLarge("a message of more than \(CastFrames.longest) bytes")))
        } catch {
            actions.append(.close(.malformed("it doesn't speak Google Cast")))
        }
        return actions
    }

    /// A heartbeat. The timer is periodic: a device that answers heartbeats, but not a request, isn't waited for.
    public mutating func timedOut() -> [Action] {
        guard silentBeats < 2 else { return [.close(.timedOut("it is silent"))] }
        silentBeats += 1
        var actions = send(["type": "PING"], CastNames.heartbeat, to: CastNames.platform)
        for (id, waiting) in pending.sorted(by: { $0.key < $1.key }) {
            pending[id]?.patience = waiting.patience - 1
            if waiting.patience <= 1 { actions += complete(id, .failure(.timedOut)) }
        }
        return actions + [.expect(within: Self.heartbeat)]
    }

    // MARK: Messages

    private mutating func handle(_ message: CastMessage) -> [Action] {
        guard message.destination == sender || message.destination == CastNames.everybody else { return [] }
        if CastApplication.isOwn(message.namespace) {
            return [.notify(.message(message.payload, namespace: message.namespace, transport: message.source))]
        }
        let known = [
            CastNames.connection, CastNames.heartbeat, CastNames.receiver, CastNames.media, CastNames.multizone,
            CastNames.streaming,
        ]
        guard known.contains(message.namespace), case .text(let text) = message.payload else { return [] }
        guard let json = try? JSONDecoder().decode(JSON.self, from: Data(text.utf8)),
            let type = json["type"]?.string ?? json["responseType"]?.string
        else { return [.close(.malformed("a message without a type"))] }
        let (source, number) = (message.source, Self.number(json))
        switch (message.namespace, type) {
        case (CastNames.heartbeat, "PING"): return send(["type": "PONG"], CastNames.heartbeat, to: source)
        case (CastNames.connection, "CLOSE"): return closed(source)
        case (CastNames.receiver, "RECEIVER_STATUS"):
            let status = CastReceiverStatus(json)
            return process(json, .receiver(status)) { id, request in
                if case .launched(let app) = request.answer { return status.application(app) != nil }
                return id == number && request.answer == .receiverStatus
            }
        case (CastNames.receiver, "GET_APP_AVAILABILITY"):
            return process(json) { $1.answer == .availability && $1.destination == source }
        case (CastNames.streaming, "ANSWER"):
            guard let offer = json["seqNum"]?.integer else { return [] }
            return process(json) { $1.answer == .offered(offer) && $1.destination == source }
        case (CastNames.media, "MEDIA_STATUS"):
            let answers: [CastRequest.Answer] =
                CastMediaStatus.session(of: json) == nil ? [.mediaStatus] : [.mediaStatus, .loaded]
            return process(json, .media(json, transport: source)) { id, request in
                id == number && request.destination == source && answers.contains(request.answer)
            }
        case (CastNames.multizone, _):
            return process(json, .group(json)) { $0 == number && $1.answer == .groupStatus }
        case (CastNames.receiver, _), (CastNames.media, _): return refusal(type, json)
        default: return []
        }
    }

    private mutating func closed(_ source: String) -> [Action] {
        guard source != CastNames.platform else { return [.close(.disconnected("the device ended it"))] }
        let lost = pending.filter { $0.value.request.destination == source }.keys.sorted()
        return lost.flatMap { complete($0, .failure(.applicationEnded)) } + [.notify(.closed(transport: source))]
    }

    /// Passes on what every sender receives, and completes the requests that it answers.
    private mutating func process(
        _ json: JSON, _ notification: CastNotification? = nil, answers: (RequestID, CastRequest) -> Bool
    ) -> [Action] {
        let answered = pending.filter { answers($0.key, $0.value.request) }.keys.sorted()
        return (notification.map { [.notify($0)] } ?? []) + answered.flatMap { complete($0, .success(json)) }
    }

    /// Processes the answers that are no status. `LAUNCH_STATUS` only says that somebody has to agree on the device's
    /// screen, or has agreed.
    private mutating func refusal(_ type: String, _ json: JSON) -> [Action] {
        let isRefusal = type.hasSuffix("ERROR") || type.hasPrefix("INVALID_") || type.hasPrefix("LOAD_")
        guard isRefusal, let number = Self.number(json), pending[number] != nil else { return [] }
        return complete(number, .failure(CastRefusal(type, json)))
    }

    private mutating func complete(_ id: RequestID, _ response: Response) -> [Action] {
        guard pending.removeValue(forKey: id) != nil else { return [] }
        guard id == Self.greeting else { return [.complete(id, response)] }
        guard !isReady, case .success = response else { return [.close(.timedOut("it doesn't report its state"))] }
        isReady = true
        return [.ready, .expect(within: Self.heartbeat)]
    }

    private static func number(_ json: JSON) -> RequestID? {
        guard let number = json["requestId"]?.integer, number > 0 else { return nil }
        return RequestID(number) - 1
    }

    private func send(_ payload: JSON, _ namespace: String, to destination: String) -> [Action] {
        CastRequest.encode(payload, namespace: namespace, from: sender, to: destination).map { [.send($0)] } ?? []
    }
}
