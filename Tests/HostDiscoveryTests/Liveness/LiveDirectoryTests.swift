import Foundation
import HostInterface
import Testing

@testable import HostDiscovery

struct LiveDirectoryTests {
    private let bonjour = BrowseRequest(kind: .bonjour, type: "_mpd._tcp")
    private let ssdp = BrowseRequest(kind: .ssdp, type: "upnp:rootdevice")
    private let begun = ContinuousClock.now

    private func item(_ addresses: [String] = ["10.0.0.1"], port: Int = 6_600, txt: [String: [UInt8]] = [:])
        -> BrowseItem
    {
        BrowseItem(
            name: "Room", type: "_mpd._tcp", domain: "local", addresses: addresses, port: port,
            txt: txt.mapValues { .init($0) })
    }

    private func answer(
        _ directory: inout LiveDirectory, _ answer: LivenessSchedule<ProbeTarget>.Answer, at passed: Duration = .zero
    ) -> [LiveDirectory.News] {
        directory.take(now: begun + passed).flatMap { directory.settle($0.number, answer, now: begun + passed) }
    }

    /// Repeats tries without an answer until there is news; at most a minute.
    private func fallSilent(_ directory: inout LiveDirectory, from start: Duration) -> [LiveDirectory.News] {
        var open: [(at: Duration, number: Int)] = []
        for step in 0..<600 {
            let passed = start + .milliseconds(100) * step
            open += directory.take(now: begun + passed).map { (passed + $0.limit, $0.number) }
            for attempt in open where attempt.at <= passed {
                let news = directory.settle(attempt.number, .silent, now: begun + passed)
                if !news.isEmpty { return news }
            }
            open.removeAll { $0.at <= passed }
        }
        return []
    }

    @Test func aServiceIsToldOfOnceItAnswered() {
        var directory = LiveDirectory()
        let announced = directory.apply(BrowseEvent(.found, item: item()), of: bonjour, now: begun)
        #expect(announced.isEmpty)
        let found = answer(&directory, .answered)
        #expect(found == [.browse(bonjour, BrowseEvent(.found, item: item()))])
        let moved = directory.apply(
            BrowseEvent(.changed, item: item(["10.0.0.1", "fd77::1"])), of: bonjour, now: begun)
        #expect(moved == [BrowseEvent(.changed, item: item(["10.0.0.1", "fd77::1"]))], "told at once, tried in time")
        let gone = directory.apply(BrowseEvent(.lost, item: item()), of: bonjour, now: begun)
        #expect(gone.map(\.kind) == [.lost])
        #expect(directory.isIdle)
    }

    @Test func anAnswerToACheckCountsAsOneToATry() throws {
        var directory = LiveDirectory()
        _ = directory.apply(BrowseEvent(.found, item: item(["10.0.0.1", "fd77::1"])), of: bonjour, now: begun)
        let target = try #require(directory.target(at: [.init(address: "fd77::1", port: 6_600)]))
        #expect(target == ProbeTarget(item(["10.0.0.1", "fd77::1"])))
        let found = directory.checked(target, answered: true, now: begun)
        #expect(found.count == 1)
        #expect(directory.take(now: begun + .seconds(1)).isEmpty, "it answered just now")
        let silent = directory.checked(target, answered: false, now: begun + .seconds(1))
        #expect(silent.isEmpty, "one silence is no loss")
        #expect(directory.take(now: begun + .seconds(1)).count == 1, "but it is tried at once")
        _ = directory.apply(BrowseEvent(.lost, item: item()), of: bonjour, now: begun)
        #expect(directory.target(at: target.places) == nil && directory.isIdle)
    }

    @Test func aDeviceThatSpokeIsToldOfAtOnce() {
        var directory = LiveDirectory()
        let found = directory.apply(BrowseEvent(.found, item: item()), of: ssdp, now: begun)
        #expect(found.map(\.kind) == [.found])
    }

    @Test func whatStopsAnsweringIsLostAndFoundAgain() throws {
        var directory = LiveDirectory()
        _ = directory.apply(BrowseEvent(.found, item: item()), of: bonjour, now: begun)
        _ = answer(&directory, .answered)
        let lost = fallSilent(&directory, from: .seconds(10))
        #expect(lost == [.browse(bonjour, BrowseEvent(.lost, item: item()))])
        // A report of the source meanwhile is stored and not published.
        let newer = item(txt: ["a": [1]])
        let hidden = directory.apply(BrowseEvent(.changed, item: newer), of: bonjour, now: begun)
        #expect(hidden.isEmpty)
        let back = answer(&directory, .answered, at: .seconds(200))
        #expect(back == [.browse(bonjour, BrowseEvent(.found, item: newer))])
    }

    @Test func aLossNobodyHeardOfIsNotTold() {
        var directory = LiveDirectory()
        _ = directory.apply(BrowseEvent(.found, item: item()), of: bonjour, now: begun)
        let gone = directory.apply(BrowseEvent(.lost, item: item()), of: bonjour, now: begun)
        #expect(gone.isEmpty)
    }

