import AirPlayProtocol
import Foundation
import MediaDevice

/// What the extension has to know of a device again that the host remembers, in the device's own record.
struct AirPlayDeviceFacts: Sendable, Hashable {
    /// What it takes to be let in.
    enum Access: String, Sendable, Hashable {
        case open, password
        /// A code on its screen, proved by the older pairing or by HomeKit's.
        case legacyCode = "legacy-code"
        case homeKitCode = "homekit-code"
        /// Nothing, but its control connection is encrypted.
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
    /// Whether it takes sound only encrypted.
    let wantsEncryptedAudio: Bool
    /// Where it takes addresses; `nil` where it does not.
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
    /// - Parameter endpoints: By their text; a lost receiver's are not known any more.
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
    }

    /// Where it takes live sound.
    var audioAddresses: [AirPlayAddress] {
        capabilities.contains(.realtimeAudioStreaming) ? addresses.filter { isAlone || $0.port != videoPort } : []
    }

    /// Where it takes addresses.
    var videoAddresses: [AirPlayAddress] {
        videoPort.map { port in addresses.filter { $0.port == port } } ?? []
    }

    /// Where it is paired with: some announce a control port on which nobody listens.
    var pairingAddresses: [AirPlayAddress] { audioAddresses + videoAddresses.filter { !audioAddresses.contains($0) } }

    private var addresses: [AirPlayAddress] { networkEndpoints.compactMap(AirPlayAddress.init) }

    private var videoPort: Int? { AirPlayDeviceFacts(self).videoPort }

    /// Both services on one port.
    private var isAlone: Bool { addresses.allSatisfy { $0.port == videoPort } }
}
