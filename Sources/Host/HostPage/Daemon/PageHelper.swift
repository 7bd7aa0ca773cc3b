package import HostClient
package import HostInterface

/// What the page can't do itself where it is confined: reach the daemon's socket, and start programs.
package protocol PageHelper: Sendable {
    /// Connects to the daemon, and starts it if it doesn't run.
    func connect() async throws(HostError) -> HostClient
    /// Runs `mdhost doctor --json`.
    ///
    /// - Returns: What it prints.
    func doctor() async throws(HostError) -> [UInt8]
    /// Starts `mdhost demo`, or does nothing if one that was started here runs.
    func demo() async throws(HostError)
}
