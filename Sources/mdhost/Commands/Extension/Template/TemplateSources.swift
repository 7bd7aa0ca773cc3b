/// The program of a new extension, as it is for the name “Kitchen”.
enum TemplateSources {
    static let `extension` = #"""
        import Foundation
        import MediaDevice

        /// Makes Kitchen devices usable.
        @main
        final class KitchenExtension: MediaDeviceExtension {
            let protocolType = UTType(exportedAs: "org.example.kitchen")

            private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
            private var browser: NWBrowser?
            private var levels: [MediaOutputDevice.ID: Float] = [:]
            private var players: [MediaOutputSession.ID: KitchenPlayer] = [:]

            // MARK: Discovery

            func startDeviceDiscovery() {
                // A device that lives in this process, so that there is one to try. Remove it once you have real ones.
                let place = NWEndpoint.hostPort(host: "127.0.0.1", port: 9)
                if let sample = Self.device("sample", "Kitchen Sample", at: [place]) {
                    host.foundDevice(sample)
                }
                // What is browsed for stands in Info.plist too, as NSBonjourServices.
                let browser = NWBrowser(for: .bonjourWithTXTRecord(type: "_kitchen._tcp", domain: nil), using: .tcp)
                browser.browseResultsChangedHandler = { [weak self] _, changes in
                    MainActor.assumeIsolated { for change in changes { self?.take(change) } }
                }
                browser.start(queue: .main)
                self.browser = browser
            }

            func stopDeviceDiscovery() {
                browser?.cancel()
                browser = nil
            }

            private func take(_ change: NWBrowser.Result.Change) {
                switch change {
                case .added(let result), .changed(_, let result, _): Self.device(result).map(host.foundDevice)
                case .removed(let result): Self.device(result).map(host.lostDevice)
                case .identical: break
                }
            }

            /// `nil` for one whose TXT record has no serial number under `id`: it could not be told from another one.
            private static func device(_ result: NWBrowser.Result) -> MediaOutputDevice? {
                guard case .service(let name, _, _, _) = result.endpoint, case .bonjour(let record) = result.metadata,
                    let serial = record["id"], !serial.isEmpty
                else { return nil }
                let places = result.resolvedEndpoints.isEmpty ? [result.endpoint] : result.resolvedEndpoints
                return device(serial, name, at: places)
            }

            private static func device(
                _ serial: String, _ name: String, at endpoints: [NWEndpoint]
            ) -> MediaOutputDevice? {
                // Never from the name or the address: these change, and what is stored for the device hangs on it.
                MediaOutputDevice(
                    id: UUID(version5: "kitchen:\(serial)"), displayName: name, capabilities: .urlPlayback,
                    canGroupWithCurrentlyActivatedDevices: false, deviceType: .hifiSpeaker, volumeControl: .absolute,
                    canMute: false, requiredNetworkEndpoints: endpoints)
            }

            // MARK: Activation

            func activateDevice(
                _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
            ) {
                // Connect to the device here.
                host.activatedDevice(device, session: session)
            }

            func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
                guard let pairingCode, pairingCode == "1234" else {
                    let error = MediaDeviceError(.authorizationFailed, reason: "\(device.displayName) wants another code.")
                    return host.failedToActivateDevice(device, session: session, error: error)
                }
                // Kept by the system; `host.credential(for:)` gives it back the next time.
                host.setCredential(Data(pairingCode.utf8), for: device)
                host.activatedDevice(device, session: session)
            }

            func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
                // Close the connection here.
                players[session.id] = nil
            }

            // MARK: Volume

            func setVolume(_ volume: Float, for device: MediaOutputDevice) { levels[device.id] = volume }

            func volume(for device: MediaOutputDevice) -> Float { levels[device.id] ?? 0.5 }

            // A device that can be muted, or whose level moves by steps, takes muteDevice and isDeviceMuted, or changeVolume.

            // MARK: Playback

            func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
                // Tell the device to play `url` here, and report once it does.
                let player = KitchenPlayer(url: url, information: session.mediaInformation)
                players[session.id] = player
                host.started(application: identifier, playbackControl: player, session: session)
            }

            func stopSession(_ session: MediaOutputSession) { players[session.id] = nil }
        }

        """#

    static let player = #"""
        import Foundation
        import MediaDevice
        import Observation

        /// What plays on a Kitchen device: here a clock that counts; a real one sends each write to the device, and shows
        /// what the device answers.
        @MainActor
        @Observable
        final class KitchenPlayer: AVPlaybackUserInterfaceControllable {
            let metadata: AVPlaybackUserInterfaceContentMetadata
            let timeRange: CMTimeRange
            private(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition

            init(url: URL, information: MediaOutputSession.MediaInformation?) {
                metadata = AVPlaybackUserInterfaceContentMetadata(
                    title: information?.title ?? url.lastPathComponent, subtitle: information?.artist)
                timeRange = CMTimeRange(start: .zero, duration: Self.time(information?.duration ?? 180))
                playbackPosition = Self.position(information?.startPosition ?? 0, rate: 1)
            }

            // MARK: Playing

            var isPlaying: Bool {
                get { playbackPosition.rate != 0 }
                set { playbackPosition = Self.position(currentPlaybackPosition.seconds, rate: newValue ? 1 : 0) }
            }

            func seek(to position: CMTime, tolerance: CMTime) {
                playbackPosition = Self.position(position.seconds, rate: playbackPosition.rate)
            }

            var isReady: Bool { true }
            var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { .seek }

            // Speeds, scanning, muting, languages and subtitles are left out: the device cannot do them, so people are not
            // offered them. Add `playbackSpeed`, `scanSpeed` and `state`, `isMuted`, `volume` or `audioOptions` for one that can.

            private static func position(_ seconds: Double, rate: Float) -> AVPlaybackUserInterfacePlaybackPosition {
                AVPlaybackUserInterfacePlaybackPosition(
                    position: time(seconds), hostTime: CMClockGetTime(.hostTimeClock), rate: rate)
            }

            private static func time(_ seconds: Double) -> CMTime {
                CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
            }
        }

        """#
}
