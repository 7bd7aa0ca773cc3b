import CoreMedia
import DBus
import Foundation
import Glibc
import HostInterface
public import MediaDevice

/// A delivery of live video and its sound to an extension under test, by
/// ``TestSession/startVideoDelivery(width:height:frameRate:sound:information:)``.
///
/// The test decides which frames come when: nothing depends on a clock.
@MainActor
public final class TestVideoDelivery {
    /// The sound. It is finished from the beginning for a screen without sound.
    public let sound: TestSampleDelivery
    private let socket: DBusDescriptor
    private var number: UInt64 = 0

    init(_ socket: DBusDescriptor, _ sound: TestSampleDelivery) {
        self.socket = socket
        self.sound = sound
    }

    /// Delivers a frame.
    ///
    /// - Parameter frame: Its access unit has at least one byte and at most 8 MiB. The socket holds about 200,000 bytes that
    ///   the extension hasn't taken.
    /// - Throws: ``ReportedError`` `timed-out` if the extension doesn't take the frames that were delivered before,
    ///   `session-failed` if it has stopped reading, `invalid-argument` for an access unit of another length.
    public func send(_ frame: MediaVideoFrame) throws {
        guard (1...VideoPacket.maximumUnitLength).contains(frame.accessUnit.count) else {
            throw ReportedError(
                HostError(.invalidArgument, "\(frame.accessUnit.count) bytes aren't an access unit."))
        }
        let time = CMTimeConvertScale(frame.hostTime, timescale: 1_000_000_000, method: .roundTowardZero).value
        let packets = frame.accessUnit.withUnsafeBytes {
            VideoPacket.packets(of: $0, time: UInt64(max(0, time)), number: number, isKey: frame.isKeyFrame)
        }
        for packet in packets { try socket.deliver(packet, "video") }
        number += 1
    }

    /// Loses frames after they were encoded: the extension gets nothing before the next key frame.
    public func skip(frames count: Int) { number += UInt64(max(0, count)) }

    /// Takes the requests for a key frame that came since the last call.
    ///
    /// - Returns: Their number.
    public func takeKeyFrameRequests() -> Int {
        var count = 0
        var byte: UInt8 = 0
        while recv(socket.number, &byte, 1, Int32(MSG_DONTWAIT)) > 0 { count += 1 }
        return count
    }

    /// Ends the video and its sound. The session continues until ``TestSession/stopSampleDelivery()``.
    public func finish() {
        shutdown(socket.number, Int32(SHUT_WR))
        sound.finish()
    }

    /// As the host does when it stops a delivery.
    func end() { shutdown(socket.number, Int32(SHUT_RDWR)) }
}

extension TestSession where Extension: RealtimeSampleHandling {
    /// Starts a delivery of live video and its sound, as for the screen of this computer.
    ///
    /// - Parameters:
    ///   - width: The width of the picture in pixels, `16...7680`.
    ///   - height: The height of the picture in pixels, `16...4320`.
    ///   - frameRate: Frames a second at most, `1...240`.
    ///   - sound: The format of the sound, by default that of screens; `nil` for a screen without sound.
    ///   - information: The information about the screen.
    /// - Throws: ``ReportedError`` `invalid-argument` for a number out of range or an impossible format.
    public func startVideoDelivery(
        width: Int = 1280, height: Int = 720, frameRate: Int = 30,
        sound: MediaSampleFormat? = MediaSampleFormat(encoding: .signed16, sampleRate: 48_000, channelCount: 2),
        information: MediaOutputSession.MediaInformation? = nil
    ) throws -> TestVideoDelivery {
        do {
            let format = sound ?? MediaSampleFormat(encoding: .signed16, sampleRate: 48_000, channelCount: 2)
            guard let (soundAlone, sending) = DeliveredSamples.pair(try format.onLink),
                let (video, sendingVideo) = try DeliveredVideo.pair(width: width, height: height, rate: frameRate)
            else { throw HostError(.internalFailure, "Can't deliver video: no socket is left.") }
            var samples = soundAlone
            samples.video = video
            let delivery = TestVideoDelivery(sendingVideo, TestSampleDelivery(sending, format))
            if sound == nil { delivery.sound.finish() }
            try start(samples, information)
            self.delivery = delivery.sound
            self.videoDelivery = delivery
            return delivery
        } catch let error as HostError {
            throw ReportedError(error)
        }
    }
}
