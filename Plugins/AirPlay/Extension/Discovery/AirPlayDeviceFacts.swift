import AirPlayProtocol
import Foundation
import MediaDevice

/// What the extension has to know of a device again that the host remembers, in the device's own record.
struct AirPlayDeviceFacts: Sendable, Hashable {
    private static let passwordKey = "password"
    private static let metadataKey = "metadata"

    /// Whether it said that it wants a password.
    let asksForPassword: Bool
    let metadata: Set<AirPlayRecord.Metadata>

    init(_ facts: AirPlayReceiverFacts) {
        asksForPassword = facts.protection == .password
        metadata = facts.metadata
    }

    init(_ device: MediaOutputDevice) {
        let record = device.txtRecords.first
        asksForPassword = record?[Self.passwordKey] == "true"
        metadata = Set(
            (record?[Self.metadataKey] ?? "").split(separator: ",").compactMap { Int($0) }
                .compactMap(AirPlayRecord.Metadata.init))
    }

    var record: NWTXTRecord {
        let kinds = metadata.map(\.rawValue).sorted().map { String($0) }
        return NWTXTRecord([
            Self.passwordKey: asksForPassword ? "true" : "false", Self.metadataKey: kinds.joined(separator: ","),
        ])
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
        self.init(
            id: UUID(version5: facts.identifier.stableText), displayName: facts.name,
            capabilities: .realtimeAudioStreaming, canGroupWithCurrentlyActivatedDevices: true, deviceType: type,
            volumeControl: .absolute, canMute: true, requiredNetworkEndpoints: known.isEmpty ? placeholder : known,
            txtRecords: [AirPlayDeviceFacts(facts).record])
    }
}
