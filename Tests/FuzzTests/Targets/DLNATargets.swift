import DLNAProtocol
import Foundation

extension FuzzTarget {
    private static let documents = ["gmediarender", "rygel", "made-up", "hostile"].map {
        "Plugins/DLNA/Tests/Fixtures/\($0)"
    }
    private static let markup = [
        "<", ">", "&", "\"", "/>", "</", "<!DOCTYPE x>", "<![CDATA[", "]]>", "<!--", "-->", "&#x110000;", "&lt;",
        "&amp;",
        "xmlns=''", "xmlns:a=\"b\"", "http://evil.example/", "val=\"0\"", "<InstanceID val='0'>", ":", "::",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
    ]

    /// A device's description, fetched from its address.
    static let dlnaDescription = document("dlna-description", outcomes: ["renderers", "refused"]) { bytes in
        guard let location = URL(string: "http://10.77.0.1:49494/description.xml") else { return "refused" }
        return try outcome("renderers") { () throws(DLNAError) in
            try RendererDescription.renderers(in: bytes, location: location)
        } check: { renderers in
            for renderer in renderers {
                for service in [renderer.transport, renderer.connections] + (renderer.rendering.map { [$0] } ?? []) {
                    try demand(service.controlURL.host() == "10.77.0.1", "a service elsewhere: \(service.controlURL)")
                }
            }
        }
    }

    /// A service's description (SCPD).
    static let dlnaService = document("dlna-service", outcomes: ["service", "refused"]) { bytes in
        try outcome("service") { () throws(DLNAError) in
            try ServiceDescription(parsing: bytes)
        } check: { service in
            guard let range = service.volumeRange else { return }
            let scale = VolumeScale(range)
            for raw in [range.minimum, range.maximum, 7, .min, .max] {
                try demand((0...1).contains(scale.level(of: raw)), "a level of \(scale.level(of: raw))")
            }
            for level: Float in [0, 0.7, 1] {
                let raw = scale.raw(of: level)
                try demand((range.minimum...range.maximum).contains(raw), "\(raw) is out of the range")
            }
        }
    }

    /// The answer to an action (SOAP).
    static let dlnaAnswer = document("dlna-answer", outcomes: ["answer", "fault", "refused"]) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let actions = ["GetProtocolInfo", "GetPositionInfo", "GetTransportInfo", "GetVolume", "GetMute"]
        let action = actions.first { text.contains($0 + "Response") } ?? "Play"
        guard let response = try? SOAPResponse(parsing: bytes, action: action) else { return "refused" }
        switch response {
        case .fault(let fault):
            try demand(!fault.sentence.isEmpty && fault.text.count <= 200, "a fault without a sentence")
            return "fault"
        case .success(let values):
            let position = PositionInfo(values)
            try demand(position.position ?? 0 >= 0 && position.duration ?? 1 > 0, "\(position)")
            _ = try? TransportInfo(values)
            _ = try? RenderingControl.volume(in: values)
            _ = try? RenderingControl.mute(in: values)
            _ = try? ConnectionManager.formats(in: values).summary(like: "audio/mpeg")
            return "answer"
        }
    }

    /// An event of a device (GENA), with its description of the media (DIDL-Lite) inside.
    static let dlnaEvent = document("dlna-event", outcomes: ["event", "change", "refused"]) { bytes in
        guard let properties = try? PropertySet(parsing: bytes) else { return "refused" }
        var kind = "event"
        for value in properties.values.values {
            guard let change = try? LastChange(parsing: value) else { continue }
            kind = "change"
            var tracker = PlaybackTracker(uri: "http://10.77.0.2:8099/tone.mp3", now: 0)
            tracker.playAccepted(at: 0)
            tracker.apply(TransportChange(change), at: 2)
            _ = RenderingChange(change)
            if let metadata = TransportChange(change).metadata { _ = try? MediaItem(parsing: metadata) }
        }
        return kind
    }

    /// Small texts: times, types, names, headers.
    static let dlnaText = FuzzTarget(
        name: "dlna-text",
        words: [
            "0:00:30.040", "Second-1800", "Second-infinite", "uuid:", "::", "urn:", "http-get:*:", ":", ".", "/", "-",
        ],
        outcomes: ["text", "time", "urn"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        var kind = "text"
        if let seconds = MediaTime.seconds(text) {
            kind = "time"
            try demand(MediaTime.seconds(MediaTime.text(seconds)) != nil, "a time that is none: \(seconds)")
        }
        if let timeout = try? SubscriptionGrant(identifierHeader: "uuid:1", timeoutHeader: text).timeout {
            try demand(timeout >= .seconds(2) && timeout <= .seconds(86_400), "a timeout of \(timeout)")
        }
        if let urn = URN(text) {
            kind = "urn"
            try demand(URN(urn.description) == urn, "another name when read again: \(urn)")
        }
        _ = SinkFormats(text).answer(for: text)
        _ = try? EventHeaders(type: "upnp:event", subtype: text, identifier: text, sequence: text)
        _ = try? MediaItem(parsing: text)
        return kind
    }

    private static func document(
        _ name: String, outcomes: Set<String>, _ take: @escaping @Sendable ([UInt8]) throws -> String
    ) -> FuzzTarget {
        FuzzTarget(
            name: name, corpora: documents, words: markup, outcomes: outcomes, usualRuns: 1_000, take: take)
    }

    private static func outcome<Value>(
        _ name: String, _ parse: () throws(DLNAError) -> Value, check: (Value) throws -> Void
    ) throws -> String {
        let value: Value
        do throws(DLNAError) { value = try parse() } catch { return "refused" }
        try check(value)
        return name
    }
}
