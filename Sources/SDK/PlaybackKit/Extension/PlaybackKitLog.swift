import Foundation

/// A log on standard error, which the host keeps; `mdhost extension logs NAME` shows it.
enum PlaybackKitLog {
    static func write(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8)) }
}
