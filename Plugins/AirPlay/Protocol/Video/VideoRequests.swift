import Foundation

/// The requests of playback by address.
///
/// Source: the protocol as receivers implement it: HTTP with values in the query.
package struct VideoRequests: Sendable, Hashable {
    /// The form of `/play`: newer receivers accept property lists, older ones lines of text.
    package enum Form: Sendable, Hashable { case propertyList, text }

    /// The session identifier of all requests of one playback.
    package let session: String

    package init(session: String) { self.session = session }

    /// Returns the request to play from the beginning. Receivers interpret other start positions differently, in seconds or
    /// as a fraction.
    package func play(_ address: String, as form: Form) throws(AirPlayError) -> RTSPRequest {
        switch form {
        case .propertyList:
            let values: [String: Any] = [
                "Content-Location": address, "Start-Position": 0.0, "X-Apple-Session-ID": session, "rate": 1.0,
            ]
            guard
                let body = try? PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            else { throw .malformed("an address that cannot be written") }
            return request(
                "POST", "/play", headers: ["Content-Type": "application/x-apple-binary-plist"], body: Array(body))
        case .text:
            let line = String(address.unicodeScalars.filter { $0.value >= 32 }.map(Character.init))
            let text = "Content-Location: \(line)\nStart-Position: 0\n"
            return request("POST", "/play", headers: ["Content-Type": "text/parameters"], body: Array(text.utf8))
        }
    }

    /// The request to reverse the connection, so that the receiver sends events. The answer is 101 if it does.
    package var reverse: RTSPRequest {
        request(
            "POST", "/reverse",
            headers: ["Upgrade": "PTTH/1.0", "Connection": "Upgrade", "X-Apple-Purpose": "event"])
    }

    package var information: RTSPRequest { request("GET", "/playback-info") }

    package var stop: RTSPRequest { request("POST", "/stop") }

    package func rate(isPlaying: Bool) -> RTSPRequest {
        request("POST", "/rate?value=\(isPlaying ? "1.000000" : "0.000000")")
    }

    /// - Parameter seconds: From the beginning.
    package func scrub(to seconds: Double) -> RTSPRequest {
        request("POST", "/scrub?position=\(Self.decimal(max(0, seconds)))")
    }

    /// - Parameter level: `0...1`.
    package func volume(_ level: Double) -> RTSPRequest {
        request("POST", "/volume?volume=\(Self.decimal(min(1, max(0, level))))")
    }

    private func request(
        _ method: String, _ path: String, headers: RTSPHeaders = [:], body: [UInt8] = []
    ) -> RTSPRequest {
        var fields: RTSPHeaders = ["User-Agent": "MediaControl/1.0", "X-Apple-Session-ID": session]
        for field in headers.fields { fields.append(field.name, field.value) }
        return RTSPRequest(method, path, version: .http, headers: fields, body: body)
    }

    /// Six places behind a point, wherever this machine is.
    private static func decimal(_ number: Double) -> String {
        let millionths = Int((min(number, 1e9) * 1e6).rounded())
        let rest = String(millionths % 1_000_000)
        return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
    }
}