    /// Avahi gave up resolving: a lost packet, or a device that is gone. The tries will tell.
    @Test func anItemThatLosesItsAddressesKeepsTheLast() {
        var directory = LiveDirectory()
        _ = directory.apply(BrowseEvent(.found, item: item()), of: bonjour, now: begun)
        _ = answer(&directory, .answered)
        let unresolved = directory.apply(BrowseEvent(.changed, item: item([])), of: bonjour, now: begun)
        #expect(unresolved.isEmpty)
        let lost = fallSilent(&directory, from: .seconds(10))
        #expect(lost == [.browse(bonjour, BrowseEvent(.lost, item: item()))])
    }

    @Test func anItemWithoutAddressIsNothingToUse() {
        var directory = LiveDirectory()
        let event = directory.apply(BrowseEvent(.found, item: item([], port: 0)), of: bonjour, now: begun)
        #expect(event.isEmpty)
        #expect(directory.isIdle)
    }

    @Test func oneTryServesAllWhoWantToKnow() {
        var directory = LiveDirectory()
        let second = BrowseRequest(kind: .bonjour, type: "_mpd._tcp", includesTXT: true)
        for request in [bonjour, second] {
            _ = directory.apply(BrowseEvent(.found, item: item()), of: request, now: begun)
        }
        let tries = directory.take(now: begun)
        #expect(tries.count == 1)
        let news = directory.settle(tries[0].number, .answered, now: begun)
        #expect(Set(news) == Set([bonjour, second].map { .browse($0, BrowseEvent(.found, item: item())) }))
        directory.end(second)
        #expect(!directory.isIdle)
        directory.end(bonjour)
        #expect(directory.isIdle)
    }

    @Test func aDeviceInUseHastensTheTriesOfItsItem() throws {
        var directory = LiveDirectory()
        _ = directory.apply(BrowseEvent(.found, item: item()), of: bonjour, now: begun)
        _ = answer(&directory, .answered)
        let target = try #require(ProbeTarget(item()))
        directory.begin(use: 1, at: target, now: begun)
        _ = answer(&directory, .answered, at: .seconds(9))
        let news = fallSilent(&directory, from: .seconds(10))
        #expect(Set(news) == [.use(1, isThere: false), .browse(bonjour, BrowseEvent(.lost, item: item()))])
        #expect(!directory.isThere(use: 1))
        directory.end(use: 1)
        #expect(!directory.isIdle, "it is still listed")
        directory.end(bonjour)
        #expect(directory.isIdle)
    }

    @Test func whereItIsSaidToBeNowIsWhatIsTried() throws {
        var directory = LiveDirectory()
        _ = directory.apply(BrowseEvent(.found, item: item()), of: bonjour, now: begun)
        _ = answer(&directory, .answered)
        _ = fallSilent(&directory, from: .seconds(10))
        let elsewhere = directory.apply(
            BrowseEvent(.changed, item: item(["10.0.0.9"])), of: bonjour, now: begun + .seconds(60))
        #expect(elsewhere.isEmpty)
        let tries = directory.take(now: begun + .seconds(60))
        #expect(tries.map(\.subject.places) == [[ProbeTarget.Place(address: "10.0.0.9", port: 6_600)]])
        let news = directory.settle(tries[0].number, .answered, now: begun + .seconds(60))
        #expect(news == [.browse(bonjour, BrowseEvent(.found, item: item(["10.0.0.9"])))])
    }

    @Test("a doubt about a device that moved concerns the place it left, too")
    func thePlaceThatWasLeftIsKnown() throws {
        var directory = LiveDirectory()
        _ = directory.apply(BrowseEvent(.found, item: item()), of: bonjour, isHeard: true, now: begun)
        let old = try #require(ProbeTarget(item()))
        #expect(directory.formerPlaces(of: old).isEmpty)
        _ = directory.apply(BrowseEvent(.changed, item: item(["fd00::1"])), of: bonjour, isHeard: true, now: begun)
        let new = try #require(ProbeTarget(item(["fd00::1"])))
        #expect(directory.formerPlaces(of: new) == Set(old.places))
        _ = directory.apply(BrowseEvent(.changed, item: item()), of: bonjour, isHeard: true, now: begun)
        #expect(directory.formerPlaces(of: old) == Set(new.places), "it is back")
    }

    @Test func sleepIsNoticedOnce() {
        let continuous = ContinuousClock.now
        let suspending = SuspendingClock.now
        var detector = SuspensionDetector(continuous: continuous, suspending: suspending)
        let awake = detector.notice(continuous: continuous + .seconds(8), suspending: suspending + .seconds(8))
        #expect(!awake)
        let slept = detector.notice(continuous: continuous + .seconds(3_616), suspending: suspending + .seconds(16))
        #expect(slept)
        let again = detector.notice(continuous: continuous + .seconds(3_617), suspending: suspending + .seconds(17))
        #expect(!again)
    }
}
