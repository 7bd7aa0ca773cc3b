import Confinement
import Foundation

/// The host's end of the pipe on which a launcher reports the result of the confinement.
final class LauncherMessages: Sendable {
    private static let longest = 4096
    private let descriptor: Int32

    /// - Parameter descriptor: A non-blocking descriptor, which the new object owns.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Takes the message received so far; `nil` if there is none that is valid.
    func take() -> LauncherMessage? {
        var buffer = [UInt8](repeating: 0, count: Self.longest)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return LauncherMessage(String(decoding: buffer[..<count], as: UTF8.self))
    }
}
