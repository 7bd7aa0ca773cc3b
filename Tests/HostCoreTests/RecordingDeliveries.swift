import DBus
import Glibc
import HostInterface
import MediaReading
import Synchronization

@testable import HostCore

/// Deliveries of samples that deliver nothing, and end when the test says so.
final class RecordingDeliveries: SampleDeliveries {
    final class Delivery: SampleDelivery {
        let format: SampleFormat
        let connections = Mutex(0)
        let isEnded = Mutex(false)
        let isHeld = Mutex(false)
        let whenOver: @Sendable (Result<Void, HostError>) -> Void

        init(_ format: SampleFormat, _ whenOver: @escaping @Sendable (Result<Void, HostError>) -> Void) {
            self.format = format
            self.whenOver = whenOver
        }

        func connect() throws(HostError) -> DeliveredSamples {
            connections.withLock { $0 += 1 }
            return DeliveredSamples(format, socket: DBusDescriptor(sending: STDIN_FILENO))
        }

        func hold(_ isHeld: Bool) { self.isHeld.withLock { $0 = isHeld } }
        func end() { isEnded.withLock { $0 = true } }
    }

    let begun = Mutex<[Delivery]>([])

    func begin(
        _ screen: OpenScreen, whenOver: @escaping @Sendable () -> Void
    ) throws(HostError) -> any SampleDelivery {
        let delivery = Delivery(screen.format) { _ in whenOver() }
        begun.withLock { $0.append(delivery) }
        return delivery
    }

    func begin(
        _ stream: OpenStream, format: SampleFormat, whenOver: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) throws(HostError) -> any SampleDelivery {
        let delivery = Delivery(format, whenOver)
        begun.withLock { $0.append(delivery) }
        return delivery
    }

    /// A delivery of a medium, which is opened when the test says so.
    final class Media: MediaDelivery {
        enum Command: Sendable, Hashable { case playing(Bool), seek(Double) }

        let media: DeliveredMedia
        let events: AsyncStream<MediaDeliveryEvent>
        let report: AsyncStream<MediaDeliveryEvent>.Continuation
        let commands = Mutex<[Command]>([])
        let connections = Mutex(0)
        let isEnded = Mutex(false)

        init(_ media: DeliveredMedia) {
            self.media = media
            (events, report) = AsyncStream.makeStream()
        }

        func connect() throws(HostError) -> DeliveredSamples {
            connections.withLock { $0 += 1 }
            return DeliveredSamples(media.format, socket: DBusDescriptor(sending: STDIN_FILENO))
        }

        func hold(_ isHeld: Bool) {}
        func setPlaying(_ isPlaying: Bool) { commands.withLock { $0.append(.playing(isPlaying)) } }
        func seek(toSeconds seconds: Double) { commands.withLock { $0.append(.seek(seconds)) } }

        func end() {
            isEnded.withLock { $0 = true }
            report.finish()
        }
    }

    let media = Mutex<[Media]>([])

    func begin(_ media: DeliveredMedia) throws(HostError) -> any MediaDelivery {
        let delivery = Media(media)
        self.media.withLock { $0.append(delivery) }
        return delivery
    }
}
