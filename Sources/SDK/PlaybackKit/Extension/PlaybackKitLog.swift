import Foundation

/// Writes to standard error, which the host keeps: `mdhost extension logs NAME`.
enum PlaybackKitLog {
    static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
