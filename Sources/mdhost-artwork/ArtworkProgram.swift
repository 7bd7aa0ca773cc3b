import Foundation
import HostInterface
import HostPictures
import PictureDownloads

/// Downloads one picture, then ends. Started by the daemon for each, confined as an extension is: what the server's answer does
/// to the code that reads it, it does here.
@main struct ArtworkProgram {
    /// The request comes here, and the answer goes the same way.
    private static let link: Int32 = 3

    static func main() async {
        guard let request = readRequest() else {
            FileHandle.standardError.write(Data("mdhost-artwork: started by mdhost alone\n".utf8))
            exit(64)
        }
        let answer: PictureAnswer
        do {
            answer = .picture(try await PictureDownload().fetch(request.url, from: request.origin))
        } catch {
            answer = .failure(error as? HostError ?? HostError(.unreachableURL, FailureReason.text(of: error)))
        }
        exit(write(answer.bytes) ? 0 : 1)
    }

    private static func readRequest() -> PictureRequest? {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while line.last != UInt8(ascii: "\n"), line.count < PictureRequest.longest {
            let count = read(link, &buffer, buffer.count)
            guard count > 0 else { return nil }
            line += buffer[..<count]
        }
        return PictureRequest(line: line)
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
