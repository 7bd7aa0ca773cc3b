import DBus
import Glibc
package import HostCore
package import HostInterface
import MediaReading
import SoundFeed
import Threads

/// The delivery of live samples over sockets, each stream with a thread that reads it.
package struct SocketDeliveries: SampleDeliveries {
    package init() {}

    package func begin(
        _ stream: OpenStream, format: SampleFormat, whenOver: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) throws(HostError) -> any SampleDelivery {
        let sender = try SampleSender(stream, format)
        try start { sender.run(whenOver) }
        return sender
    }

    package func begin(
        _ screen: OpenScreen, whenOver: @escaping @Sendable () -> Void
    ) throws(HostError) -> any SampleDelivery {
        let delivery = try ScreenDelivery(screen)
        try start { delivery.run(whenOver) }
        return delivery
    }

    package func begin(_ media: DeliveredMedia) throws(HostError) -> any MediaDelivery {
        let sender = try MediaSender(media)
        try start { sender.run() }
        return sender
    }

    private func start(_ body: @escaping @Sendable () -> Void) throws(HostError) {
        guard BackgroundThread.start(body) else {
            throw HostError(.internalFailure, "Can't deliver the samples: no thread is left.")
        }
    }
}

/// Reads samples from a stream, and sends them to the extension's process that is connected at the time.
///
/// While none is connected, or it doesn't take samples, nothing is read, so that the writer waits.
final class SampleSender: SampleDelivery {
    private let stream: OpenStream
    private let format: SampleFormat
    private let outlet: SampleOutlet

    init(
        _ stream: OpenStream, _ format: SampleFormat, patience: UInt64 = SampleOutlet.usualPatience,
        absence: UInt64 = SampleOutlet.usualAbsence
    ) throws(HostError) {
        outlet = try SampleOutlet(format, latency: stream.latency?.seconds, patience: patience, absence: absence)
        self.stream = stream
        self.format = format
    }

    func connect() throws(HostError) -> DeliveredSamples { try outlet.connect() }
    func end() { outlet.end() }
    func hold(_ isHeld: Bool) { outlet.hold(isHeld) }

    // MARK: On the thread

    func run(_ whenOver: (Result<Void, HostError>) -> Void) {
        do throws(SampleOutlet.Stop) {
            try deliver()
            whenOver(.success(()))
        } catch {
            if let error = error.hostError { whenOver(.failure(error)) }
        }
    }

    private func deliver() throws(SampleOutlet.Stop) {
        var schedule = SampleSchedule(rate: format.rate)
        var blocks = SampleBlocks(stream.descriptor, format)
        var reader: DBusDescriptor?
        while true {
            let connected = try outlet.receiver()
            if stream.isLive, reader !== connected { blocks.discardWaiting() }
            reader = connected
            guard try outlet.isReady(stream.descriptor, POLLIN, within: nil) else { continue }
            guard case .frames(let count) = blocks.read() else { return try outlet.finish() }
            guard count > 0 else { continue }
            let first = schedule.frame
            let time = schedule.time(of: count, at: SamplePace.now)
            try outlet.wait(SampleSchedule.pause(until: time, at: SamplePace.now))
            try outlet.send(blocks.packet(SamplePacket(frame: first, time: time)))
        }
    }
}
