import Foundation
import MediaDevice

/// The messages of an app that wait for its application on a device, in order.
@MainActor
final class MessageQueue {
    /// The highest number of messages that wait; more are dropped.
    static let most = 256

    private var waiting: [(data: Data, run: PlaybackRun)] = []

    func add(_ data: Data, of run: PlaybackRun) {
        guard waiting.count < Self.most else {
            return PlaybackKitLog.write("dropped \(data.count) bytes: the device doesn't take them")
        }
        waiting.append((data, run))
    }

    /// Sends the waiting messages, and those added meanwhile.
    func send(to player: some RemotePlayer) async {
        while !waiting.isEmpty {
            let (data, run) = waiting.removeFirst()
            do throws(MediaDeviceError) { try await player.send(data, to: run) } catch {
                PlaybackKitLog.write("\(data.count) bytes weren't sent: \(error.reason ?? "\(error.code)")")
            }
        }
    }
}
