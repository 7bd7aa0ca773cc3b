public import ExtensionFoundation
import ExtensionProgram
public import Foundation
public import TypeIdentifiers

/// An extension that makes the devices of one media-sharing protocol available.
///
/// Mark the conforming type `@main`. The system creates one instance per process and calls it on the main actor, in the
/// order of the requests. Except for the two volume readings, methods don't return results: report them to
/// ``MediaDeviceRoutingManager``, at any later time.
@MainActor
public protocol MediaDeviceExtension: AppExtension {
    /// The media-sharing protocol: the type that the extension's `Info.plist` exports.
    var protocolType: UTType { get }

    /// A Boolean value that indicates whether several sessions may run at once, on different devices or on one that
    /// declares it as well. If it is `false`, the host ends the session on one device before it activates another
    /// (docs/routing.md).
    var supportsSimultaneousSessions: Bool { get }

    /// Starts the discovery of devices. Report them with ``MediaDeviceRoutingManager/foundDevice(_:)``.
    func startDeviceDiscovery()

    /// Stops the discovery of devices. Devices that were reported remain.
    func stopDeviceDiscovery()

    /// Activates a device that a person picked.
    ///
    /// Answer with ``MediaDeviceRoutingManager/activatedDevice(_:session:)``,
    /// ``MediaDeviceRoutingManager/failedToActivateDevice(_:session:error:)``, or a request for a pairing code. The
    /// device can be one that this process never discovered, because the host remembers devices, and it can already be
    /// active in the session.
    ///
    /// Devices that are active in one session play together: if the session plays, the device joins the others. The
    /// host activates several devices only if all have ``MediaOutputDevice/canGroupWithCurrentlyActivatedDevices``;
    /// report a change with ``MediaDeviceRoutingManager/updateDevices(_:)``.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - session: The session that will use it.
    ///   - deviceFeatures: The capabilities that the session needs.
    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities)

    /// Continues an activation with the person's answer to a request for a pairing code.
    ///
    /// - Parameters:
    ///   - pairingCode: The code or password; `nil` if the person cancelled. Fail the activation with
    ///     `authorizationFailed` then.
    ///   - device: The device.
    ///   - session: The session.
    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession)

    /// Releases everything held for a device and a session. Other devices of the session continue to play, even if this
    /// was the first.
    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession)

    /// Sets the volume of a device with absolute volume.
    ///
    /// The host calls it for the device's own volume: `mdhost volume`, media keys, sinks, and each device of a group.
    /// An app's change goes to the control object's `volume`, or comes here if the object has the default
    /// implementation.
    ///
    /// - Parameters:
    ///   - volume: The volume, `0.0...1.0`.
    ///   - device: The device.
    func setVolume(_ volume: Float, for device: MediaOutputDevice)

    /// Returns the last known volume of a device with absolute volume, `0.0...1.0`. It must not block.
    func volume(for device: MediaOutputDevice) -> Float

    /// Changes the volume of a device with relative volume by a number of steps, negative for down.
    func changeVolume(by increments: Int, for device: MediaOutputDevice)

    /// Mutes a device, or unmutes it if it is muted.
    func muteDevice(_ device: MediaOutputDevice)

    /// Returns a Boolean value that indicates whether a device is muted, as last known. It must not block.
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool

    /// Starts playback, or an application, on the device.
    ///
    /// Answer with `MediaDeviceRoutingManager.started(application:playbackControl:session:)` or
    /// ``MediaDeviceRoutingManager/sessionFailed(_:error:)``.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - identifier: The remote application; `nil` for the device's own player.
    ///   - url: The URL of the media, or one that the application understands.
    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL)

    /// Stops playback. The host doesn't use the session's control object afterwards.
    func stopSession(_ session: MediaOutputSession)

    /// Sends data from the media app.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - applicationIdentifier: The remote application that receives the data, or `com.apple.media-device-extension`
    ///     for the extension itself.
    ///   - session: The session.
    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession)

    /// Receives data from the media app, in the spelling of early betas.
    ///
    /// Implement this method or ``sendData(_:toApplication:session:)``. If both are implemented, only the latter is
    /// called.
    func receiveData(_ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession)
}

extension MediaDeviceExtension {
    /// Passes the data to ``receiveData(_:fromApplication:session:)``, for extensions in the spelling of early betas.
    public func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        receiveData(data, fromApplication: applicationIdentifier, session: session)
    }

    /// Discards the data, because the extension accepts none.
    public func receiveData(_ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession) {
        ExtensionLog.write(
            "dropped \(data.count) bytes for \(applicationIdentifier): the extension doesn't accept data")
    }
}

/// An extension that reads media from URLs itself, and sends it to devices that accept only samples.
@MainActor
package protocol MediaReading: RealtimeSampleHandling {}

/// An extension whose devices accept live samples.
///
/// Declare ``MediaOutputDevice/Capabilities/realtimeAudioStreaming`` for such a device. Sound of this computer is then
/// delivered as samples: what programs play to the device's sink, and `mdhost stream`. A device that has only this capability
/// is never given a URL: the host reads files and URLs for it, and delivers them as 16-bit stereo at 44,100 Hz.
///
/// Declare ``MediaOutputDevice/Capabilities/realtimeVideoStreaming`` as well for a device that shows live video. The screen of
/// this computer is then delivered (`mdhost screen`): H.264 for a ``MediaVideoReader``, and its sound for a
/// ``MediaSampleReader``, 16-bit stereo at 48,000 Hz. Of a screen without sound, the samples end at once.
///
/// One delivery lasts as long as the session. While a person pauses, no samples are delivered; those that were delivered are
/// heard. After a seek, the samples of the new position follow. The host does both, and needs no control object.
@MainActor
public protocol RealtimeSampleHandling: MediaDeviceExtension {
    /// Starts the delivery of live samples to the session's devices. Read them with ``MediaSampleReader``.
    ///
    /// The host calls it instead of ``MediaDeviceExtension/startSession(_:identifier:url:)``, after the activation, and
    /// again after the extension's process was replaced. The delivery counts as started when the method returns. Report
    /// a failure with ``MediaDeviceRoutingManager/sessionFailed(_:error:)``. A call of
    /// `MediaDeviceRoutingManager.started(application:playbackControl:session:)` is allowed, not required: without a
    /// control object, sound of this computer can only be stopped. Of a file or URL, the host asks a control object to pause,
    /// to resume and for the volume; position and seeking are the host's. ``MediaOutputSession/mediaInformation`` has the
    /// title and the artist.
    func startRealtimeSampleDelivery(session: MediaOutputSession)

    /// Stops the delivery of live samples, in place of ``MediaDeviceExtension/stopSession(_:)``. Report its quality with
    /// ``MediaDeviceRoutingManager/reportQualityMetricsPassed(_:forSession:)`` before the method returns or in a task that
    /// it starts.
    ///
    /// When the samples have ended by themselves, the host calls it after the latency that the extension last reported
    /// (``RealtimeQuality/latency``), or after two seconds. Report the end earlier with
    /// ``MediaDeviceRoutingManager/sessionEnded(_:ending:)``.
    func stopRealtimeSampleDelivery(session: MediaOutputSession)
}
