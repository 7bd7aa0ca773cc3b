import Foundation

extension Process {
    /// Yields the status once the process, which is run after this is asked for, has ended.
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
    /// Lines a process prints, as they come, until it closes its end; for one reader, asked for once.
    ///
    /// Read by a thread of its own: a handler of the file handle and the handle's own closing get into each other's way.
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
