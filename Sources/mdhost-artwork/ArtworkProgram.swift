import Foundation
import HostInterface
import HostPictures
import PictureDownloads
import PictureScaling

/// Downloads one picture or takes one, makes it smaller, and ends. Started by the daemon for each, confined as an extension is:
/// what the server's answer or the picture does to the code that reads it, it does here.
@main struct ArtworkProgram {
    /// The request comes here, and the answer goes the same way.
    private static let link: Int32 = 3

    static func main() async {
        guard let (request, picture) = readRequest() else {
            try? FileHandle.standardError.write(contentsOf: Data("mdhost-artwork: started by mdhost alone\n".utf8))
            exit(64)
        }
        let answer: PictureAnswer
        do {
            let picture =
                request.length > 0 ? picture : try await PictureDownload().fetch(request.url, from: request.origin)
            answer =
                request.wantsPixels == true
                ? try pixels(of: picture, into: request.side)
                : .picture(try PictureScaling.fit(picture, into: request.side))
        } catch is PictureScaling.TooManyPixels {
            answer = .failure(HostError(.unsupportedFormat, "The picture has too many pixels."))
        } catch {
            answer = .failure(error as? HostError ?? HostError(.unreachableURL, FailureReason.text(of: error)))
        }
        exit(write(answer.bytes) ? 0 : 1)
    }

    private static func pixels(of picture: [UInt8], into side: Int) throws -> PictureAnswer {
        let side = min(PixelPicture.greatestSide, max(1, side))
        let pixels = try PictureScaling.pixels(of: picture, into: side)
        guard let pixels, let picture = PixelPicture(width: pixels.width, height: pixels.height, bytes: pixels.bytes)
        else { return .failure(HostError(.unsupportedFormat, "The picture isn't a JPEG, PNG or WebP picture.")) }
        return .picture(picture.portablePixmap)
    }

    private static func readRequest() -> (request: PictureRequest, picture: [UInt8])? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        func readMore() -> Bool {
            let count = read(link, &buffer, buffer.count)
            guard count > 0 else { return false }
            bytes += buffer[..<count]
            return true
        }
        var end: Int?
        while end == nil {
            guard bytes.count < PictureRequest.longest, readMore() else { return nil }
            end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        }
        guard let end, let request = PictureRequest(line: Array(bytes[...end])),
            (0...PictureLimits.size).contains(request.length)
        else { return nil }
        while bytes.count < end + 1 + request.length { guard readMore() else { return nil } }
        return (request, Array(bytes[(end + 1)...]))
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(link, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
