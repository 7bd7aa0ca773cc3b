import HostInterface

/// A device on which a remote session plays.
///
/// The module `MediaDevice` is something else. Where both are imported, write `NowPlaying::MediaDevice`.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct MediaDevice: Identifiable, Sendable {
    /// What kind of device it is; surfaces choose its icon by it. Encoded as the case's name.
    public enum DeviceType: String, Codable, Equatable, Hashable, Sendable {
        /// A car.
        case car
        /// A computer on a desk.
        case desktop
        /// A game console.
        case gamingConsole
        /// A portable computer.
        case laptop
        /// A stick in a television.
        case mediaStick
        /// A phone.
        case phone
        /// A box at a television.
        case setTopBox
        /// A loudspeaker.
        case speaker
        /// A tablet.
        case tablet
        /// A television.
        case tv
        /// Something that is worn.
        case wearable
        /// A browser.
        case web
    }

    /// Something of the device that a person can control.
    public struct Capability: Sendable {
        enum Kind: Sendable {
            case absoluteVolume(Float, @Sendable (Float) async throws -> Void)
            case relativeVolume(
                increment: @Sendable () async throws -> Void, decrement: @Sendable () async throws -> Void)
        }

        let kind: Kind

        /// A volume that is set.
        ///
        /// - Parameters:
        ///   - currentLevel: `0.0...1.0`.
        ///   - onChange: Receives the level that is wanted, `0.0...1.0`.
        public static func absoluteVolume(
            _ currentLevel: Float, onChange: @escaping @Sendable (Float) async throws -> Void
        ) -> Capability {
            Capability(kind: .absoluteVolume(currentLevel, onChange))
        }

        /// A volume that only moves, by one step a call.
        public static func relativeVolume(
            onIncrement: @escaping @Sendable () async throws -> Void,
            onDecrement: @escaping @Sendable () async throws -> Void
        ) -> Capability {
            Capability(kind: .relativeVolume(increment: onIncrement, decrement: onDecrement))
        }
    }

    /// The same for the same device in every session and after a restart; nothing else here has it.
    public let id: String
    /// What people call it.
    public let name: String
    /// What kind of device it is.
    public let type: DeviceType
    /// What can be controlled; may be empty.
    public let capabilities: [Capability]

    /// A device as the app knows it.
    public init(id: String, name: String, type: DeviceType, capabilities: [Capability]) {
        self.id = id
        self.name = name
        self.type = type
        self.capabilities = capabilities
    }
}

extension MediaDevice: Equatable {
    /// Whether a person sees the same device: the same identifier, name, type, controls and levels.
    public static func == (one: MediaDevice, other: MediaDevice) -> Bool {
        one.id == other.id && one.name == other.name && one.type == other.type
            && one.capabilities.map(\.shown) == other.capabilities.map(\.shown)
    }
}

extension MediaDevice {
    /// The same without what only its app can do.
    var shown: MediaSessionDevice {
        let level = capabilities.lazy.compactMap(\.shown).first { $0.isFinite }
        return MediaSessionDevice(
            id: id, name: name, type: type.rawValue, level: level.map { Double(min(1, max(0, $0))) },
            isStepped: capabilities.contains { if case .relativeVolume = $0.kind { true } else { false } })
    }

    /// - Parameter level: `0.0...1.0`.
    /// - Throws: What the app throws, or ``HostError`` `not-supported`.
    func setVolume(_ level: Float) async throws {
        for capability in capabilities {
            if case .absoluteVolume(_, let change) = capability.kind { return try await change(level) }
        }
        throw HostError(.notSupported, "\(name) has no volume that can be set.")
    }

    /// - Parameter steps: Upwards, or downwards where negative.
    /// - Throws: What the app throws, or ``HostError`` `not-supported`.
    func stepVolume(_ steps: Int) async throws {
        for capability in capabilities {
            guard case .relativeVolume(let increment, let decrement) = capability.kind else { continue }
            for _ in 0..<abs(steps) { try await steps > 0 ? increment() : decrement() }
            return
        }
        throw HostError(.notSupported, "The volume of \(name) does not move by steps.")
    }
}

extension MediaDevice.Capability {
    /// The level; `nil` for a volume that only moves.
    fileprivate var shown: Float? {
        if case .absoluteVolume(let level, _) = kind { level } else { nil }
    }
}
