import Dispatch
import Foundation

/// The terminal on standard input in raw mode, for as long as this object lives.
final class RawTerminal {
    private let source: any DispatchSourceRead
    /// Keys as they are pressed; unbounded, since a person types slowly.
    let keys: AsyncStream<Key>

    /// - Returns: `nil` if standard input isn't a terminal, or this process is in its background.
    init?() {
        guard TerminalMode.change({ $0.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG) }) else { return nil }
        let (keys, continuation) = AsyncStream.makeStream(of: Key.self)
        self.keys = keys
        source = DispatchSource.makeReadSource(
            fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "org.mdhost.keys"))
        var parser = KeyParser()
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else { return continuation.finish() }
            for key in parser.parse(buffer.prefix(count)) { continuation.yield(key) }
        }
        source.resume()
    }

    /// Puts the terminal back as it was.
    func restore() {
        source.cancel()
        TerminalMode.restore()
    }
}
