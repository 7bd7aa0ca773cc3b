package import Foundation
package import HostInterface
package import PushInterface

/// A session that has ended, by which late pushes are distinguished from new ones.
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
    /// The identifier of the attributes, unique for one app.
    package let session: String
    /// Identifier of the app.
    package let application: String
    /// The app's name for people.
    package var name: String
    /// `CFBundleIdentifier` of the extension that represents it.
    package var extensionIdentifier: String
    /// The newest attributes the extension has taken; `nil` before the first.
    package var attributes: Data?
    /// The later attributes that the extension hasn't accepted yet.
    package var pending: Data?
    /// The time of the newest push; `nil` before the first.
    package var pushTimestamp: Int64?
    /// The `apns-id` of the pushes at that time.
    private var pushIdentifiers: [String]?
    /// The last state, and its `CLOCK_MONOTONIC` minus the time since 1970, by which its times can be converted.
    package var shown = MediaSessionState()
    package var clockOffset = 0.0
    /// A Boolean value that indicates whether the stored state is the newest one.
    package var isCurrent = false

    package init(number: Int, session: String, application: String, name: String, extensionIdentifier: String) {
        self.number = number
        self.session = session
        self.application = application
        self.name = name
        self.extensionIdentifier = extensionIdentifier
    }

    /// The order of the newest pushes.
    package var pushOrder: PushOrder {
        get { PushOrder(timestamp: pushTimestamp, identifiers: pushIdentifiers ?? []) }
        set { (pushTimestamp, pushIdentifiers) = (newValue.timestamp, newValue.identifiers) }
    }

    /// The identifier as a media session.
    package var id: String { "remote\(number)" }

    /// The newest attributes there are.
    package var newestAttributes: Data? { pending ?? attributes }

    /// Stores the state that is shown.
    ///
    /// - Parameter clockOffset: The current `CLOCK_MONOTONIC` minus the time since 1970.
    package mutating func show(_ state: MediaSessionState, clockOffset: Double) {
        shown = state
        self.clockOffset = clockOffset
    }

    /// Returns the state with times for the current clock, because the computer may have restarted.
    package func state(clockOffset: Double) -> MediaSessionState {
        var state = shown
        state.playback?.position?.hostTime += clockOffset - self.clockOffset
        return state
    }
}
