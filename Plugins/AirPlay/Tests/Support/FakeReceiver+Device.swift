import Foundation
import MediaDevice
import Testing

@testable import AirPlayExtension

extension FakeReceiver {
    /// A speaker without a password that plays with others, where this receiver listens.
    func device(_ name: String = "Room") throws -> MediaOutputDevice {
        let number = try #require(NWEndpoint.Port(rawValue: UInt16(port)))
        return try #require(
            MediaOutputDevice(
                id: UUID(), displayName: name, capabilities: .realtimeAudioStreaming,
                canGroupWithCurrentlyActivatedDevices: true, deviceType: .hifiSpeaker, volumeControl: .absolute,
                canMute: true,
                requiredNetworkEndpoints: [.hostPort(host: NWEndpoint.Host("127.0.0.1"), port: number)],
                txtRecords: [NWTXTRecord(["password": "false", "metadata": "0,1,2"])]))
    }

    /// Returns a screen at this receiver's address that requires no code.
    ///
    /// - Parameter access: `.transient` if its connections are encrypted all the same.
    func screenDevice(takesSound: Bool = false, access: AirPlayDeviceFacts.Access = .open) throws -> MediaOutputDevice {
        let number = try #require(NWEndpoint.Port(rawValue: UInt16(port)))
        return try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Screen",
                capabilities: takesSound ? [.urlPlayback, .realtimeAudioStreaming] : .urlPlayback, deviceType: .tv,
                volumeControl: .absolute, canMute: true,
                requiredNetworkEndpoints: [.hostPort(host: NWEndpoint.Host("127.0.0.1"), port: number)],
                txtRecords: [NWTXTRecord(["access": access.rawValue, "metadata": "", "video-port": String(port)])]))
    }
}
