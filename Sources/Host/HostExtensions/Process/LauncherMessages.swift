import Confinement
import Foundation

/// The host's end of the pipe on which a launcher tells what came of the confinement.
final class LauncherMessages: Sendable {
    private static let longest = 4096
    private let descriptor: Int32

    /// - Parameter descriptor: Non-blocking; owned.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// What was said so far, once; `nil` if nothing that can be understood.
    func take() -> LauncherMessage? {
        var buffer = [UInt8](repeating: 0, count: Self.longest)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return LauncherMessage(String(decoding: buffer[..<count], as: UTF8.self))
    }
}
