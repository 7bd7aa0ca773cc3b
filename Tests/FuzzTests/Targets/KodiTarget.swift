import DeviceConnections
import JSONValues
import KodiProtocol
import PlaybackKit

extension FuzzTarget {
    /// The bytes that Kodi sends over TCP, in pieces of any size.
    static let kodi = FuzzTarget(
        name: "kodi",
        words: [
            #"{"id":1,"jsonrpc":"2.0","result":"#, #""OK"}"#, #"{"jsonrpc":"2.0","method":"Player.OnStop","params":"#,
            #"{"data":{"end":true}}}"#, #""time":{"hours":0,"minutes":1,"seconds":2,"milliseconds":3}"#, "{", "}", "[",
            "]", "\"", "\\", ":", ",", "1e999", "null",
        ],
        outcomes: ["open", "malformed"]
    ) { bytes in
        var random = SplitMix64(state: UInt64(bytes.count))
        var machine = KodiConnectionMachine()
        _ = machine.connected()
        var request: RequestID = 0
        var open: Set<RequestID> = []
        var end = "open"
        func perform(_ actions: [ConnectionAction<KodiConnectionMachine.Response, KodiNotification>]) throws {
            for action in actions {
                switch action {
                case .complete(let id, let result):
                    try demand(open.remove(id) != nil, "completed twice or never asked")
                    if case .success(let json) = result {
                        let state = KodiState(player: 1, properties: json, item: json, time: 0)
                        try demand(state.position.isFinite && state.snapshot.speed != 0, "\(state.snapshot)")
                    }
                case .notify(let notification):
                    var run = KodiRun(file: "x", tells: true, isAdopted: true, now: 0)
                    _ = run.heard(notification)
                case .close(.malformed): end = "malformed"
                case .close: end = "other"
                case .send, .ready, .expect: break
                }
            }
        }
        var rest = bytes[...]
        while !rest.isEmpty, end == "open" {
            let count = min(rest.count, Int.random(in: 1...200, using: &random))
            try perform(machine.received(Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
            request += 1
            open.insert(request)
            try perform(machine.submit(request, KodiCall("Player.GetProperties")))
        }
        return end
    }
}
