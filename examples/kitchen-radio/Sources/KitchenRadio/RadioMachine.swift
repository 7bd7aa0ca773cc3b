import DeviceConnections

/// The radio's protocol: lines. It greets with `radio`, answers each command with `ok` or `error WHY`, and reports its
/// state on every change: `state playing|paused POSITION DURATION`, `ended`, `stopped`, `volume 0...100`.
struct RadioMachine: ConnectionMachine {
    typealias Action = ConnectionAction<Answer, RadioNews>

    enum Answer: Sendable, Hashable {
        case ok
        case error(String)
    }

    private static let longestLine = 4096
    private var buffer: [UInt8] = []
    private var pending: [RequestID] = []
    private var isGreeted = false

    func connected() -> [Action] { [] }

    mutating func submit(_ id: RequestID, _ request: String) -> [Action] {
        pending.append(id)
        return [.send(Array((request + "\n").utf8)), .expect(within: .seconds(5))]
    }

    mutating func received(_ bytes: [UInt8]) -> [Action] {
        buffer += bytes
        var actions: [Action] = []
        while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: buffer[..<end], as: UTF8.self)
            buffer.removeFirst(end + 1)
            actions += handle(line)
        }
        return buffer.count > Self.longestLine ? [.close(.tooLarge("a line without an end"))] : actions
    }

    func timedOut() -> [Action] { [.close(.timedOut("no answer to a command"))] }

    private mutating func handle(_ line: String) -> [Action] {
        guard isGreeted else {
            isGreeted = line == "radio"
            return [isGreeted ? .ready : .close(.malformed("it isn't a radio"))]
        }
        if let news = RadioNews(line) { return [.notify(news)] }
        let answer: Answer = line == "ok" ? .ok : .error(String(line.dropFirst("error ".count)))
        guard !pending.isEmpty else { return [.close(.malformed("an answer to no command"))] }
        return [.complete(pending.removeFirst(), answer), .expect(within: pending.isEmpty ? nil : .seconds(5))]
    }
}

/// An unsolicited message of the radio.
enum RadioNews: Sendable, Hashable {
    case state(isPlaying: Bool, position: Double, duration: Double)
    case ended
    case stopped
    case volume(Double)

    init?(_ line: String) {
        let words = line.split(separator: " ")
        let numbers = words.compactMap { Double($0) }
        switch (words.first, numbers.count) {
        case ("state", 2) where numbers.allSatisfy(\.isFinite):
            self = .state(isPlaying: words[1] == "playing", position: numbers[0], duration: numbers[1])
        case ("volume", 1): self = .volume(max(0, min(1, numbers[0] / 100)))
        case ("ended", 0): self = .ended
        case ("stopped", 0): self = .stopped
        default: return nil
        }
    }
}
