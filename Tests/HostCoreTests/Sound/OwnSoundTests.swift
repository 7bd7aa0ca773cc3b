import HostInterface
import Testing

@testable import HostCore

struct OwnSoundTests {
    private static func route(samplesOnly: Bool = false, live: Bool = true) -> RoutedApplication {
        RoutedApplication(
            id: "1", application: "app", applicationName: "App", device: "speaker", takesLiveSound: live,
            takesSamplesOnly: samplesOnly)
    }

    private static func session(
        _ id: String, of owner: String?, source: String = "https://example.org/a"
    ) -> HostSession {
        var session = HostSession(
            id: id, deviceID: "speaker", source: source, application: nil, media: MediaInformation())
        session.owner = owner
        return session
    }

    @Test func aDeviceThatTakesSamplesOnlyGetsTheSoundAtOnce() {
        var sound = OwnSound()
        sound.take([Self.route(samplesOnly: true)], now: .seconds(5))
        #expect(sound.wanted(now: .seconds(5)).routes == [Self.route(samplesOnly: true)])
        sound.take([], now: .seconds(6))
        #expect(sound.wanted(now: .seconds(6)).routes.isEmpty)
    }

    @Test func anAppHasTimeToStartASession() {
        var sound = OwnSound()
        sound.take([Self.route()], now: .seconds(5))
        #expect(sound.wanted(now: .seconds(5)).next == .seconds(5) + OwnSound.patience)
        // A change of other routes is none of this one.
        sound.take([Self.route()], now: .seconds(6))
        let (routes, next) = sound.wanted(now: .seconds(5) + OwnSound.patience)
        #expect(routes == [Self.route()] && next == nil)
    }

    @Test func theNextDaemonGoesOnAtOnce() {
        var sound = OwnSound(resuming: ["app"])
        sound.take([Self.route()], now: .zero)
        #expect(sound.wanted(now: .zero).routes == [Self.route()])
        sound.take([], now: .zero)
        sound.take([Self.route()], now: .zero)
        #expect(sound.wanted(now: .zero).routes.isEmpty, "the next route begins anew")
    }

    @Test func aSessionOfTheAppCarriesItsSound() {
        var sound = OwnSound()
        sound.take([Self.route()], now: .zero)
        let others = [
            sound.take(Self.session("1", of: "other"), now: .zero), sound.take(Self.session("2", of: nil), now: .zero),
            // The sink's own.
            sound.take(Self.session("3", of: "app", source: PlaybackSource.streamAddress), now: .zero),
        ]
        #expect(others == [true, false, false], "a session of another app is one of another app")
        #expect(sound.wanted(now: .seconds(9)).routes == [Self.route()])

        var session = Self.session("4", of: "app")
        let isNew = [sound.take(session, now: .seconds(10)), sound.take(session, now: .seconds(10))]
        #expect(isNew == [true, false])
        #expect(sound.wanted(now: .seconds(100)) == ([], nil))
        session.state = .ended
        let isOver = [sound.take(session, now: .seconds(100)), sound.ended("4", now: .seconds(100))]
        #expect(isOver == [true, false])
        #expect(sound.wanted(now: .seconds(100)) == ([], .seconds(100) + OwnSound.patience))
        #expect(sound.wanted(now: .seconds(102)).routes == [Self.route()])
    }

    @Test func aDeviceWithoutLiveSoundGetsNone() {
        var sound = OwnSound()
        sound.take([Self.route(live: false)], now: .zero)
        #expect(sound.wanted(now: .seconds(9)) == ([], nil))
    }
}
