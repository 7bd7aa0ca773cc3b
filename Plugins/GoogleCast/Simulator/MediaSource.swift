import AsyncHTTPClient
import Foundation
import MediaDecoding
import MediaReading
import NIOCore
import NIOHTTP1

/// Opens and reads media as a device does.
struct MediaSource: Sendable {
    /// Opens media and determines its duration.
    ///
    /// - Parameter stop: Ends the attempt.
    static func open(_ url: String, stop: DecodingStop) async -> ReceiverMachine.OpenedMedia {
        await withCheckedContinuation { continuation in
            // Decoding waits for the network, which no thread of the concurrency pool should.
            Thread.detachNewThread {
                do throws(DecodingError) {
                    let decoder = try AudioDecoder(address: url, stop: stop)
                    continuation.resume(returning: .playable(duration: decoder.facts.duration))
                } catch {
                    continuation.resume(returning: .failed(code: 104))
                }
            }
        }
    }

    /// Reads subtitles as a web page does: only if the server allows it.
    static func subtitles(_ url: String) async -> ReceiverEvent {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Origin", value: "https://www.gstatic.com")
        guard let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(10)),
            let body = try? await response.body.collect(upTo: 16 << 20)
        else { return .subtitles(status: 0, type: "", text: "") }
        let allowed = response.headers.first(name: "Access-Control-Allow-Origin")
        let text = String(buffer: body)
        guard allowed == "*" || allowed == "https://www.gstatic.com", text.hasPrefix("WEBVTT") else {
            return .subtitles(status: 0, type: "", text: "")
        }
        return .subtitles(
            status: Int(response.status.code), type: response.headers.first(name: "Content-Type") ?? "", text: text)
    }

    /// Reads media from a part of it to its end.
    ///
    /// - Parameter part: `0...1`
    /// - Returns: The first answer's status, the first byte, and the number of bytes read.
    static func read(_ url: String, part: Double) async throws -> (status: Int, from: Int, bytes: Int) {
        var from = 0
        if part > 0 {
            var request = HTTPClientRequest(url: url)
            request.method = .HEAD
            let head = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
            let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            from = Int(Double(length) * min(part, 0.999))
        }
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Range", value: "bytes=\(from)-")
        request.headers.add(name: "Origin", value: "https://www.gstatic.com")
        let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
        var bytes = 0
        for try await chunk in response.body { bytes += chunk.readableBytes }
        return (Int(response.status.code), from, bytes)
    }
}
