import DeviceConnections

/// A protocol of lines: a greeting `hello`, answers in order, and lines that begin with `!` are news.
struct LineMachine: ConnectionMachine {
    private var buffer: [UInt8] = []
    private var pending: [RequestID] = []
    private var isGreeted = false
    private let patience: Duration

    /// - Parameter patience: For an answer; a busy computer needs more than a test of its end does.
    init(patience: Duration = .seconds(30)) { self.patience = patience }

    mutating func connected() -> [ConnectionAction<String, String>] { [] }

    mutating func submit(_ id: RequestID, _ request: String) -> [ConnectionAction<String, String>] {
        pending.append(id)
        return [.send(Array((request + "\n").utf8)), .expect(within: patience)]
    }

    mutating func received(_ bytes: [UInt8]) -> [ConnectionAction<String, String>] {
        buffer += bytes
        var actions: [ConnectionAction<String, String>] = []
        while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: buffer[..<end], as: UTF8.self)
            buffer.removeFirst(end + 1)
            if !isGreeted {
                guard line == "hello" else { return [.close(.malformed("no greeting"))] }
                isGreeted = true
                actions.append(.ready)
            } else if line.hasPrefix("!") {
                actions.append(.notify(String(line.dropFirst())))
            } else if !pending.isEmpty {
                actions.append(.complete(pending.removeFirst(), line))
                actions.append(.expect(within: nil))
            }
        }
        return actions
    }

    mutating func timedOut() -> [ConnectionAction<String, String>] { [.close(.timedOut("no answer"))] }
}
