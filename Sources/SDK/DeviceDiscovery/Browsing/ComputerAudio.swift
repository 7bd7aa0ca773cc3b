import HostInterface

/// Access to this computer's own sound output, through its sound server. Available on Linux only.
package enum ComputerAudio {
    package struct Output: Sendable, Hashable {
        /// The name of the output, such as that of the sound card.
        package let name: String
        /// The volume, `0.0...1.0`, which every program of this computer shares.
        package let volume: Double
        package let isMuted: Bool
    }

    /// Returns a stream of the default output now and after each change; `nil` while there is none. The stream finishes
    /// with the link to the host.
    package static func outputs() -> AsyncStream<Output?> {
        AsyncStream { sink in
            let task = Task {
                guard let source = await DiscoverySources.shared.source() else { return sink.finish() }
                for await answer in source.order(BluetoothOrder(.browse, device: ComputerSound.device)).answers {
                    switch answer.kind {
                    case .device: if let state = answer.device { sink.yield(Output(state)) }
                    case .lost: sink.yield(nil)
                    default: break
                    }
                }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
    }

    /// Sets the volume, `0.0...1.0`.
    ///
    /// - Throws: ``BluetoothAudioError``: `no-sound-server` or `no-sound-output`.
    package static func setVolume(_ volume: Double) async throws(BluetoothAudioError) {
        try await carryOut(BluetoothOrder(.setVolume, device: ComputerSound.device, volume: volume))
    }

    /// - Throws: ``BluetoothAudioError``: `no-sound-server` or `no-sound-output`.
    package static func setMuted(_ isMuted: Bool) async throws(BluetoothAudioError) {
        var order = BluetoothOrder(.setMuted, device: ComputerSound.device)
        order.isMuted = isMuted
        try await carryOut(order)
    }

    /// Starts playback on the default output.
    ///
    /// - Parameter latency: The wanted latency; see ``BluetoothAudioOutput/open(_:media:isPaused:latency:)``.
    /// - Throws: ``BluetoothAudioError``: `no-sound-server` or `no-sound-output`.
    package static func open(
        media: BluetoothAudioMedia, isPaused: Bool, latency: Double?
    ) async throws(BluetoothAudioError) -> BluetoothAudioOutput {
        try await BluetoothAudioOutput.open(ComputerSound.device, media: media, isPaused: isPaused, latency: latency)
    }

    private static func carryOut(_ order: BluetoothOrder) async throws(BluetoothAudioError) {
        guard let source = await DiscoverySources.shared.source() else { throw .cancelled }
        for await answer in source.order(order).answers {
            if answer.kind == .failed { throw BluetoothAudioError(answer) }
            if answer.kind == .done { return }
        }
        throw Task.isCancelled
            ? .cancelled : BluetoothAudioError(code: "host-unavailable", message: "The host exited.", remedy: nil)
    }
}

extension ComputerAudio.Output {
    fileprivate init(_ state: BluetoothDeviceState) {
        self.init(name: state.name, volume: state.volume ?? 0, isMuted: state.isMuted ?? false)
    }
}
