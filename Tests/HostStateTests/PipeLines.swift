import Foundation

extension Process {
    /// Yields the status once the process has ended; call it before running the process.
    var ended: AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        terminationHandler = { process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        return stream
    }
}

extension Pipe {
    /// The output lines of a process, as they come, until it closes its end; for one reader, to be called once.
    ///
    /// Read by a separate thread: a handler of the file handle conflicts with closing the handle.
    var lines: AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        Thread.detachNewThread { [self] in
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(fileHandleForReading.fileDescriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                rest += buffer[..<count]
                while let end = rest.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            continuation.finish()
        }
        return stream
    }
}
