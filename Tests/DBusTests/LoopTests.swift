import Foundation
import Synchronization
import TestConditions
import Testing

@testable import DBus

/// The thread that everything of a loop happens on.
@Suite(.timeLimit(.minutes(1))) struct LoopTests {
    private actor Counter {
        nonisolated let loop: DBusLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private(set) var count = 0

        init(_ loop: DBusLoop) { self.loop = loop }

        func add() { count += 1 }
    }

    @Test func jobsFromEverywhereRunOneAtATime() async {
        let counter = Counter(DBusLoop(label: "counter"))
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { for _ in 0..<100 { await counter.add() } }
            }
        }
        #expect(await counter.count == 10_000)
    }

    @Test func workIsDoneInOrderAlsoByALoopNobodyHoldsAnyMore() async {
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        do {
            let loop = DBusLoop(label: "short-lived")
            for number in 0..<1000 { loop.async { feed.yield(number) } }
            loop.async { feed.finish() }
        }
        var seen: [Int] = []
        for await number in numbers { seen.append(number) }
        #expect(seen == Array(0..<1000))
    }

    @Test func theThreadEndsWithTheLoop() async {
        let threads = Mutex<[String]>([])
        do {
            let loop = DBusLoop(label: "ending")
            await withCheckedContinuation { continuation in
                loop.async {
                    threads.withLock { $0.append(Self.threadNumber) }
                    continuation.resume()
                }
            }
        }
        let number = threads.withLock { $0.first ?? "" }
        await eventually("the end of the thread") {
            !FileManager.default.fileExists(atPath: "/proc/self/task/\(number)")
        }
    }

    /// For a handler that ends its own watch.
    private final class Box {
        var watch: DescriptorWatch?
    }

    /// The kernel's number of the calling thread.
    private static var threadNumber: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link?.split(separator: "/").last.map(String.init) ?? ""
    }

    @Test func timersFireInTheOrderOfTheirTimes() async {
        let loop = DBusLoop(label: "timers")
        let (names, feed) = AsyncStream.makeStream(of: String.self)
        loop.async {
            let now = DBusLoop.now
            let cancelled = loop.timer(at: now + 1000) { feed.yield("cancelled") }
            _ = loop.timer(at: now + 20_000) { feed.yield("late") }
            _ = loop.timer(at: now + 5000) { feed.yield("early") }
            _ = loop.timer(at: now + 30_000) { feed.finish() }
            cancelled.cancel()
        }
        var seen: [String] = []
        for await name in names { seen.append(name) }
        #expect(seen == ["early", "late"])
    }

    @Test func descriptorsAreWatchedUntilTheWatchIsCancelled() async throws {
        let loop = DBusLoop(label: "watches")
        let (first, second) = try socketPair()
        defer { for descriptor in [first, second] { close(descriptor) } }
        let (bytes, feed) = AsyncStream.makeStream(of: UInt8.self)
        loop.async {
            let box = Box()
            box.watch = loop.watch(first) {
                var byte: UInt8 = 0
                guard read(first, &byte, 1) == 1 else { return }
                feed.yield(byte)
                guard byte == 3 else { return }
                box.watch?.cancel()
                box.watch = nil
                feed.finish()
            }
        }
        for byte: UInt8 in 1...4 { withUnsafePointer(to: byte) { _ = write(second, $0, 1) } }
        var seen: [UInt8] = []
        for await byte in bytes { seen.append(byte) }
        #expect(seen == [1, 2, 3])
    }
}
