import Glibc

/// The treatment of the extension's messages, as one line of a file: `pass`, `hang`, `garbage`, `late 3`, `twice`,
/// `leak 600`, `exit-at-start 2`, `versions 2 1 2.0`.
enum Order {
    case pass
    /// Reads and stays silent.
    case hang
    /// Bytes that are no message, once.
    case garbage
    /// Every answer comes so many milliseconds late.
    case late(Int)
    /// Everything is said twice.
    case twice
    /// So many megabytes within a second, never given back.
    case leak(Int)
    /// Ends as soon as it is started, so many times.
    case exitAtStart(Int)
    /// The greeting names these versions of the link, the newest and the oldest, and this one of the SDK.
    case versions(newest: UInt8, oldest: UInt8, sdk: String)

    init?(_ line: String) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        let numbers = words.dropFirst().map { Int($0) }
        switch (words.first, numbers.first ?? nil) {
        case ("pass", _): self = .pass
        case ("hang", _): self = .hang
        case ("garbage", _): self = .garbage
        case ("late", let milliseconds?): self = .late(milliseconds)
        case ("twice", _): self = .twice
        case ("leak", let megabytes?): self = .leak(megabytes)
        case ("exit-at-start", let times?): self = .exitAtStart(times)
        case ("versions", let newest?):
            guard words.count == 4, let oldest = UInt8(words[2]) else { return nil }
            self = .versions(newest: UInt8(clamping: newest), oldest: oldest, sdk: words[3])
        default: return nil
        }
    }

    var concernsStart: Bool {
        switch self {
        case .exitAtStart, .versions: true
        default: false
        }
    }

    func spoil(_ part: MessagePart, outbox: inout Outbox) {
        switch self {
        case .late(let milliseconds): outbox.put(part.bytes, after: part.isAnswer ? milliseconds : 0)
        case .twice: outbox.put(part.isMessage ? part.bytes + part.bytes : part.bytes, after: 0)
        case .versions(let newest, let oldest, let sdk):
            var bytes = part.bytes
            bytes.replaceNumber(named: "linkVersion", by: newest)
            bytes.replaceNumber(named: "oldestLinkVersion", by: oldest)
            bytes.replaceText(named: "sdkVersion", by: sdk)
            outbox.put(bytes, after: 0)
        default: outbox.put(part.bytes, after: 0)
        }
    }
}

/// The file in the extension's own folder that orders come in; it is gone once one is taken.
struct OrderBook {
    private let path = (getenv("MDHOST_STATE_DIRECTORY").map { String(cString: $0) } ?? ".") + "/order"

    /// - Parameter atStart: Orders for a start wait until the next start.
    func take(atStart: Bool) -> Order? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 200)
        guard fgets(&line, Int32(line.count), file) != nil,
            let order = Order(String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)),
            atStart || !order.concernsStart
        else { return nil }
        unlink(path)
        return order
    }

    func put(_ line: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(line + "\n", file)
        fclose(file)
    }
}

/// Messages that wait for the host, in order: a delayed message delays the following ones.
struct Outbox {
    private var waiting: [(due: Int, bytes: [UInt8])] = []

    /// - Parameter delay: Milliseconds.
    mutating func put(_ bytes: [UInt8], after delay: Int) { waiting.append((Self.now + delay, bytes)) }

    mutating func flush(to descriptor: Int32) {
        while let first = waiting.first, first.due <= Self.now {
            send(first.bytes, to: descriptor)
            waiting.removeFirst()
        }
    }

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
