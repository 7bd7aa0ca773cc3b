import ExtensionFoundation
import ExtensionProgram
import Foundation
import TypeIdentifiers

/// An extension that makes devices of one media-sharing protocol usable.
///
/// Mark the conforming type `@main`; the system creates one instance per process and calls it on the main actor, in the
/// order the requests were made. No method answers by a return value other than the two volume readings: outcomes are
/// reported through ``MediaDeviceRoutingManager``, at any later time.
@MainActor
public protocol MediaDeviceExtension: AppExtension {
    /// The media-sharing protocol: the type exported by the extension's `Info.plist`.
    var protocolType: UTType { get }

    /// Whether several sessions may run at once.
    var supportsSimultaneousSessions: Bool { get }

    /// Somebody looks for devices: start scans and report through ``MediaDeviceRoutingManager/foundDevice(_:)``.
    func startDeviceDiscovery()

    /// Nobody looks any more: end the scans. Devices reported are not lost by that.
    func stopDeviceDiscovery()

    /// A person picked the device. Devices that are activated in one session are used together: what the session plays, this
    /// one is to play with the others. It may come while it plays, and only where all of them say
    /// ``MediaOutputDevice/canGroupWithCurrentlyActivatedDevices``; report them with
    /// ``MediaDeviceRoutingManager/updateDevices(_:)`` then. It may also be active in the session already.
    ///
    /// Answer with ``MediaDeviceRoutingManager/activatedDevice(_:session:)``,
    /// ``MediaDeviceRoutingManager/failedToActivateDevice(_:session:error:)``, or a request for a pairing code. The device
    /// may be one that this process never found: the host remembers devices.
    ///
    /// - Parameter deviceFeatures: What the device is wanted for.
    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities)

    /// The person's answer to a request for a pairing code.
    ///
    /// - Parameter pairingCode: A code or password; `nil` when the person cancelled, which fails the activation with
    ///   `authorizationFailed`.
    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession)

    /// The device is not wanted any more: release everything held for it and the session. Others in the session play on, also
    /// where this was the first.
    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession)

    /// Sets the level of a device with absolute volume; `0.0...1.0`.
    ///
    /// Called for what people set at the device: `mdhost volume`, media keys, sinks, and for each device of several that are used
    /// together. What an app sets at the playback goes to the control object's `volume`, or comes here where the object leaves
    /// that to its default.
    func setVolume(_ volume: Float, for device: MediaOutputDevice)

    /// The level of a device with absolute volume, `0.0...1.0`, from what the extension knows: it must not block.
    func volume(for device: MediaOutputDevice) -> Float

    /// Changes the level of a device with relative volume by so many steps, up or down.
    func changeVolume(by increments: Int, for device: MediaOutputDevice)

    /// Mutes a device that can be muted; if it is muted, unmutes it.
    func muteDevice(_ device: MediaOutputDevice)

    /// Whether a device that can be muted is, from what the extension knows.
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool

    /// Starts playback, or an application on the device.
    ///
    /// Answer with ``MediaDeviceRoutingManager/started(application:playbackControl:session:)`` or
    /// ``MediaDeviceRoutingManager/sessionFailed(_:error:)``.
    ///
    /// - Parameters:
    ///   - identifier: The remote application; `nil` for the device's own player.
    ///   - url: The media, or what the application understands.
    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL)

    /// Ends playback; the control object of the session is not used any more.
    func stopSession(_ session: MediaOutputSession)

    /// Takes bytes from the media app.
    ///
    /// - Parameter applicationIdentifier: The remote application to forward them to, or
    ///   `com.apple.media-device-extension` when they are meant for the extension itself.
    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession)

    /// Takes bytes from the media app, in the spelling of early betas.
    ///
    /// Implement this one or ``sendData(_:toApplication:session:)``; with both, only the latter is called.
    func receiveData(_ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession)
}

extension MediaDeviceExtension {
    /// Hands the bytes to ``receiveData(_:fromApplication:session:)``, for extensions in the spelling of early betas.
    public func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        receiveData(data, fromApplication: applicationIdentifier, session: session)
    }

    /// Drops the bytes: the extension takes no data.
    public func receiveData(_ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession) {
        ExtensionLog.write("dropped \(data.count) bytes for \(applicationIdentifier): the extension takes no data")
    }
}

/// An extension whose devices take audio or video samples live.
///
/// No samples cross this protocol: it tells when to begin and when to end.
@MainActor
public protocol RealtimeSampleHandling: MediaDeviceExtension {
    func startRealtimeSampleDelivery(session: MediaOutputSession)
    /// Report with ``MediaDeviceRoutingManager/reportQualityMetricsPassed(_:forSession:)``.
    func stopRealtimeSampleDelivery(session: MediaOutputSession)
}
