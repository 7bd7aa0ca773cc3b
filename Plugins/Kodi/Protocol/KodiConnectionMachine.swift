public import DeviceConnections
public import JSONValues

/// Kodi's JSON-RPC over TCP. Answers come in any order; a silent Kodi gets a ping.
public struct KodiConnectionMachine: ConnectionMachine {
    public typealias Response = Result<JSON, KodiRefusal>
    typealias Action = ConnectionAction<Response, KodiNotification>

    /// Silence after which Kodi is asked whether it is there; the kernel notices earlier that its machine is not.
    public static let silence = Duration.seconds(30)

    private var splitter = JSONSplitter()
    private var pending: [RequestID: KodiCall] = [:]
    private var isReady = false

    public init() {}

    private static let greeting: RequestID = 0

    public mutating func connected() -> [ConnectionAction<Response, KodiNotification>] { ask() }

    public mutating func submit(_ id: RequestID, _ request: KodiCall) -> [ConnectionAction<Response, KodiNotification>]
    {
        pending[id] = request
        return [.send(request.encoded(id: id)), expectation]
    }

    public mutating func received(_ bytes: [UInt8]) -> [ConnectionAction<Response, KodiNotification>] {
        var actions: [Action] = []
        do throws(JSONSplitter.Failure) {
            for object in try splitter.append(bytes) {
                guard let message = KodiMessage(object) else { return actions + [.close(.malformed("it isn't Kodi"))] }
                actions += handle(message)
            }
            if isReady { actions.append(expectation) }
        } catch .tooLong {
            actions.append(.close(.tooLarge("a message of more than \(JSONSplitter.longest) bytes")))
        } catch {
            actions.append(.close(.malformed("it doesn't speak JSON-RPC")))
        }
        return actions
    }

    public mutating func timedOut() -> [ConnectionAction<Response, KodiNotification>] {
        guard pending.isEmpty else { return [.close(.timedOut("Kodi is silent"))] }
        return ask() + [expectation]
    }

    private mutating func ask() -> [Action] {
        let ping = KodiCall("JSONRPC.Ping")
        pending[Self.greeting] = ping
        return [.send(ping.encoded(id: Self.greeting))]
    }

    private mutating func handle(_ message: KodiMessage) -> [Action] {
        switch message {
        case .notification(let notification): return isReady ? [.notify(notification)] : []
        case .answer(let id, let answer):
            guard pending.removeValue(forKey: id) != nil else { return [] }
            guard id == Self.greeting else { return [.complete(id, answer)] }
            defer { isReady = true }
            return isReady ? [] : [.ready]
        }
    }

    private var expectation: Action { .expect(within: pending.values.map(\.limit).max() ?? Self.silence) }
}
