public import CoreMedia
import DBus
public import Foundation
import Glibc
import HostInterface
public import MediaDevice
import PacketSockets

/// A delivery of live samples to an extension under test, by ``TestSession/startSampleDelivery(_:information:)``.
///
/// The test decides which frames come when: nothing depends on a clock.
@MainActor
public final class TestSampleDelivery {
    /// The format of the samples.
    public nonisolated let format: MediaSampleFormat
    private let socket: DBusDescriptor
    private var frame: UInt64 = 0

    init(_ socket: DBusDescriptor, _ format: MediaSampleFormat) {
        self.socket = socket
        self.format = format
    }

    /// Delivers frames, as if the source played them at `hostTime`.
    ///
    /// - Parameters:
    ///   - samples: Whole frames in ``format``, at most 65,520 bytes.
    ///   - hostTime: The time of the first frame; `nil` for the one at which the source plays without pauses from
    ///     time zero.
    /// - Throws: ``ReportedError`` `timed-out` if the extension doesn't take the frames that were delivered before,
    ///   `session-failed` if it has stopped reading, `invalid-argument` for too many bytes or a part of a frame.
    public func send(_ samples: Data, at hostTime: CMTime? = nil) throws {
        guard samples.count.isMultiple(of: format.bytesPerFrame),
            samples.count <= SamplePacket.maximumLength - SamplePacket.headerLength
        else { throw ReportedError(HostError(.invalidArgument, "\(samples.count) bytes aren't a packet of frames.")) }
        let planned = CMTime(value: CMTimeValue(frame), timescale: CMTimeScale(format.sampleRate))
        let time = CMTimeConvertScale(hostTime ?? planned, timescale: 1_000_000_000, method: .roundTowardZero).value
        try socket.deliver(SamplePacket(frame: frame, time: UInt64(max(0, time))).packet(of: samples), "samples")
        frame += UInt64(samples.count / format.bytesPerFrame)
    }

    /// Loses frames, as if nobody could take them.
    public func skip(frames count: Int) { frame += UInt64(max(0, count)) }

    /// Ends the samples. The session continues until ``TestSession/stopSampleDelivery()``.
    public func finish() { shutdown(socket.number, Int32(SHUT_WR)) }

    /// As the host does when it stops a delivery.
    func end() { shutdown(socket.number, Int32(SHUT_RDWR)) }
}

extension TestSession where Extension: RealtimeSampleHandling {
    /// Starts a delivery of live samples, as for the sound of this computer.
    ///
    /// - Parameters:
    ///   - format: The format, by default that of sinks.
    ///   - information: The information about the sound.
    /// - Throws: ``ReportedError`` `invalid-argument` for an impossible format.
    public func startSampleDelivery(
        _ format: MediaSampleFormat = MediaSampleFormat(encoding: .signed16, sampleRate: 44_100, channelCount: 2),
        information: MediaOutputSession.MediaInformation? = nil
    ) throws -> TestSampleDelivery {
        do {
            guard let (samples, sending) = DeliveredSamples.pair(try format.onLink) else {
                throw HostError(.internalFailure, "Can't deliver samples: no socket is left.")
            }
            let delivery = TestSampleDelivery(sending, format)
            try start(samples, information)
            self.delivery = delivery
            return delivery
        } catch let error as HostError {
            throw ReportedError(error)
        }
    }

    /// Changes the information about the sound, as when the program that plays it shows another title.
    public func changeMediaInformation(_ information: MediaOutputSession.MediaInformation) {
        change(information)
    }

    /// Stops the delivery of live samples, and of the video that belongs to them.
    public func stopSampleDelivery() {
        delivery?.end()
        delivery = nil
        videoDelivery?.end()
        videoDelivery = nil
        stopDelivery()
    }
}

extension DBusDescriptor {
    /// Sends a packet of a delivery.
    ///
    /// - Parameter content: What is delivered, in words.
    func deliver(_ packet: [UInt8], _ content: String) throws {
        guard !PacketSocket.send(packet, on: number, waits: false) else { return }
        throw ReportedError(
            errno == EAGAIN
                ? HostError(.timedOut, "The extension doesn't take the \(content).")
                : HostError(.sessionFailed, "The extension has stopped reading \(content)."))
    }
}
