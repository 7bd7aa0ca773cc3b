import DeviceConnections

struct KitchenMachine: ConnectionMachine {
    private var buffer: [UInt8] = []
    private var pending: [RequestID] = []

    mutating func connected() -> [ConnectionAction<String, String>] { [.ready] }

    mutating func submit(_ id: RequestID, _ request: String) -> [ConnectionAction<String, String>] {
        pending.append(id)
        return [.send(Array((request + "\n").utf8)), .expect(within: .seconds(4))]
    }

    mutating func received(_ bytes: [UInt8]) -> [ConnectionAction<String, String>] {
        buffer += bytes
        var actions: [ConnectionAction<String, String>] = []
        while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: buffer[..<end], as: UTF8.self)
            buffer.removeSubrange(...end)
            if line.hasPrefix("!") {
                actions.append(.notify(String(line.dropFirst())))
            } else if !pending.isEmpty {
                actions.append(.complete(pending.removeFirst(), line))
                actions.append(.expect(within: pending.isEmpty ? nil : .seconds(4)))
            }
        }
        return buffer.count > 4096 ? [.close(.tooLarge("a line without an end"))] : actions
    }

    mutating func timedOut() -> [ConnectionAction<String, String>] { [.close(.timedOut("no answer"))] }
}
