import HostInterface

/// A media session as surfaces show it.
package struct NowPlayingSession: Sendable, Hashable, Identifiable {
    package enum Kind: String, Sendable {
        /// Published by an app of this machine.
        case local
        /// Playback elsewhere, represented by an app's extension.
        case remote
        /// What a device plays.
        case route
    }

    package let id: String
    package let kind: Kind
    /// Who published it: one connection of an app, or one playback on a device.
    package let owner: String
    /// Identifier of the app; of a device's playback that of the device.
    package let application: String
    /// What people call the app or the device.
    package var name: String
    /// The name it has while no device is told.
    private let ownName: String
    package var state: MediaSessionState
    /// `0.0...1.0`; `nil` where it has none.
    package var volume: Double?
    /// Endpoints of the device that named the address of the picture; `nil` where a person or an app of this machine did.
    package let artworkEndpoints: [String]?
    package var isApplicationPrimary = false
    package var isSystemPrimary = false
    /// Of the last command; cleared by the next that works.
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

    /// Takes over what its owner shows now.
    package mutating func show(_ state: MediaSessionState) {
        self.state = state
        guard kind == .remote else { return }
        volume = SharedLevel.level(of: state.devices ?? [])
        let names = (state.devices ?? []).map(\.name).filter { !$0.isEmpty }
        name = names.isEmpty ? ownName : names.joined(separator: " + ")
    }
}

/// What changed, in order.
package enum NowPlayingChange: Sendable {
    /// It is new or changed; it may have no content, and is then not to be shown.
    case session(NowPlayingSession)
    case removed(id: String)
    /// Whom commands without an address mean; `nil`: there is nobody.
    case systemPrimary(String?)
    case pausesOthers(Bool)
}

/// The owner of a session, as the host reaches it.
package protocol MediaSessionPort: Sendable {
    /// Asks it for something; returns when it is done.
    func ask(_ call: MediaHandlerCall) async throws -> MediaHandlerAnswer
    /// Of the whole session: `0.0...1.0`.
    func setVolume(_ level: Double) async throws
}
