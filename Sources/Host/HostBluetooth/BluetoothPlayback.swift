import BlueZ
import DBus
import HostCore
import HostInterface
import Logging

/// Playback on a device: connects it and plays through the sound server, until the order is cancelled or everything was
/// heard.
struct BluetoothPlayback: Sendable {
    let client: BlueZClient
    let sound: any BluetoothSoundPort
    let logger: Logger

    /// The reason for an early end.
    private enum Failure: Error {
        case bluetooth(BlueZError)
        case sound(HostError)
    }

    func conversation(_ order: BluetoothOrder) -> BluetoothConversation {
        let (requests, feed) = AsyncStream.makeStream(of: BluetoothOrder.self)
        let answers = AsyncStream<BluetoothAnswer> { sink in
            let task = Task {
                do throws(Failure) {
                    try await play(order, requests, sink)
                    sink.yield(BluetoothAnswer(.done))
                } catch {
                    logger.info("play failed: \(error)")
                    switch error {
                    case .bluetooth(let error): sink.yield(BluetoothAnswer(error, .failed))
                    case .sound(let error): sink.yield(.failed(error.code.rawValue, error.message))
                    }
                }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
        return BluetoothConversation(answers: answers) { feed.yield($0) }
    }

    private func play(
        _ order: BluetoothOrder, _ requests: AsyncStream<BluetoothOrder>,
        _ sink: AsyncStream<BluetoothAnswer>.Continuation
    ) async throws(Failure) {
        let device = try await connected(BlueZIdentifier(rawValue: order.device ?? ""))
        let playing: any BluetoothSound
        do throws(HostError) {
            playing = try await sound.play(
                to: device.address, title: order.media?.title ?? "mdhost", isPaused: order.isPaused ?? false,
                latency: order.latency)
        } catch {
            throw .sound(error)
        }
        let (media, described) = AsyncStream.makeStream(of: PlayedMedia.self)
        if let first = order.media { described.yield(PlayedMedia(first)) }
        let following = Task {
            for await request in requests {
                switch request.verb {
                case .pause, .resume: await playing.setPaused(request.verb == .pause)
                case .describe: if let media = request.media { described.yield(PlayedMedia(media)) }
                default: continue
                }
            }
        }
        let keys = Task {
            for await key in client.remoteKeys(on: device.adapter, showing: media) { sink.yield(.key(key.rawValue)) }
        }
        let failure = await follow(playing, sink)
        following.cancel()
        keys.cancel()
        await playing.close()
        if let failure { throw .sound(failure) }
    }

    /// Follows the playback.
    ///
    /// - Returns: The error that ended it early; `nil` if everything was heard.
    private func follow(
        _ playing: any BluetoothSound, _ sink: AsyncStream<BluetoothAnswer>.Continuation
    ) async -> HostError? {
        if let entry = playing.takeEntry() { sink.yield(.sound(DBusDescriptor(received: entry))) }
        for await event in playing.events {
            switch event {
            case .heard(let place): sink.yield(.heard(place))
            case .ended: return nil
            case .lost:
                return HostError(
                    .unreachable, "The sound server lost the device: it was switched off, or is out of reach.")
            }
        }
        return HostError(.cancelled, "The operation was cancelled.")
    }

    private func connected(_ id: BlueZIdentifier) async throws(Failure) -> BluetoothDevice {
        do throws(BlueZError) {
            let update = await client.current()
            if let obstacle = DeviceStates.obstacle(update) { throw obstacle }
            guard let device = update.tree.device(id) else {
                throw BlueZError(.noSuchDevice, "bluetoothd does not know this device.")
            }
            // A sound server started after the device connected gets it only after a reconnection.
            if !device.isConnected || update.tree.transports(of: id).isEmpty { try await client.connect(id) }
            return device
        } catch {
            throw .bluetooth(error)
        }
    }
}

extension PlayedMedia {
    init(_ media: BluetoothMedia) {
        self.init(
            isPlaying: media.isPlaying, position: media.position ?? 0, title: media.title, artist: media.artist,
            album: media.album, duration: media.duration)
    }
}
