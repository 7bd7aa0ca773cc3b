import ArgumentParser
import HostInterface
import Testing

@testable import mdhost

@Suite("Levels and positions as people write them")
struct InputTests {
    @Test(
        "levels",
        arguments: [
            ("0", .level(0)), ("40", .level(0.4)), ("100%", .level(1)), ("12.5", .level(0.125)), ("+5", .steps(5)),
            ("-5", .steps(-5)), ("+5%", .steps(5)), ("-100", .steps(-100)),
        ] as [(String, VolumeChange)])
    func levels(_ text: String, _ change: VolumeChange) { #expect(VolumeChange(text) == change) }

    @Test("no levels", arguments: ["", "%", "101", "+101", "-101", "loud", "nan", "inf", "--5", "+-5", "5 0", "+"])
    func noLevels(_ text: String) { #expect(VolumeChange(text) == nil) }

    @Test("a fraction of one is answered with the percentage")
    func fractions() {
        #expect(VolumeChange.advice(on: "0.5") == "“0.5” is less than 1 %. A level is 0 to 100: use 50 for 50 %.")
        for level in ["0", "1", "12.5", "0.5%", "+0.5", "-0.5", "loud"] {
            #expect(VolumeChange.advice(on: level) == nil, "\(level)")
        }
    }

    @Test("steps count from the position that was asked for, until the device's own report counts")
    func pendingSeek() {
        let playing = PendingSeek(target: 40, rate: 1, time: 100)
        #expect(playing.position(at: 100) == 40 && playing.position(at: 101.5) == 41.5)
        #expect(playing.position(at: 102) == nil)
        #expect(PendingSeek(target: 40, rate: 0, time: 100).position(at: 101) == 40)
    }

    @Test(
        "positions",
        arguments: [("90", 90), ("1:30", 90), ("+10", 110), ("-10", 90), ("-1:40", 0), ("-500", 0)]
            as [(String, Double)])
    func positions(_ text: String, _ expected: Double) {
        #expect(SeekTarget(text)?.position(from: 100) == expected)
    }

    @Test("no positions", arguments: ["", "+", "-", "++5", "+-5", "x", "1:99"])
    func noPositions(_ text: String) { #expect(SeekTarget(text) == nil) }
}

@Suite("Exit codes")
struct ExitStatusTests {
    @Test(
        "every kind of error has the documented code",
        arguments: [
            (.noSuchDevice, 2), (.noSuchSession, 2), (.ambiguousName, 3), (.authorizationFailed, 4),
            (.authorizationRequired, 4), (.unreachable, 5), (.timedOut, 5), (.unreachableURL, 5),
            (.reverseConnectionBlocked, 5), (.unsupportedFormat, 6), (.notSupported, 6), (.hostUnavailable, 7),
            (.invalidArgument, 64), (.fileNotFound, 64), (.notMerged, 64), (.cancelled, 130), (.deviceInUse, 1),
            (.extensionCrashed, 1),
            (HostError.Code(rawValue: "of-a-newer-daemon"), 1),
        ] as [(HostError.Code, Int32)])
    func codes(_ code: HostError.Code, _ status: Int32) {
        #expect(ExitStatus.code(for: HostError(code, "")).rawValue == status)
    }
}
