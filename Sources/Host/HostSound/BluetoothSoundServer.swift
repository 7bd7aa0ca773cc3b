import Glibc
package import HostCore
package import HostInterface
import PulseAudio
import Synchronization

/// The outputs that PulseAudio, or PipeWire by PulseAudio's protocol, has for Bluetooth devices.
package struct BluetoothSoundServer: BluetoothSoundPort {
    /// The time limit for the server to provide a device after its connection.
    private let patience: Duration
    /// The path of the server's socket; `nil` for the user's default server.
    private let path: String?

    package init(path: String? = nil, patience: Duration = .seconds(20)) {
        self.path = path
        self.patience = patience
    }

    package func play(
        to address: String, title: String, isPaused: Bool, latency: Double?
    ) async throws(HostError) -> any BluetoothSound {
        try await serve { entry throws(PulsePlayer.Failure) in
            try await PulsePlayer.open(
                path: path, bluetooth: address, within: patience, title: title, isPaused: isPaused, latency: latency,
                reading: entry)
        }
    }

    /// Plays on the output that the server uses by default.
    func playHere(title: String, isPaused: Bool, latency: Double?) async throws(HostError) -> any BluetoothSound {
        try await serve { entry throws(PulsePlayer.Failure) in
            try await PulsePlayer.openDefault(
                path: path, title: title, isPaused: isPaused, latency: latency, reading: entry)
        }
    }

    private func serve(
        _ open: (Int32) async throws(PulsePlayer.Failure) -> PulsePlayer
    ) async throws(HostError) -> any BluetoothSound {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw HostError(.internalFailure, "Sound cannot be handed on: \(String(cString: strerror(errno))).")
        }
        // A tenth of a second: samples here add to the latency of those in the server.
        var length = Int32(16_384)
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &length, socklen_t(MemoryLayout<Int32>.size))
        do throws(PulsePlayer.Failure) {
            return ServedBluetoothSound(try await open(ends[1]), ends[0])
        } catch {
            Glibc.close(ends[0])
            throw HostError(error)
        }
    }
}

private final class ServedBluetoothSound: BluetoothSound {
    let events: AsyncStream<BluetoothSoundEvent>
    private let player: PulsePlayer
    private let entry: Mutex<Int32?>

    init(_ player: PulsePlayer, _ entry: Int32) {
        self.player = player
        self.entry = Mutex(entry)
        events = AsyncStream { [events = player.events] sink in
            let task = Task {
                for await event in events { sink.yield(BluetoothSoundEvent(event)) }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
    }

    deinit { if let unused = takeEntry() { Glibc.close(unused) } }

    func takeEntry() -> Int32? { entry.withLock { $0.take() } }

    func setPaused(_ isPaused: Bool) async { await player.setPaused(isPaused) }

    func close() async { await player.close() }
}

extension BluetoothSoundEvent {
    fileprivate init(_ event: PulsePlayer.Event) {
        switch event {
        case .heard(let seconds, let time, let isRunning):
            self = .heard(BluetoothSoundPlace(seconds: seconds, time: time, isRunning: isRunning))
        case .ended: self = .ended
        case .lost: self = .lost
        }
    }
}

extension HostError {
    init(_ failure: PulsePlayer.Failure) {
        switch failure {
        case .noServer(let reason):
            self.init(
                .noSoundServer,
                "No sound server answers that could carry the sound of Bluetooth: \(reason). PipeWire needs pipewire-pulse."
            )
        case .noOutput:
            self.init(
                .noSoundOutput,
                """
                The device is connected, and the sound server of this user has no output for it. See that \
                `pactl list cards` has the device with a profile for music (a2dp), that its Bluetooth module is loaded \
                (`libspa-0.2-bluetooth` for PipeWire, `pulseaudio-module-bluetooth` for PulseAudio), and that nobody else is \
                logged in whose sound server has taken the device.
                """)
        case .refused(let reason):
            self.init(.noSoundOutput, "The sound server does not play to the device: \(reason).")
        }
    }
}
