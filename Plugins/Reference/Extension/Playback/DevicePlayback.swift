import Foundation
import MediaDevice
import ReferenceProtocol

/// The playback that receives a device's reports.
@MainActor
protocol DevicePlayback: AnyObject {
    /// The identifier of the playback for the receivers.
    var playbackID: String { get }
    /// Takes the state of playback, which may be about other playback.
    func heard(_ state: ReferencePlayback, from device: ReferenceDevice)
    func ended(_ id: String, _ failure: ReferenceFailure?, on device: ReferenceDevice)
    /// Responds to a connection that was lost.
    func lost(_ device: ReferenceDevice, _ error: MediaDeviceError)
    func levelChanged()
    /// Responds to a device that has answered all commands.
    func settled(_ device: ReferenceDevice)
    /// Responds to a clock that was read.
    func compared(_ device: ReferenceDevice)
    func received(_ data: Data, from application: String)
    /// Responds to a command that failed.
    func failed(_ command: ReferenceCommand, _ failure: ConnectionFailure, on device: ReferenceDevice)
}

/// The defaults for playback that such events don't concern.
extension DevicePlayback {
    func levelChanged() {}
    func settled(_ device: ReferenceDevice) {}
    func compared(_ device: ReferenceDevice) {}
    func received(_ data: Data, from application: String) {}
    func failed(_ command: ReferenceCommand, _ failure: ConnectionFailure, on device: ReferenceDevice) {}
}
