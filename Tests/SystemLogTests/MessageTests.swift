import HostInterface
import Testing

@testable import SystemLog

@Suite("Log messages")
struct MessageTests {
    private func shown(_ message: OSLogMessage) -> String { PrivateText.shown(message.text) }
    private func reported(_ message: OSLogMessage) -> String { PrivateText.hidden(in: message.text) }

    @Test("numbers are public and all else is private, unless it is marked")
    func privacy() {
        let name = "Kitchen"
        #expect(shown("Found \(name), \(3) of them") == "Found Kitchen, 3 of them")
        #expect(reported("Found \(name), \(3) of them") == "Found <private>, 3 of them")
        #expect(reported("Found \(name, privacy: .public), \(3, privacy: .private)") == "Found Kitchen, <private>")
        #expect(reported("\(true) \(1.5, format: .fixed(precision: 1)) \(Int.self)") == "true 1.5 Swift.Int")
        #expect(reported("\(CancellationError())") == "<private>" && shown("\(Int?.none)") == "nil")
    }

    @Test("a sensitive value is not written, a mask is the same for the same value")
    func masks() {
        let name = "Kitchen"
        #expect(shown("\(name, privacy: .sensitive)") == "<sensitive>")
        let masked = reported("\(name, privacy: .private(mask: .hash))")
        #expect(
            masked.hasPrefix("<private><mask:") && masked == reported("\("Kitchen", privacy: .private(mask: .hash))"))
        #expect(masked != reported("\("Bath", privacy: .private(mask: .hash))"))
    }

    @Test("values are written in the form asked for")
    func formats() {
        #expect(shown("\(255, format: .hex(includePrefix: true, uppercase: true))") == "0xFF")
        #expect(shown("\(-5, format: .decimal(minDigits: 3))") == "-005")
        #expect(shown("\("ab", align: .right(columns: 4))|\("ab", align: .left(columns: 4))|") == "  ab|ab  |")
    }

    @Test("a value can't end what is private")
    func forged() {
        let value = "a\u{92}secret\u{91}"
        #expect(reported("x \(value) y") == "x <private> y")
        #expect(PrivateText.hidden(in: "x \u{91}secret\nnext") == "x <private>\nnext")
    }

    @Test("the levels are those that the host knows")
    func levels() {
        let types: [OSLogType] = [.default, .info, .debug, .error, .fault]
        #expect(types.map(\.word) == ["notice", "info", "debug", "error", "critical"])
    }

    @Test("a lock gives its value to one thread at a time")
    func lock() async {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { lock.withLock { $0 += 1 } } }
        }
        #expect(lock.withLock { $0 } == 100 && lock.withLockUnchecked { $0 } == 100)
    }
}
