/// The program of a new extension, as it is for the name “Kitchen”.
enum TemplateSources {
    static let `extension` = #"""
        import Foundation
        import PlaybackKit

        /// Makes Kitchen devices usable.
        @main
        final class KitchenExtension: SamplePlayerExtension {
            let protocolType = UTType(exportedAs: "org.example.kitchen")
            lazy var players = PlayerController(KitchenProtocol(), for: self)
        }

        /// The discovery of and connection to Kitchen devices.
        struct KitchenProtocol: PlayerProtocol {
            // Info.plist declares it too, as NSBonjourServices.
            let sources = [SightingSource.bonjour("_kitchen._tcp")]

            // A simulated device, so that there is one to try. Remove it once you have real ones.
            var ownDevices: [MediaOutputDevice] {
                [device("sample", "Kitchen Sample", at: [.hostPort(host: "127.0.0.1", port: 9)])].compactMap(\.self)
            }

            func identity(of sighting: Sighting) -> String? {
                // Not the name or the address: these change, and stored data refers to the identifier.
                guard let serial = sighting.record["id"], !serial.isEmpty else { return nil }
                return serial
            }

            func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? {
                device(identity, sightings[0].name, at: sightings.flatMap(\.endpoints))
            }

            private func device(_ serial: String, _ name: String, at endpoints: [NWEndpoint]) -> MediaOutputDevice? {
                MediaOutputDevice(
                    id: UUID(version5: "kitchen:\(serial)"), displayName: name,
                    capabilities: [.urlPlayback, .realtimeAudioStreaming, .realtimeVideoStreaming],
                    canGroupWithCurrentlyActivatedDevices: false, deviceType: .tv, volumeControl: .absolute,
                    canMute: false, requiredNetworkEndpoints: endpoints)
            }

            func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> KitchenPlayer {
                // Connect to the device here.
                KitchenPlayer(device)
            }
        }

        """#

    static let player = #"""
        import Foundation
        import PlaybackKit

        /// A Kitchen device in use, simulated by a clock. A real one gets each request, and its answers are reported.
        actor KitchenPlayer: LiveVideoPlayer {
            nonisolated let events: AsyncStream<PlayerEvent>
            private let sink: AsyncStream<PlayerEvent>.Continuation
            private let device: MediaOutputDevice
            private var level = PlayerLevel(volume: 0.5, isMuted: nil) { didSet { sink.yield(.level(level)) } }
            private var run: PlaybackRun?
            private var state = PlaybackSnapshot(isPlaying: false, position: 0)

            init(_ device: MediaOutputDevice) {
                self.device = device
                (events, sink) = PlayerEvent.makeStream()
                sink.yield(.level(level))
            }

            func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
                // Make the device play `media.url` here, and throw its errors.
                begin(media, as: run)
                return nil
            }

            func play(_ samples: PlayableSamples, as run: PlaybackRun) async throws(MediaDeviceError) {
                self.run = nil
                // Send each block to the device here. The blocks come at the speed at which they are heard.
                for await _ in samples {}
            }

            func play(
                _ video: PlayableVideo, with samples: PlayableSamples?, as run: PlaybackRun
            ) async throws(MediaDeviceError) {
                self.run = nil
                // Send each picture to the device here, in H.264. The sound comes at the same time.
                let listening = Task { if let samples { for await _ in samples {} } }
                for await _ in video {}
                listening.cancel()
            }

            func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
                // A device that plays on without this process is asked here whether it still plays `media.url`.
                false
            }

            func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
                switch wish {
                case .setPlaying(let isPlaying): report { $0.isPlaying = isPlaying }
                case .seek(let position): report { $0.position = position }
                case .setVolume(let volume): level.volume = volume
                // Speeds, muting, languages and subtitles: the device can't, so people aren't offered them.
                default: throw MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "The device can't do that.")
                }
            }

            func stop(_ run: PlaybackRun) { if self.run == run { self.run = nil } }

            func close() { sink.finish() }

            private func begin(_ media: PlayableMedia, as run: PlaybackRun) {
                self.run = run
                state = PlaybackSnapshot(
                    isPlaying: true, position: media.startPosition ?? 0, duration: media.duration ?? 180)
                state.title = media.url.lastPathComponent
                report { _ in }
            }

            /// Changes the state of this moment, and tells it.
            private func report(_ change: (inout PlaybackSnapshot) -> Void) {
                guard let run else { return }
                let now = CMClockGetTime(.hostTimeClock).seconds
                state.position += state.rate * (now - state.time)
                state.time = now
                change(&state)
                sink.yield(.playback(state, of: run))
            }
        }

        """#
}
