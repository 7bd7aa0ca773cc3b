import HostInterface

/// A device on which a remote session plays.
///
/// The module `MediaDevice` is unrelated. If a file imports both, write `NowPlaying::MediaDevice`.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct MediaDevice: Identifiable, Sendable {
    /// The kind of a device, which determines its icon. Its encoded form is the name of the case.
    public enum DeviceType: String, Codable, Equatable, Hashable, Sendable {
        /// A car.
        case car
        /// A desktop computer.
        case desktop
        /// A game console.
        case gamingConsole
        /// A portable computer.
        case laptop
        /// A media stick in a television.
        case mediaStick
        /// A phone.
        case phone
        /// A set-top box.
        case setTopBox
        /// A loudspeaker.
        case speaker
        /// A tablet.
        case tablet
        /// A television.
        case tv
        /// A wearable device.
        case wearable
        /// A browser.
        case web
    }

    /// A feature of the device that a person can control.
    public struct Capability: Sendable {
        enum Kind: Sendable {
            case absoluteVolume(Float, @Sendable (Float) async throws -> Void)
            case relativeVolume(
                increment: @Sendable () async throws -> Void, decrement: @Sendable () async throws -> Void)
        }

        let kind: Kind

        /// Returns the capability to set the volume to a level.
        ///
        /// - Parameters:
        ///   - currentLevel: The current volume, `0.0...1.0`.
        ///   - onChange: A closure that receives the requested volume, `0.0...1.0`.
        public static func absoluteVolume(
            _ currentLevel: Float, onChange: @escaping @Sendable (Float) async throws -> Void
        ) -> Capability {
            Capability(kind: .absoluteVolume(currentLevel, onChange))
        }

        /// Returns the capability to change the volume in steps.
        ///
        /// - Parameters:
        ///   - onIncrement: A closure that raises the volume by one step.
        ///   - onDecrement: A closure that lowers the volume by one step.
        public static func relativeVolume(
            onIncrement: @escaping @Sendable () async throws -> Void,
            onDecrement: @escaping @Sendable () async throws -> Void
        ) -> Capability {
            Capability(kind: .relativeVolume(increment: onIncrement, decrement: onDecrement))
        }
    }

    /// The identifier of the device: unique, and the same in every session and after a restart.
    public let id: String
    /// The name of the device.
    public let name: String
    /// The kind of the device.
    public let type: DeviceType
    /// The features that a person can control; can be empty.
    public let capabilities: [Capability]

    /// Creates a description of a device.
    public init(id: String, name: String, type: DeviceType, capabilities: [Capability]) {
        self.id = id
        self.name = name
        self.type = type
        self.capabilities = capabilities
    }
}

extension MediaDevice: Equatable {
    /// Returns a Boolean value that indicates whether two devices look the same to a person: the same identifier, name,
    /// type, controls and levels.
    public static func == (one: MediaDevice, other: MediaDevice) -> Bool {
        one.id == other.id && one.name == other.name && one.type == other.type
            && one.capabilities.map(\.shown) == other.capabilities.map(\.shown)
    }
}

extension MediaDevice {
    /// The device without its closures.
    var shown: MediaSessionDevice {
        let level = capabilities.lazy.compactMap(\.shown).first { $0.isFinite }
        return MediaSessionDevice(
            id: id, name: name, type: type.rawValue, level: level.map { Double(min(1, max(0, $0))) },
            isStepped: capabilities.contains { if case .relativeVolume = $0.kind { true } else { false } })
    }

    /// Sets the volume.
    ///
    /// - Parameter level: The volume, `0.0...1.0`.
    /// - Throws: The error of the app's closure, or ``HostError`` `not-supported`.
    func setVolume(_ level: Float) async throws {
        for capability in capabilities {
            if case .absoluteVolume(_, let change) = capability.kind { return try await change(level) }
        }
        throw HostError(.notSupported, "\(name) has no volume that can be set.")
    }

    /// Changes the volume in steps.
    ///
    /// - Parameter steps: The number of steps; negative to lower the volume.
    /// - Throws: The error of the app's closure, or ``HostError`` `not-supported`.
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
    /// The volume; `nil` for a volume that only changes in steps.
    fileprivate var shown: Float? {
        if case .absoluteVolume(let level, _) = kind { level } else { nil }
    }
}
