import HostInterface

/// The wrong codes and passwords that devices refused, as a value without I/O.
///
/// Some devices accept any number of wrong codes. After ``free`` of them, a device isn't asked for a while, whichever client
/// tries: 10 s, then twice as long after each further wrong code, up to five minutes. The right code, or an hour without a
/// wrong one, ends this. Times are those since any one moment.
struct WrongCodes: Sendable {
    /// The number of wrong codes without a wait: those of two activations.
    static let free = 2 * MediaHost.codeAttempts
    static let shortestWait = Duration.seconds(10)
    static let longestWait = Duration.seconds(300)
    static let memory = Duration.seconds(3_600)

    private struct Entry {
        var count = 0
        var last = Duration.zero

        /// The end of the wait.
        var end: Duration {
            guard count >= WrongCodes.free else { return last }
            let factor = 1 << min(count - WrongCodes.free, 16)
            return last + min(WrongCodes.shortestWait * factor, WrongCodes.longestWait)
        }
    }

    private var entries: [String: Entry] = [:]

    /// Records a code before the device judges it.
    mutating func add(_ device: String, now: Duration) {
        entries = entries.filter { now - $0.value.last < Self.memory }
        entries[device, default: Entry()].count += 1
        entries[device]?.last = now
    }

    /// Removes the last code, which the device didn't judge.
    mutating func takeBack(_ device: String) {
        guard let entry = entries[device] else { return }
        entries[device]?.count = entry.count - 1
    }

    /// Records that the last code was right.
    mutating func clear(_ device: String) { entries[device] = nil }

    /// Checks that a device may be asked.
    ///
    /// - Parameter name: The name of the device, for the error.
    /// - Throws: ``HostError`` `authorization-failed` while the device has to be left alone.
    func check(_ device: String, name: String, now: Duration) throws(HostError) {
        guard let end = entries[device]?.end, end > now else { return }
        let seconds = Int((end - now).components.seconds) + 1
        throw HostError(
            .authorizationFailed, "Too many wrong codes for \(name). Wait \(seconds) s, then try again.",
            remedy: "Check the code, wait, then run `mdhost pair` again.")
    }
}
