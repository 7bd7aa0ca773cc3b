import Dispatch
import Glibc

/// The minimum work of any implementation, for comparison: bytes through sockets, or nothing.
///
///     BenchmarkFloor echo FD          returns the bytes it receives
///     BenchmarkFloor relay FD FD      passes bytes from the first to the second, and the answer back
///     BenchmarkFloor serve FILE       sends the file to every client; prints the port first
///     BenchmarkFloor wait             uses a queue of Dispatch once and then does nothing
@main
enum BenchmarkFloor {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let numbers = words.dropFirst().compactMap { Int32($0) }
        switch (words.first, words.count, numbers.count) {
        case ("echo", 2, 1): echo(numbers[0])
        case ("relay", 3, 2): relay(numbers[0], numbers[1])
        case ("serve", 2, _): serve(words[1])
        case ("wait", 1, _): wait()
        default:
            complain("usage: BenchmarkFloor echo FD | relay FD FD | serve FILE | wait\n")
            exit(64)
        }
    }

    private static func echo(_ end: Int32) {
        withBuffer { buffer in
            while move(end, end, buffer) {}
        }
    }

    private static func relay(_ near: Int32, _ far: Int32) {
        withBuffer { buffer in
            while move(near, far, buffer), move(far, near, buffer) {}
        }
    }

    private static func wait() {
        DispatchQueue.global().async {}
        while true { pause() }
    }

    private static func withBuffer(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16, body)
    }

    /// - Returns: `false` at the end of the stream.
    private static func move(_ source: Int32, _ target: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let count = read(source, buffer.baseAddress, buffer.count)
        guard count > 0 else { return false }
        return write(target, buffer.baseAddress, count) == count
    }

    private static func serve(_ path: String) {
        let file = open(path, O_RDONLY)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0 else { return fail("cannot open \(path)") }
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { return fail("cannot listen") }
        let port = "\(UInt16(bigEndian: address.sin_port))\n"
        _ = write(STDOUT_FILENO, port, port.utf8.count)
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return fail("cannot accept") }
            answer(connection, file, Int(status.st_size))
            close(connection)
        }
    }

    /// Answers one request, of any content, with the whole file.
    private static func answer(_ connection: Int32, _ file: Int32, _ size: Int) {
        withBuffer { buffer in
            guard read(connection, buffer.baseAddress, buffer.count) > 0 else { return }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\nConnection: close\r\n\r\n"
            _ = write(connection, head, head.utf8.count)
            var offset: off_t = 0
            while offset < size, sendfile(connection, file, &offset, size - Int(offset)) > 0 {}
        }
    }

    private static func fail(_ reason: String) {
        complain("BenchmarkFloor: \(reason)\n")
        exit(1)
    }

    private static func complain(_ text: String) { _ = write(STDERR_FILENO, text, text.utf8.count) }
}
