import Testing

@testable import DLNAProtocol

struct EventTests {
    private func change(_ path: String) throws -> LastChange {
        let text = try #require(try PropertySet(parsing: Fixtures.bytes(path)).values["LastChange"])
        return try LastChange(parsing: text)
    }

    @Test func readsTransportEvents() throws {
        let started = TransportChange(try change("gmediarender/event-playing.xml"))
        #expect(started.state == .playing)
        #expect(started.trackURI == "http://10.77.0.2:8099/tone.mp3")
        #expect(started.actions == ["PAUSE", "STOP", "SEEK"])
        #expect(try started.metadata.map { try MediaItem(parsing: $0).title } == "Tone & more")
        #expect(TransportChange(try change("gmediarender/event-duration.xml")) == TransportChange(duration: 30))
        let ended = TransportChange(try change("gmediarender/event-ended.xml"))
        #expect(ended.state == .stopped)
        #expect(ended.uri == "")
        let rygel = TransportChange(try change("rygel/event-initial-transport.xml"))
        #expect(rygel.state == .noMediaPresent)
        #expect(rygel.duration == nil)
        #expect(TransportChange(try change("rygel/event-playing.xml")).duration == 30.04)
        #expect(TransportChange(try change("rygel/event-transitioning.xml")).state == .transitioning)
    }

    @Test func readsRenderingEvents() throws {
        let initial = RenderingChange(try change("gmediarender/event-initial-rendering.xml"))
        #expect(initial == RenderingChange(volume: 100, isMuted: false))
        #expect(RenderingChange(try change("gmediarender/event-volume-word.xml")) == RenderingChange(isMuted: true))
        #expect(RenderingChange(try change("rygel/event-volume.xml")) == RenderingChange(volume: 33))
        #expect(RenderingChange(try change("rygel/event-muted.xml")) == RenderingChange(volume: 0, isMuted: true))
    }

    @Test func readsPlainProperties() throws {
        let values = try PropertySet(parsing: Fixtures.bytes("rygel/event-initial-connections.xml")).values
        #expect(values["CurrentConnectionIDs"] == "0")
        #expect(SinkFormats(try #require(values["SinkProtocolInfo"])).answer(for: "audio/mpeg") == .listed)
    }

    @Test func looksOnlyAtTheFirstInstanceAndTheMasterChannel() throws {
        let change = try LastChange(
            parsing: """
                <Event xmlns="urn:schemas-upnp-org:metadata-1-0/RCS/"><InstanceID val="3"><Mute val="1"/></InstanceID>\
                <InstanceID val="0"><Volume channel="LF" val="1"/><Volume Channel="Master" val=" 7 "/><Mute/></InstanceID></Event>
                """)
        #expect(RenderingChange(change) == RenderingChange(volume: 7))
        #expect(try LastChange(parsing: "<Event/>").values.isEmpty)
        #expect(throws: DLNAError.unexpected("urn:other")) { try LastChange(parsing: "<Event xmlns='urn:other'/>") }
        #expect(throws: DLNAError.unexpected("a")) { try LastChange(parsing: "<a/>") }
        #expect(throws: DLNAError.unexpected("html")) {
            try PropertySet(parsing: Fixtures.bytes("hostile/error-page.html"))
        }
    }

    @Test(
        arguments: [
            ("Second-1800", Duration.seconds(1800)), ("second-300", .seconds(300)), ("Second-infinite", nil),
            ("infinite", nil), (nil, .seconds(1800)), ("rubbish", .seconds(1800)), ("Second-0", .seconds(1800)),
            ("Second-1", .seconds(2)), ("Second-99999999999999999999", .seconds(1800)),
            ("Second-9999999", .seconds(86_400)),
        ] as [(String?, Duration?)])
    func readsTimeouts(header: String?, timeout: Duration?) throws {
        let grant = try SubscriptionGrant(identifierHeader: " uuid:1 ", timeoutHeader: header)
        #expect(grant == SubscriptionGrant(identifier: "uuid:1", timeout: timeout))
    }

    @Test func needsAnIdentifierExceptWhenRenewing() throws {
        #expect(throws: DLNAError.missing("SID")) { try SubscriptionGrant(identifierHeader: " ", timeoutHeader: nil) }
        #expect(throws: DLNAError.missing("SID")) {
            try SubscriptionGrant(identifierHeader: String(repeating: "x", count: 300), timeoutHeader: nil)
        }
        #expect(
            try SubscriptionGrant(identifierHeader: nil, timeoutHeader: nil, renewing: "uuid:1").identifier == "uuid:1")
    }

    @Test func readsEventHeaders() throws {
        let headers = { (nts: String?, sid: String?, seq: String?) throws in
            try EventHeaders(type: "upnp:event", subtype: nts, identifier: sid, sequence: seq)
        }
        #expect(try headers("upnp:propchange", "uuid:1", "0") == EventHeaders(identifier: "uuid:1", sequence: 0))
        #expect(throws: DLNAError.unexpected("ssdp:alive")) { try headers("ssdp:alive", "uuid:1", "0") }
        #expect(throws: DLNAError.missing("SID")) { try headers("upnp:propchange", nil, "0") }
        #expect(throws: DLNAError.missing("SEQ")) { try headers("upnp:propchange", "uuid:1", "4294967296") }
        #expect(EventHeaders.sequence(after: .max) == 1)
        #expect(EventHeaders.sequence(after: 0) == 1)
    }
}
