import DBus
import Foundation
package import HostInterface

/// Values from an extension, which isn't trusted: each is checked, and bounded in size.
extension ArgumentReader {
    private static var longestText: Int { 4096 }

    /// Reads a text of at most 4096 bytes, with control characters replaced.
    mutating func text() throws(MalformedMessage) -> String {
        try Self.checked(try string())
    }

    /// Reads the identifier of a session: 1 to 128 letters, digits, hyphens and underscores.
    mutating func session() throws(MalformedMessage) -> String {
        let session = try text()
        let isWellFormed = session.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard isWellFormed, 1...128 ~= session.utf8.count else { throw MalformedMessage("no session identifier") }
        return session
    }

    /// Reads the code and the message of an error.
    package mutating func error() throws(MalformedMessage) -> HostError {
        let code = try text()
        let isWellFormed = code.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "-")
        }
        guard isWellFormed, 1...64 ~= code.utf8.count, code.utf8.first != UInt8(ascii: "-") else {
            throw MalformedMessage("no error code")
        }
        return HostError(.init(rawValue: code), try text())
    }

    mutating func device() throws(MalformedMessage) -> DeviceDescription {
        try Self.checked(try value(DeviceDescription.self))
    }

    /// Reads at most 1000 devices.
    mutating func devices() throws(MalformedMessage) -> [DeviceDescription] {
        guard let values = try next().asArray else { throw MalformedMessage("expected an array of devices") }
        guard values.count <= 1000 else { throw MalformedMessage("more than 1000 devices") }
        var devices: [DeviceDescription] = []
        for value in values {
            var arguments = ArgumentReader([value])
            devices.append(try arguments.device())
        }
        return devices
    }

    mutating func challenge() throws(MalformedMessage) -> PairingChallenge {
        var challenge = try value(PairingChallenge.self)
        challenge.reason = try Self.checked(challenge.reason)
        let lengths = challenge.method == .numericCode ? [4, 6] : [0]
        guard lengths.contains(challenge.length) else { throw MalformedMessage("a code of \(challenge.length) digits") }
        return challenge
    }

    mutating func playbackState() throws(MalformedMessage) -> PlaybackState {
        try Self.checked(try value(PlaybackState.self))
    }

    mutating func mediaSessionState() throws(MalformedMessage) -> MediaSessionState {
        let state = try value(MediaSessionState.self)
        guard state.isShowable else { throw MalformedMessage("a number of the session is none that can be shown") }
        return state
    }

    mutating func quality() throws(MalformedMessage) -> DeliveryQuality { try value(DeliveryQuality.self).clamped }

    /// Reads a request. An invalid device identifier matches no device, and attributes are looked up in the device's
    /// reported ones.
    mutating func centralRequest() throws(MalformedMessage) -> CentralRequest {
        let request = try value(CentralRequest.self)
        guard request.services.count <= 64, request.services.allSatisfy({ $0.utf8.count <= 36 }),
            request.device.utf8.count <= 36, request.attribute.utf8.count <= 256, request.value.count <= 512
        else { throw MalformedMessage("an oversized request for Bluetooth") }
        return request
    }

    mutating func browseRequest() throws(MalformedMessage) -> BrowseRequest {
        let request = try value(BrowseRequest.self)
        guard 1...255 ~= request.type.utf8.count, request.domain?.utf8.count ?? 0 <= 255 else {
            throw MalformedMessage("no service type")
        }
        return request
    }

    mutating func announceRequest() throws(MalformedMessage) -> AnnounceRequest {
        let request = try value(AnnounceRequest.self)
        if let flaw = request.flaw { throw MalformedMessage("what is to be announced cannot be: \(flaw)") }
        return request
    }

    mutating func bluetoothOrder() throws(MalformedMessage) -> BluetoothOrder {
        var order = try value(BluetoothOrder.self)
        guard order.device?.utf8.count ?? 0 <= 255, order.code?.utf8.count ?? 0 <= 64 else {
            throw MalformedMessage("an oversized order")
        }
        if var media = order.media {
            for text in [\BluetoothMedia.title, \.artist, \.album] {
                if let value = media[keyPath: text] { media[keyPath: text] = try Self.checked(value) }
            }
            for number in [\BluetoothMedia.duration, \.position] where media[keyPath: number]?.isFinite == false {
                media[keyPath: number] = nil
            }
            order.media = media
        }
        order.volume = order.volume.map { $0.isFinite ? min(max($0, 0), 1) : 0 }
        return order
    }
    static func checked(_ text: String) throws(MalformedMessage) -> String {
        guard text.utf8.count <= longestText else { throw MalformedMessage("text of more than \(longestText) bytes") }
        // Most texts are ASCII, where a comparison tells control characters.
        guard !text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == UInt8(ascii: "\n") }) else { return text }
        guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnprintable($0) ? " " : $0 }))
    }

    /// Names and reasons are shown on terminals, where an escape sequence would be obeyed.
    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n"
    }

    private static func checked(_ device: DeviceDescription) throws(MalformedMessage) -> DeviceDescription {
        var device = device
        device.id = try deviceIdentifier(device.id)
        device.name = try checked(device.name).replacing("\n", with: " ")
        guard 1...256 ~= device.name.utf8.count else { throw MalformedMessage("a device name of wrong length") }
        guard device.endpoints.count <= 64, device.endpoints.allSatisfy({ $0.utf8.count <= 512 }) else {
            throw MalformedMessage("too many or too long endpoints")
        }
        guard device.txt.count <= 128, device.txt.allSatisfy({ $0.key.utf8.count + $0.value.utf8.count <= 1024 }) else {
            throw MalformedMessage("too many or too long TXT records")
        }
        guard device.textSize <= DeviceDescription.largestTextSize else {
            throw MalformedMessage("a device of more than \(DeviceDescription.largestTextSize) bytes")
        }
        device.deduplicationIdentifiers = DeclaredIdentifier.normalised(device.deduplicationIdentifiers)
        return device
    }

    private static func checked(_ state: PlaybackState) throws(MalformedMessage) -> PlaybackState {
        var state = state
        guard state.segments.count <= 1000, state.artwork.count <= 16,
            state.seekableRanges?.count ?? 0 <= 1000,
            max(state.audioOptions.count, state.audioDescriptionOptions.count, state.legibleOptions.count) <= 256
        else { throw MalformedMessage("an oversized playback state") }
        state.volume = state.volume.isFinite ? min(max(state.volume, 0), 1) : 0
        state.playbackSpeed = finite(state.playbackSpeed)
        state.scanSpeed = finite(state.scanSpeed)
        state.timeRange = finite(state.timeRange)
        state.position = .init(
            value: finite(state.position.value), hostTime: finite(state.position.hostTime),
            rate: finite(state.position.rate))
        state.seekableRanges = state.seekableRanges?.map(finite)
        for index in state.segments.indices {
            state.segments[index].timeRange = finite(state.segments[index].timeRange)
        }
        if var segment = state.currentSegment {
            segment.timeRange = finite(segment.timeRange)
            state.currentSegment = segment
        }
        if let title = state.title { state.title = try checked(title) }
        if let subtitle = state.subtitle { state.subtitle = try checked(subtitle) }
        return state
    }

    /// Returns the number, or 0 (unknown) for the infinite duration of a live stream and other non-finite numbers.
    private static func finite(_ number: Double) -> Double { number.isFinite ? number : 0 }

    private static func finite(_ range: PlaybackState.TimeRange) -> PlaybackState.TimeRange {
        .init(start: finite(range.start), duration: max(0, finite(range.duration)))
    }
}
