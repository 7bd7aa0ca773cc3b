import CScreenEncoding
import Glibc

/// The pictures of an X display, with the pointer. For one thread.
package final class DisplaySource: PictureSource {
    package let size: PictureSize
    private let input: DeviceInput
    /// The least time between two pictures, in microseconds.
    private let interval: Int64
    private var last: Int64?

    /// - Parameters:
    ///   - display: The display's name, such as `:0`.
    ///   - rate: Pictures a second.
    package init(display: String, rate: Int) throws(ScreenEncodingError) {
        // A little less than the device's own, which decides.
        interval = 950_000 / Int64(rate)
        input = try DeviceInput(
            format: "x11grab", name: display, options: ["framerate": "\(rate)", "draw_mouse": "1"])
        guard let parameters = input.parameters, parameters.format == AV_PIX_FMT_BGR0.rawValue else {
            throw ScreenEncodingError("its pixels don't have 24 bits")
        }
        size = PictureSize(width: Int(parameters.width), height: Int(parameters.height))
    }

    package func next() throws(ScreenEncodingError) -> TimedPicture {
        // Read late, the device gives a picture for each that was missed, all at once. Its clock can be set back.
        if let last {
            let early = min(interval, last + interval - TimedPicture.now)
            if early > 0 { usleep(UInt32(early)) }
        }
        while true {
            guard let packet = try input.read() else { continue }
            let stride = size.width * 4
            guard let pixels = packet.pointee.data, Int(packet.pointee.size) >= stride * size.height else {
                throw ScreenEncodingError("it gives no pictures")
            }
            last = packet.pointee.pts
            return TimedPicture(
                picture: ScreenPicture(pixels: pixels, stride: stride, size: size, order: .blueFirst),
                time: packet.pointee.pts)
        }
    }
}

/// A source of pictures in their time.
package protocol PictureSource: AnyObject {
    /// The size of its first picture.
    var size: PictureSize { get }
    /// Waits for the next picture, which holds until the next call.
    func next() throws(ScreenEncodingError) -> TimedPicture
}

package struct TimedPicture {
    /// `nil` if nothing has changed since the picture before.
    package var picture: ScreenPicture?
    /// The time of capture, in microseconds since 1970: the clock of libavdevice.
    package var time: Int64

    package init(picture: ScreenPicture?, time: Int64) {
        self.picture = picture
        self.time = time
    }

    /// The clock of ``time``.
    package static var now: Int64 { av_gettime() }
}
