import DeviceConnections
import Foundation
import JSONValues

/// The Cast channel as a state machine: frames, virtual connections, heartbeats, and requests with their answers.
public struct CastConnectionMachine: ConnectionMachine {
    public typealias Response = Result<JSON, CastRefusal>
    typealias Action = ConnectionAction<Response, CastNotification>

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

    public mutating func connected() -> [ConnectionAction<Response, CastNotification>] {
        submit(Self.greeting, .connect(to: CastNames.platform)) + submit(Self.greeting, .receiverStatus)
    }

    public mutating func submit(
        _ id: RequestID, _ request: CastRequest
    ) -> [ConnectionAction<Response, CastNotification>] {
        // A device takes 0 for no number, so that the greeting has the number 1.
        guard let bytes = request.encoded(id: id + 1, from: sender) else { return [.complete(id, .failure(.tooLong))] }
        if request.answer == .none {
            return [.send(bytes)] + (id == Self.greeting ? [] : [.complete(id, .success(.null))])
        }
        let beats = Int((request.limit / Self.heartbeat).rounded(.up))
        pending[id] = Pending(request: request, patience: beats + 1)
        return [.send(bytes)]
    }

    public mutating func received(_ bytes: [UInt8]) -> [ConnectionAction<Response, CastNotification>] {
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
    public mutating func timedOut() -> [ConnectionAction<Response, CastNotification>] {
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
        switch (message.namespace, type) {
        case (CastNames.heartbeat, "PING"):
            return send(["type": "PONG"], CastNames.heartbeat, to: message.source)
        case (CastNames.connection, "CLOSE"): return closed(message.source)
        case (CastNames.receiver, "RECEIVER_STATUS"): return receiverStatus(json)
        case (CastNames.receiver, "GET_APP_AVAILABILITY"): return answer(json, from: message.source, .availability)
        case (CastNames.streaming, "ANSWER"):
            guard let number = json["seqNum"]?.integer else { return [] }
            return answer(json, from: message.source, .offered(number))
        case (CastNames.media, "MEDIA_STATUS"): return mediaStatus(json, from: message.source)
        case (CastNames.multizone, _): return group(json)
        case (CastNames.receiver, _), (CastNames.media, _): return refusal(type, json)
        default: return []
        }
    }

    private mutating func closed(_ source: String) -> [Action] {
        guard source != CastNames.platform else { return [.close(.disconnected("the device ended it"))] }
        let lost = pending.filter { $0.value.request.destination == source }.keys.sorted()
        return lost.flatMap { complete($0, .failure(.applicationEnded)) } + [.notify(.closed(transport: source))]
    }

    private mutating func receiverStatus(_ json: JSON) -> [Action] {
        let status = CastReceiverStatus(json)
        let number = Self.number(json)
        let answered = pending.filter { id, waiting in
            switch waiting.request.answer {
            case .receiverStatus: id == number
            case .launched(let app): status.application(app) != nil
            case .none, .mediaStatus, .loaded, .groupStatus, .availability, .offered: false
            }
        }.keys.sorted()
        return [.notify(.receiver(status))] + answered.flatMap { complete($0, .success(json)) }
    }

    private mutating func mediaStatus(_ json: JSON, from source: String) -> [Action] {
        let actions: [Action] = [.notify(.media(json, transport: source))]
        guard let number = Self.number(json), let waiting = pending[number], waiting.request.destination == source
        else {
            return actions
        }
        switch waiting.request.answer {
        case .mediaStatus: return actions + complete(number, .success(json))
        case .loaded where CastMediaStatus.session(of: json) != nil: return actions + complete(number, .success(json))
        case .none, .receiverStatus, .launched, .loaded, .groupStatus, .availability, .offered: return actions
        }
    }

    /// Processes the answer to the only kind of request that it fits.
    private mutating func answer(_ json: JSON, from source: String, _ kind: CastRequest.Answer) -> [Action] {
        let asked = pending.filter { $0.value.request.answer == kind && $0.value.request.destination == source }
        return asked.keys.sorted().flatMap { complete($0, .success(json)) }
    }

    private mutating func group(_ json: JSON) -> [Action] {
        let actions: [Action] = [.notify(.group(json))]
        guard let number = Self.number(json), pending[number]?.request.answer == .groupStatus else { return actions }
        return actions + complete(number, .success(json))
    }

    /// Processes the answers that are no status. `LAUNCH_STATUS` only says that somebody has to agree on the device's
    /// screen, or has agreed.
    private mutating func refusal(_ type: String, _ json: JSON) -> [Action] {
        let isRefusal =
            type.hasSuffix("_ERROR") || type.hasPrefix("INVALID_") || type.hasPrefix("LOAD_")
            || type == "ERROR"
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
