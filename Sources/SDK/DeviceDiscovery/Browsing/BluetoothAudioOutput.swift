import DBus
import Dispatch
import Foundation
import HostInterface

/// Sound on its way to a Bluetooth device, by way of the machine's sound server. Available on Linux only.
///
/// Whoever writes samples waits for the listener, who is up to a second behind.
public final class BluetoothAudioOutput: Sendable {
    /// What becomes of the sound. Available on Linux only.
    public enum Event: Sendable {
        /// The listener heard so many seconds since the beginning at `time`, nanoseconds of the monotonic clock
        /// (`CLOCK_MONOTONIC`), and goes on from there or not.
        case heard(seconds: Double, time: Int64, isRunning: Bool)
        /// A key of the device was pressed; of another one, where several of this adapter are in use.
        case key(BluetoothAudioKey)
        /// All was heard; nothing follows.
        case ended
        /// The sound server lost the device, or was lost itself; nothing follows.
        case failed(BluetoothAudioError)
    }

    /// Frames a second; a frame is a sample for the left and one for the right.
    public static let sampleRate = BluetoothSoundFormat.rate

    /// Ends by itself after the last event. One consumer.
    public let events: AsyncStream<Event>
    /// Writing waits on a thread of its own.
    private let queue = DispatchQueue(label: "org.mdhost.bluetooth.output")
    private let entry: DBusDescriptor
    private let exchange: BluetoothExchange
    private let following: Task<Void, Never>

    /// Has the device connected where it is not, waits until the sound server offers it, and begins to play there.
    ///
    /// - Parameters:
    ///   - media: What plays: shown in the sound server's mixer, and told to devices, which may show it.
    ///   - isPaused: Whether it begins only with ``setPaused(_:)``.
    /// - Throws: ``BluetoothAudioError``; `no-sound-server` and `no-sound-output` besides those of connecting.
    public static func open(
        _ device: BluetoothAudioDevice.ID, media: BluetoothAudioMedia = BluetoothAudioMedia(), isPaused: Bool = false
    ) async throws(BluetoothAudioError) -> BluetoothAudioOutput {
        guard let source = await DiscoverySources.shared.source() else { throw .cancelled }
        var order = BluetoothOrder(.play, device: device)
        order.media = BluetoothMedia(media)
        order.isPaused = isPaused
        let exchange = source.order(order)
        for await answer in exchange.answers {
            if answer.kind == .failed { throw BluetoothAudioError(answer) }
            if answer.kind == .sound, let entry = answer.sound { return BluetoothAudioOutput(entry, exchange) }
        }
        throw Task.isCancelled
            ? .cancelled : BluetoothAudioError(code: "host-unavailable", message: "The host went away.", remedy: nil)
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

    /// Writes interleaved samples, and returns when the sound server has taken them or has room for them.
    ///
    /// - Returns: `false` where nobody takes them any more: ``events`` says why.
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

    /// Nothing more comes: what was written is heard to its end.
    public func finish() { queue.async { [entry] in shutdown(entry.number, Int32(SHUT_WR)) } }

    /// Nothing is heard from now on, or it goes on there.
    public func setPaused(_ isPaused: Bool) { exchange.reply(BluetoothOrder(isPaused ? .pause : .resume)) }

    /// Tells the device what plays, and where that is.
    public func describe(_ media: BluetoothAudioMedia) {
        var order = BluetoothOrder(.describe)
        order.media = BluetoothMedia(media)
        exchange.reply(order)
    }

    /// Ends it at once: a write that waits, and what was not heard yet.
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
