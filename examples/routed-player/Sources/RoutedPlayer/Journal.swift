import Foundation

/// Prints one line for each thing the app sees, at once.
enum Journal {
    static func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
