import HostInterface
import Testing

@testable import HostCore

struct RouteSessionsTests {
    private static let device = HostUnderTest.device

    private func session(_ state: HostSession.State = .active, _ change: (inout PlaybackState) -> Void = { _ in })
        -> HostSession
    {
        var session = HostSession(
            id: "3", deviceID: Self.device.id, source: "http://10.0.0.1/a%20song.mp3", application: nil,
            media: MediaInformation())
        session.state = state
        session.playback.isReady = true
        session.playback.seekCapabilities = 0b100
        session.playback.isPlaying = true
        session.playback.timeRange = .init(start: 100, duration: 60)
        session.playback.position = .init(value: 110, hostTime: 5, rate: 1)
        change(&session.playback)
        return session
    }

    @Test func aPlaybackIsASessionFromWhenItIsReadyUntilItsEnd() throws {
        var routes = RouteSessions()
        #expect(routes.apply(.session(session(.starting))).isEmpty)
        #expect(routes.apply(.session(session())).first?.shown?.id == "route3")
        #expect(routes.apply(.session(session(.reconnecting))).first?.shown != nil, "it is being taken up again")
        let over = routes.apply(.session(session(.failed)))
        #expect(over.count == 1 && over[0].shown == nil)
        #expect(routes.apply(.sessionRemoved(id: "3")).isEmpty, "told once")
    }

    @Test func nameAndVolumeAreTheDevices() throws {
        var routes = RouteSessions()
        var device = HostDevice(
            description: Self.device, extensionIdentifier: "x", protocolIdentifier: "p", protocolName: "P",
            availability: .ready)
        device.level = 0.25
        device.activation = .active
        #expect(routes.apply(.device(device)).isEmpty)
        let shown = try #require(routes.apply(.session(session())).first?.shown)
        #expect(shown.name == "Living Room" && shown.volume == 0.25 && shown.kind == .route)
        device.level = 0.5
        #expect(routes.apply(.device(device)).first?.shown?.volume == 0.5)
        #expect(routes.apply(.device(device)).isEmpty, "nothing that is shown changed")
        _ = routes.apply(.session(session(.ended)))
        #expect(routes.device(device.id) != nil)
        device.activation = .idle
        _ = routes.apply(.device(device))
        #expect(routes.device(device.id) == nil, "of what is not in use nothing is kept")
    }

    @Test func whatIsPlayedByAPartIsOnTheDeviceThatPeopleSee() throws {
        var routes = RouteSessions()
        var description = Self.device
        description.id = "99999999-2222-3333-4444-555555555555"
        description.name = "Stereo"
        var whole = HostDevice(
            description: description, extensionIdentifier: "x", protocolIdentifier: "p", protocolName: "P",
            availability: .ready)
        whole.activation = .active
        _ = routes.apply(.device(whole))
        var session = session()
        #expect(routes.apply(.session(session)).first?.shown?.name == "Device")
        session.entryID = whole.id
        let shown = try #require(routes.apply(.session(session)).first?.shown)
        #expect(shown.name == "Stereo" && shown.application == whole.id && shown.id == "route3")
    }

    @Test func severalDevicesAreOnePlayerWithTheVolumeOfAll() throws {
        var routes = RouteSessions()
        var living = HostDevice(
            description: Self.device, extensionIdentifier: "x", protocolIdentifier: "p", protocolName: "P",
            availability: .ready)
        (living.level, living.groupLevel, living.activation) = (0.25, 0.5, .active)
        var kitchen = living
        kitchen.description.id = "2"
        kitchen.description.name = "Kitchen"
        _ = routes.apply(.device(living))
        _ = routes.apply(.device(kitchen))
        var together = session()
        together.members = [living.id, kitchen.id]
        let shown = try #require(routes.apply(.session(together)).first?.shown)
        #expect(shown.name == "Living Room + Kitchen" && shown.volume == 0.5)
        kitchen.description.name = "Bath"
        #expect(routes.apply(.device(kitchen)).first?.shown?.name == "Living Room + Bath")
        living.groupLevel = 1
        #expect(routes.apply(.device(living)).first?.shown?.volume == 1)
    }

    @Test func positionsCountFromTheBeginningOfWhatPlays() {
        let state = RouteSessions.state(session())
        #expect(state.content?.title == "a song" && state.content?.duration == 60)
        #expect(state.playback?.position == .init(value: 10, hostTime: 5))
        #expect(state.playback?.position(at: 8, duration: 60) == 13)
        #expect(state.enabled(.seekToPosition) != nil && state.enabled(.next) == nil)
        let live = RouteSessions.state(
            session {
                $0.isLive = true
                $0.timeRange.duration = 0
            })
        #expect(live.content?.extent == .live && live.content?.duration == nil && live.enabled(.seekToPosition) == nil)
        let window = RouteSessions.state(session { $0.isLive = true })
        #expect(window.content?.extent == .live && window.content?.duration == 60 && window.content?.end == nil)
        #expect(window.enabled(.seekToPosition) != nil, "as far back as the device keeps it")
        let waiting = RouteSessions.state(session { $0.isBuffering = true })
        #expect(waiting.playback?.state == .buffering)
        let fixed = RouteSessions.state(session { $0.seekableRanges = [] })
        #expect(fixed.enabled(.seekToPosition) == nil)
        #expect(RouteSessions.state(session { $0.seekCapabilities = 0 }).enabled(.seekToPosition) == nil)
    }

    @Test func speedsAndScanningAreOfferedWhereTheDeviceHasThem() {
        let plain = RouteSessions.state(session())
        #expect(plain.enabled(.changePlaybackRate)?.numbers?.contains(1.5) == true)
        #expect(plain.enabled(.seekForward) == nil && plain.enabled(.seekBackward) == nil)
        let fixed = RouteSessions.state(
            session {
                $0.unsupported = [.playbackSpeed]
                $0.seekCapabilities = 0b001
            })
        #expect(fixed.enabled(.changePlaybackRate) == nil)
        #expect(fixed.enabled(.seekForward) != nil && fixed.enabled(.seekBackward) == nil)
        let fast = RouteSessions.state(session { $0.playbackSpeed = 1.5 })
        #expect(fast.playback?.defaultRate == 1.5)
    }
}
