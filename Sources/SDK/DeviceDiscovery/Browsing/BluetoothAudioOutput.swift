import DBus
import Dispatch
import Foundation
import HostInterface

/// Audio output to a Bluetooth device through the sound server. Available on Linux only.
///
/// Writes wait for the device, which is up to one second behind.
public final class BluetoothAudioOutput: Sendable {
    /// An event of the output. Available on Linux only.
    public enum Event: Sendable {
        /// The number of seconds heard since the beginning at `time`, in nanoseconds of the monotonic clock
        /// (`CLOCK_MONOTONIC`), and whether playback continues from there.
        case heard(seconds: Double, time: Int64, isRunning: Bool)
        /// A person pressed a key of the device, or of another one if several devices of the adapter are in use.
        case key(BluetoothAudioKey)
        /// Everything was heard. Nothing follows.
        case ended
        /// The sound server lost the device, or exited. Nothing follows.
        case failed(BluetoothAudioError)
    }

    /// The sample rate in frames per second. A frame has one sample each for left and right.
    public static let sampleRate = BluetoothSoundFormat.rate

    /// The events, for one consumer. The stream finishes after the last one.
    public let events: AsyncStream<Event>
    /// The queue for writes, which block.
    private let queue = DispatchQueue(label: "org.mdhost.bluetooth.output")
    private let entry: DBusDescriptor
    private let exchange: BluetoothExchange
    private let following: Task<Void, Never>

    /// Connects the device if necessary, waits until the sound server offers it, and starts playback.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - media: The metadata for the sound server's mixer and for devices with a display.
    ///   - isPaused: `true` to wait for ``setPaused(_:)``.
    ///   - latency: The time that audio may wait for the device, in seconds, `0.02...1`; `nil` for a second, which
    ///     survives the longest interruptions. The device adds its own. Other values count as the nearest one.
    /// - Throws: ``BluetoothAudioError``: `no-sound-server`, `no-sound-output`, or an error of the connection.
    public static func open(
        _ device: BluetoothAudioDevice.ID, media: BluetoothAudioMedia = BluetoothAudioMedia(), isPaused: Bool = false,
        latency: Double? = nil
    ) async throws(BluetoothAudioError) -> BluetoothAudioOutput {
        guard let source = await DiscoverySources.shared.source() else { throw .cancelled }
        var order = BluetoothOrder(.play, device: device)
        order.media = BluetoothMedia(media)
        order.isPaused = isPaused
        order.latency = latency
        let exchange = source.order(order)
        for await answer in exchange.answers {
            if answer.kind == .failed { throw BluetoothAudioError(answer) }
            if answer.kind == .sound, let entry = answer.sound { return BluetoothAudioOutput(entry, exchange) }
        }
        throw Task.isCancelled
            ? .cancelled : BluetoothAudioError(code: "host-unavailable", message: "The host exited.", remedy: nil)
    }

    private init(_ entry: DBusDescriptor, _ exchange: BluetoothExchange) {
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        self.entry = entry
        self.events = events
        self.exchange = exchange
        following = Task {
            for await answer in exchange.answers { if let event = Event(answer) { sink.yield(event) } }
            sink.finish()
        }
    }

    deinit { following.cancel() }

    /// Writes interleaved samples, and returns when the sound server has accepted them.
    ///
    /// - Returns: `false` if the output has ended; ``events`` has the reason.
    public func write(_ samples: [Int16]) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { [entry] in continuation.resume(returning: Self.write(samples, to: entry.number)) }
        }
    }

    private static func write(_ samples: [Int16], to descriptor: Int32) -> Bool {
        samples.map(\.littleEndian).withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Ends the output after all written audio has been played.
    public func finish() { queue.async { [entry] in shutdown(entry.number, Int32(SHUT_WR)) } }

    /// Pauses or resumes the output.
    public func setPaused(_ isPaused: Bool) { exchange.reply(BluetoothOrder(isPaused ? .pause : .resume)) }

    /// Updates the metadata and position on the device.
    public func describe(_ media: BluetoothAudioMedia) {
        var order = BluetoothOrder(.describe)
        order.media = BluetoothMedia(media)
        exchange.reply(order)
    }

    /// Ends the output at once, including a waiting write and samples that weren't heard yet.
    public func close() {
        shutdown(entry.number, Int32(SHUT_RDWR))
        following.cancel()
    }
}

extension BluetoothAudioOutput.Event {
    init?(_ answer: BluetoothAnswer) {
        switch answer.kind {
        case .heard:
            guard let place = answer.heard else { return nil }
            self = .heard(seconds: place.seconds, time: place.time, isRunning: place.isRunning)
        case .key:
            guard let key = answer.key else { return nil }
            self = .key(BluetoothAudioKey(rawValue: key))
        case .done: self = .ended
        case .failed: self = .failed(BluetoothAudioError(answer))
        case .device, .lost, .ready, .waiting, .challenge, .sound: return nil
        }
    }
}

extension BluetoothMedia {
    fileprivate init(_ media: BluetoothAudioMedia) {
        self.init(
            title: media.title, artist: media.artist, album: media.album, duration: media.duration,
            position: media.position, isPlaying: media.isPlaying)
    }
}
