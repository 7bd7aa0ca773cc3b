import Foundation

/// The way in which an extension's process ended.
package struct ExtensionExit: Sendable, Hashable {
    package enum Status: Sendable, Hashable {
        case exited(Int32)
        case signalled(Int32)
    }

    package let status: Status
    /// The reason for which the host ended it, if it did: `sent no greeting within 5 seconds`.
    package let hostReason: String?
    /// The message that the runtime printed before a crash, if any.
    package let banner: String?
    /// A Boolean value that indicates whether the host asked the process to stop.
    package let wasAsked: Bool

    package init(status: Status, hostReason: String? = nil, banner: String? = nil, wasAsked: Bool = false) {
        self.status = status
        self.hostReason = hostReason
        self.banner = banner
        self.wasAsked = wasAsked
    }

    /// Creates a value from the status of `waitpid`.
    init(waitStatus: Int32, hostReason: String?, banner: String?, wasAsked: Bool) {
        let signal = waitStatus & 0x7F
        self.init(
            status: signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal), hostReason: hostReason,
            banner: banner, wasAsked: wasAsked)
    }

    /// A clause that follows the extension's name: `was killed by signal 11 (Segmentation fault)`.
    package var clause: String {
        if let hostReason { return "was ended because it \(hostReason)" }
        var text =
            switch status {
            case .exited(let code): "ended with status \(code)"
            case .signalled(let signal): "was killed by signal \(signal) (\(String(cString: strsignal(signal))))"
            }
        if let banner { text += ": \(banner)" }
        return text
    }
}
