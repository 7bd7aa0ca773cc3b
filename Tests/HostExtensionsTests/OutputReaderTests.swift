import Foundation
import Logging
import Synchronization
import Testing

@testable import HostExtensions

@Suite(.timeLimit(.minutes(1)))
struct OutputReaderTests {
    /// A busy machine lets the reader wait while the program prints and ends.
    @Test func whatWasPrintedButNotYetReadIsKept() async throws {
        let pipe = Pipe()
        let read = fcntl(pipe.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        try #require(read >= 0 && fcntl(read, F_SETFL, O_NONBLOCK) == 0)
        let lines = Mutex<[String]>([])
        let isBusy = DispatchSemaphore(value: 0)
        let (reads, first) = AsyncStream<Void>.makeStream()
        let reader = try OutputReader(descriptor: read, logger: Logger(label: "output")) { message in
            let isFirst = lines.withLock { lines in
                lines.append(message.text)
                return lines.count == 1
            }
            guard isFirst else { return }
            first.finish()
            isBusy.wait()
        }
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\n".utf8))
        for await _ in reads {}
        try pipe.fileHandleForWriting.write(contentsOf: Data("two\nthree".utf8))
        reader.cancel()
        isBusy.signal()
        // A process that inherited the other end still has it open.
        await reader.finish(within: .zero)
        #expect(lines.withLock { $0 } == ["one", "two", "three"])
    }
}
