import AirPlayProtocol
import Foundation
import MediaDevice

/// The facts about a device that the extension needs again when the host remembers it, stored in the device's record.
struct AirPlayDeviceFacts: Sendable, Hashable {
    /// The authentication that the device requires.
    enum Access: String, Sendable, Hashable {
        case open, password
        /// A code on its screen, proved by the older pairing or by HomeKit's.
        case legacyCode = "legacy-code"
        case homeKitCode = "homekit-code"
        /// No authentication, but an encrypted control connection.
        case transient

        var takesCode: Bool { self == .legacyCode || self == .homeKitCode }
    }

    private static let passwordKey = "password"
    private static let metadataKey = "metadata"
    private static let accessKey = "access"
    private static let videoPortKey = "video-port"
    private static let encryptionKey = "encryption"

    let access: Access
    let metadata: Set<AirPlayRecord.Metadata>
    /// A Boolean value that indicates whether the device accepts only encrypted audio.
    let wantsEncryptedAudio: Bool
    /// The port of the service that plays URLs; `nil` if the device has none.
    let videoPort: Int?

    /// - Parameter videoPort: The port of its control service.
    init(_ facts: AirPlayReceiverFacts, videoPort: Int?) {
        access =
            switch facts.protection {
            case .none: facts.wantsTransientPairing ? .transient : .open
            case .password: .password
            case .legacyCode: .legacyCode
            case .homeKitCode: .homeKitCode
            }
        metadata = facts.metadata
        wantsEncryptedAudio = facts.wantsEncryptedAudio
        self.videoPort = videoPort
    }

    init(_ device: MediaOutputDevice) {
        let record = device.txtRecords.first
        access =
            record?[Self.accessKey].flatMap(Access.init) ?? (record?[Self.passwordKey] == "true" ? .password : .open)
        metadata = Set(
            (record?[Self.metadataKey] ?? "").split(separator: ",").compactMap { Int($0) }
                .compactMap(AirPlayRecord.Metadata.init))
        wantsEncryptedAudio = record?[Self.encryptionKey] == "rsa"
        videoPort = record?[Self.videoPortKey].flatMap { Int($0) }.flatMap { (1...65_535).contains($0) ? $0 : nil }
    }

    var record: NWTXTRecord {
        let kinds = metadata.map(\.rawValue).sorted().map { String($0) }
        var values = [Self.accessKey: access.rawValue, Self.metadataKey: kinds.joined(separator: ",")]
        values[Self.videoPortKey] = videoPort.map { String($0) }
        if wantsEncryptedAudio { values[Self.encryptionKey] = "rsa" }
        return NWTXTRecord(values)
    }
}

extension MediaOutputDevice {
    /// Creates a device from a receiver.
    ///
    /// - Parameter endpoints: The endpoints by their text. Those of a lost receiver are no longer known.
    init?(_ receiver: AirPlayCatalogue.Receiver, _ endpoints: [String: NWEndpoint]) {
        let facts = receiver.facts
        let known = receiver.endpoints.compactMap { endpoints[$0] }
        let placeholder: [NWEndpoint] = [
            .service(
                name: facts.name, type: AirPlayRecord.Service.audio.rawValue, domain: "local.", interface: nil)
        ]
        let type: DeviceType =
            switch facts.kind {
            case .speaker: .hifiSpeaker
            case .television: .tv
            case .mediaBox: .tvAndMediabox
            case .laptop: .laptopComputer
            case .desktop: .desktopComputer
            }
        var capabilities: Capabilities = []
        if facts.audioObstacle == nil { capabilities.insert(.realtimeAudioStreaming) }
        if facts.playsAddresses { capabilities.insert(.urlPlayback) }
        let videoPort = receiver.videoEndpoints.lazy.compactMap { endpoints[$0].flatMap(AirPlayAddress.init)?.port }
            .first
        self.init(
            id: UUID(version5: facts.identifier.stableText), displayName: facts.name, capabilities: capabilities,
            canGroupWithCurrentlyActivatedDevices: facts.audioObstacle == nil, deviceType: type,
            volumeControl: .absolute, canMute: true, requiredNetworkEndpoints: known.isEmpty ? placeholder : known,
            txtRecords: [AirPlayDeviceFacts(facts, videoPort: videoPort).record])
        // It plays films from URLs, but no endless sound.
        liveStreamFormat = nil
        if facts.audioObstacle == nil {
            leastLatency = StreamLatency.leastTotal
            usualLatency = StreamLatency.usualTotal
        }
    }

    /// The addresses of the audio service.
    var audioAddresses: [AirPlayAddress] {
        capabilities.contains(.realtimeAudioStreaming) ? addresses.filter { isAlone || $0.port != videoPort } : []
    }

    /// The addresses of the service that plays URLs.
    var videoAddresses: [AirPlayAddress] {
        videoPort.map { port in addresses.filter { $0.port == port } } ?? []
    }

    /// The addresses for pairing. Some receivers announce a control port on which they don't listen.
    var pairingAddresses: [AirPlayAddress] { audioAddresses + videoAddresses.filter { !audioAddresses.contains($0) } }

    private var addresses: [AirPlayAddress] { networkEndpoints.compactMap(AirPlayAddress.init) }

    private var videoPort: Int? { AirPlayDeviceFacts(self).videoPort }

    /// A Boolean value that indicates whether both services have the same port.
    private var isAlone: Bool { addresses.allSatisfy { $0.port == videoPort } }
}
