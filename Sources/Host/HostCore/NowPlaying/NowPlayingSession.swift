package import HostInterface

/// A media session as surfaces show it.
package struct NowPlayingSession: Sendable, Hashable, Identifiable {
    package enum Kind: String, Sendable {
        /// Published by an app of this machine.
        case local
        /// Playback elsewhere, represented by an app's extension.
        case remote
        /// The playback on a device.
        case route
    }

    package let id: String
    package let kind: Kind
    /// The owner: a connection of an app, or a playback on a device.
    package let owner: String
    /// Identifier of the app; of a device's playback that of the device.
    package let application: String
    /// The name of the app or device for people.
    package var name: String
    /// The name without devices.
    private let ownName: String
    package var state: MediaSessionState
    /// The volume, `0.0...1.0`; `nil` if there is none.
    package var volume: Double?
    /// Endpoints of the device that named the address of the picture; `nil` if a person or an app of this machine did.
    package let artworkEndpoints: [String]?
    package var isApplicationPrimary = false
    package var isSystemPrimary = false
    /// The error of the last command, cleared by the next success.
    package var lastError: HostError?

    package init(
        id: String, kind: Kind, owner: String, application: String, name: String, state: MediaSessionState,
        volume: Double? = nil, artworkEndpoints: [String]? = nil
    ) {
        self.artworkEndpoints = artworkEndpoints
        self.id = id
        self.kind = kind
        self.owner = owner
        self.application = application
        self.name = name
        ownName = name
        self.state = state
        self.volume = volume
    }

    /// Replaces the state of the session.
    package mutating func show(_ state: MediaSessionState) {
        self.state = state
        guard kind == .remote else { return }
        volume = SharedLevel.level(of: state.devices ?? [])
        let names = (state.devices ?? []).map(\.name).filter { !$0.isEmpty }
        name = names.isEmpty ? ownName : names.joined(separator: " + ")
    }
}

/// A change of sessions, in order.
package enum NowPlayingChange: Sendable {
    /// The session is new or has changed. Without content it isn't shown.
    case session(NowPlayingSession)
    case removed(id: String)
    /// The session for commands without a target; `nil` for none.
    case systemPrimary(String?)
    case pausesOthers(Bool)
}

/// The owner of a session, as the host reaches it.
package protocol MediaSessionPort: Sendable {
    /// Asks it for something; returns when it is done.
    func ask(_ call: MediaHandlerCall) async throws -> MediaHandlerAnswer
    /// Sets the volume of the whole session, `0.0...1.0`.
    func setVolume(_ level: Double) async throws
}
