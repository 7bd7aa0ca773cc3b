import Foundation

/// Programs of the machine that some suites need.
enum Requirements {
    static let hasServer = ["/usr/bin/mpd", "/usr/local/bin/mpd"].contains(where: FileManager.default.isExecutableFile)
    static let hasClient = FileManager.default.isExecutableFile(atPath: "/usr/bin/mpc")
    static let hasBoth = hasServer && hasClient
    static let reason = "mpd and mpc are not installed"
}
