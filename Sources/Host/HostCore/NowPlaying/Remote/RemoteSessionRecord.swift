import Foundation
import HostInterface
import PushInterface

/// A session that is over, as late pushes are told from new ones.
package struct EndedSession: Sendable, Hashable {
    package let application: String
    package let session: String

    package init(application: String, session: String) {
        self.application = application
        self.session = session
    }
}

/// A remote session as it is kept over restarts.
package struct RemoteSessionRecord: Codable, Sendable, Hashable, Identifiable {
    /// Counts all that ever began; never used again.
    package let number: Int
    /// Identifier of the attributes; unique for one app.
    package let session: String
    /// Identifier of the app.
    package let application: String
    /// What people call the app.
    package var name: String
    /// `CFBundleIdentifier` of the extension that represents it.
    package var extensionIdentifier: String
    /// The newest attributes the extension has taken; `nil` before the first.
    package var attributes: Data?
    /// Those that came after them and were not taken yet.
    package var pending: Data?
    /// Of the newest push; `nil` before the first.
    package var pushTimestamp: Int64?
    /// `apns-id` of those of that second.
    private var pushIdentifiers: [String]?
    /// What it showed last, and how to read the instants in it: `CLOCK_MONOTONIC` minus the time since 1970, when it was
    /// shown.
    package var shown = MediaSessionState()
    package var clockOffset = 0.0
    /// Whether nothing newer was shown than what is kept here.
    package var isCurrent = false

    package init(number: Int, session: String, application: String, name: String, extensionIdentifier: String) {
        self.number = number
        self.session = session
        self.application = application
        self.name = name
        self.extensionIdentifier = extensionIdentifier
    }

    /// Which pushes were the newest.
    package var pushOrder: PushOrder {
        get { PushOrder(timestamp: pushTimestamp, identifiers: pushIdentifiers ?? []) }
        set { (pushTimestamp, pushIdentifiers) = (newValue.timestamp, newValue.identifiers) }
    }

    /// As a media session.
    package var id: String { "remote\(number)" }

    /// The newest attributes there are.
    package var newestAttributes: Data? { pending ?? attributes }

    /// Keeps what is shown.
    ///
    /// - Parameter clockOffset: `CLOCK_MONOTONIC` minus the time since 1970, now.
    package mutating func show(_ state: MediaSessionState, clockOffset: Double) {
        shown = state
        self.clockOffset = clockOffset
    }

    /// What it shows, with instants that hold now: the machine may have been started again since.
    package func state(clockOffset: Double) -> MediaSessionState {
        var state = shown
        state.playback?.position?.hostTime += clockOffset - self.clockOffset
        return state
    }
}
