import Foundation
package import Testing

/// Delays tests until the processors have time. PipeWire 0.3.65 drops the audio of a program that doesn't run for a
/// third of a second, with any sink, and hundreds of other tests begin together with these.
package struct IdleProcessor: SuiteTrait, TestTrait, TestScoping {
    /// The needed idle share of the processors' time.
    private static let idle = 0.4
    /// The wait after which a computer counts as always busy.
    private static let patience = Duration.seconds(240)

    package init() {}

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let end = ContinuousClock.now + Self.patience
        var before = Self.times()
        repeat {
            try await Task.sleep(for: .seconds(1))
            let now = Self.times()
            if now.idle - before.idle >= Self.idle * (now.all - before.all) { break }
            before = now
        } while ContinuousClock.now < end
        try await function()
    }

    /// Returns the times of all processors since the computer started, in the kernel's units; proc(5).
    private static func times() -> (all: Double, idle: Double) {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let values = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard values.count > 4 else { return (0, 0) }
        // Programs with a nice value give way to these tests at once.
        return (values.prefix(8).reduce(0, +), values[1] + values[3] + values[4])
    }
}

extension Trait where Self == IdleProcessor {
    package static var idleProcessor: IdleProcessor { IdleProcessor() }
}
