import DBus
import Dispatch
import Glibc
import HostInterface
import PipeWire
import ScreenEncoding
import SoundFeed

/// The pictures of a screen that the portal shared. A screen without changes sends none, so the previous one is repeated
/// at the wanted rate: a device would take the lack of pictures for a slow network. For one thread.
final class PortalSource: PictureSource {
    private static let firstPatience = DispatchTimeInterval.seconds(10)

    let size: PictureSize
    private let capture: PipeWireCapture
    /// The time between two pictures, in microseconds.
    private let interval: Int64
    private var picture = PipeWireCapture.Picture()
    private var isFirst = true
    /// The time of the next picture.
    private var due: Int64 = 0

    /// Waits for the first picture.
    ///
    /// - Throws: ``HostError`` if none comes.
    init(_ grant: PortalScreen.Grant, rate: Int) throws(HostError) {
        interval = 1_000_000 / Int64(rate)
        do throws(SoundServerError) {
            capture = try PipeWireCapture(descriptor: dup(grant.socket.number), node: grant.node, rate: rate)
        } catch {
            throw HostError(.sessionFailed, "Couldn't capture the screen: \(error.message).")
        }
        guard capture.take(&picture, before: .now() + Self.firstPatience) else {
            throw HostError(.sessionFailed, "The desktop shared a screen, but sends no pictures of it.")
        }
        size = PictureSize(width: picture.width, height: picture.height)
    }

    func next() throws(ScreenEncodingError) -> TimedPicture {
        let wasFirst = isFirst
        isFirst = false
        // A screen may change more often than that. A picture that comes a little early needn't wait.
        let early = due - interval / 10 - TimedPicture.now
        if early > 0, !wasFirst { usleep(UInt32(early)) }
        let wait = max(0, due - TimedPicture.now)
        let isNew = wasFirst || capture.take(&picture, before: .now() + .microseconds(Int(wait)))
        guard !capture.isEnded else { throw ScreenEncodingError("the desktop stopped sharing it") }
        let now = TimedPicture.now
        due = max(due, now - interval) + interval
        guard isNew else { return TimedPicture(picture: nil, time: now) }
        let size = PictureSize(width: picture.width, height: picture.height)
        // This object holds the memory until the next call.
        guard let pixels = picture.pixels.baseAddress else { return TimedPicture(picture: nil, time: now) }
        return TimedPicture(
            picture: ScreenPicture(
                pixels: UnsafePointer(pixels.assumingMemoryBound(to: UInt8.self)), stride: picture.stride, size: size,
                order: picture.isRedFirst ? .redFirst : .blueFirst),
            time: now)
    }
}
