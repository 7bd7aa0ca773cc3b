import Foundation
import HostInterface
import Synchronization
import Testing

@testable import HostCore

/// Merges by a person.
@Suite(.timeLimit(.minutes(1)))
struct MergingTests {
    @Test func twoBecomeOneAndTwoAgain() async throws {
        let home = ReceiverOfTwo()
        await home.discover()
        #expect(await home.host.names == ["Living Room", "Open Room"])
        #expect(try await home.host.mergeDevices([home.living.id, home.open.id]) == home.living.id)
        var devices = await home.host.devices
        #expect(devices.map(\.id) == [home.living.id])
        #expect(devices.first?.parts.map(\.name) == ["Living Room", "Open Room"])
        #expect(home.world.store.one.withLock { $0.merges.map(\.id) } == [home.living.id])
        #expect(await home.told().suffix(2) == ["+Living Room", "-Open Room"], "no moment without it")

        #expect(try await home.host.splitDevice(home.living.id) == [home.living.id, home.open.id])
        devices = await home.host.devices
        #expect(devices.allSatisfy { $0.parts.isEmpty } && Set(devices.map(\.id)) == [home.living.id, home.open.id])
        #expect(await Set(home.told().suffix(2)) == ["+Living Room", "+Open Room"])
        #expect(home.world.store.one.withLock { $0.merges.isEmpty })
        await home.world.finish()
    }

    @Test func whatCannotBeMergedOrSplitSaysWhy() async throws {
        let home = ReceiverOfTwo()
        await home.discover()
        let nobody = UUID().uuidString
        for (ids, code) in [
            ([home.living.id], HostError.Code.invalidArgument), ([home.living.id, home.living.id], .invalidArgument),
            ([home.living.id, nobody], .noSuchDevice),
        ] {
            let error = await #expect(throws: HostError.self) { try await home.host.mergeDevices(ids) }
            #expect(error?.code == code, "\(ids)")
        }
        let single = await #expect(throws: HostError.self) { try await home.host.splitDevice(home.open.id) }
        #expect(single == HostError(.notMerged, "Open Room is one device and cannot be split."))
        let unknown = await #expect(throws: HostError.self) { try await home.host.splitDevice(nobody) }
        #expect(unknown?.code == .noSuchDevice)
        await home.world.finish()
    }

    @Test func whatCannotBeStoredIsNotDone() async throws {
        let home = ReceiverOfTwo()
        await home.discover()
        home.world.store.failure.withLock { $0 = HostError(.storageFailed, "The disk is full.") }
        let error = await #expect(throws: HostError.self) {
            try await home.host.mergeDevices([home.living.id, home.open.id])
        }
        #expect(error?.code == .storageFailed)
        #expect(await home.host.names == ["Living Room", "Open Room"])
        home.world.store.failure.withLock { $0 = nil }
        _ = try await home.host.mergeDevices([home.living.id, home.open.id])
        #expect(await home.host.names == ["Living Room"])
        await home.world.finish()
    }

    @Test func whatCannotBeReadIsNotWrittenOver() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        await home.world.finish()
        home.world.store.failure.withLock { $0 = HostError(.storageFailed, "The disk does not answer.") }
        let later = ReceiverOfTwo(store: home.world.store)
        await later.discover()
        #expect(await later.host.names == ["Living Room", "Open Room"])
        home.world.store.failure.withLock { $0 = nil }
        var third = later.open
        third.id = UUID().uuidString
        third.name = "Third"
        await later.find(third, later.mpdRunner)
        _ = try await later.host.mergeDevices([third.id, later.open.id])
        // It is read first, and brings the parts it was merged with.
        #expect(home.world.store.one.withLock { $0.merges.map(\.members.count) } == [3])
        #expect(await later.host.names == ["Third"])
        #expect(await later.told().last == "-Living Room")
        await later.world.finish()
    }

    @Test func severalWordsAtATimeAllCount() async throws {
        let home = ReceiverOfTwo()
        await home.discover()
        var third = home.open
        third.id = UUID().uuidString
        third.name = "Third"
        await home.find(third, home.mpdRunner)
        async let one = home.host.mergeDevices([home.living.id, home.open.id])
        async let other = home.host.mergeDevices([home.living.id, third.id])
        #expect(try await [one, other] == [home.living.id, home.living.id])
        #expect(await home.host.names == ["Living Room"])
        #expect(home.world.store.one.withLock { $0.merges.first?.members.count } == 3)
        await home.world.finish()
    }

    // MARK: Coming and going

    @Test func itStaysWhileAnyOfThemIsThere() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        await home.lose(home.living, home.dlnaRunner)
        var device = try #require(await home.host.devices.first)
        #expect(device.id == home.living.id && device.description.name == "Living Room" && device.protocolName == "MPD")
        #expect(device.parts.map(\.availability) == ["absent", "ready"])
        await home.lose(home.open, home.mpdRunner)
        #expect(await home.host.devices.isEmpty)
        await home.find(home.open, home.mpdRunner)
        await home.find(home.living, home.dlnaRunner)
        device = try #require(await home.host.devices.first)
        #expect(device.id == home.living.id && device.protocolName == "DLNA")
        #expect(await home.host.devices.count == 1)
        await home.world.finish()
    }

    @Test func aSplitWhileThePreferredIsAwayLeavesTheOther() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        await home.lose(home.living, home.dlnaRunner)
        #expect(try await home.host.splitDevice(home.living.id) == [home.open.id])
        #expect(await home.host.names == ["Open Room"])
        #expect(await home.told().suffix(2) == ["+Open Room", "-Living Room"])
        await home.find(home.living, home.dlnaRunner)
        #expect(await home.host.names == ["Living Room", "Open Room"])
        await home.world.finish()
    }

    @Test func theNextDaemonKnowsIt() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        await home.world.finish()

        let later = ReceiverOfTwo(store: home.world.store)
        await later.host.takeLease("test")
        // Its name is known although only the other one is found.
        await later.find(later.open, later.mpdRunner)
        var device = try #require(await later.host.devices.first { $0.id == later.living.id })
        #expect(device.description.name == "Living Room")
        await later.find(later.living, later.dlnaRunner)
        device = try #require(await later.host.devices.first)
        #expect(device.parts.map(\.isCurrent) == [true, false])
        #expect(await later.host.names == ["Living Room"])
        _ = try await later.host.splitDevice(later.living.id)
        await later.world.finish()

        let last = ReceiverOfTwo(store: home.world.store)
        await last.discover()
        #expect(await last.host.names == ["Living Room", "Open Room"])
        await last.world.finish()
    }

    // MARK: Names and pairings

    @Test func namesAndPairingsOfBeforeComeBack() async throws {
        let home = ReceiverOfTwo()
        await home.discover()
        home.mpd.asksForCode = true
        try await home.host.rename(home.open.id, to: "Küche")
        try await home.host.pair(home.open.id) { _, _ in "sesame" }
        _ = try await home.host.mergeDevices([home.living.id, home.open.id])
        var device = try #require(await home.host.devices.first)
        #expect(device.description.name == "Living Room" && !device.isPaired)
        #expect(device.parts.map(\.name) == ["Living Room", "Küche"] && device.parts.map(\.isPaired) == [false, true])

        try await home.host.rename(home.living.id, to: "Stereo")
        device = try #require(await home.host.devices.first)
        #expect(device.description.name == "Stereo" && device.deviceName == "Living Room")
        try await home.host.rename(home.living.id, to: "")
        _ = try await home.host.splitDevice(home.living.id)
        #expect(await home.host.names == ["Küche", "Living Room"])
        #expect(await home.host.devices.first { $0.id == home.open.id }?.isPaired == true)
        #expect(home.world.store.paired == [home.open.id: Data("sesame".utf8)])
        await home.world.finish()
    }

    @Test func aNameGivenWhileThePreferredIsAwayIsItsName() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        await home.lose(home.living, home.dlnaRunner)
        try await home.host.rename(home.living.id, to: "Stereo")
        #expect(await home.host.names == ["Stereo"])
        #expect(await home.told().last == "+Stereo")
        #expect(home.world.store.names.withLock { $0 } == [home.living.id: "Stereo"])
        await home.find(home.living, home.dlnaRunner)
        #expect(await home.host.names == ["Stereo"])
        await home.world.finish()
    }

    @Test func pairingPairsWithEveryPartAndSaysWithWhich() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        home.mpd.asksForCode = true
        home.dlna.asksForCode = true
        let asked = Mutex<[String]>([])
        try await home.host.pair(home.living.id) { device, _ in
            asked.withLock { $0.append("\(device.description.name) \(device.id == HostUnderTest.device.id)") }
            return "sesame"
        }
        #expect(asked.withLock { $0 } == ["Living Room (DLNA) true", "Living Room (MPD) true"])
        #expect(Set(home.world.store.paired.keys) == [home.living.id, home.open.id])
        try await home.host.forget(home.living.id)
        #expect(home.world.store.paired.isEmpty)
        #expect(await home.host.devices.first?.parts.count == 2, "what is merged stays so")
        await home.world.finish()
    }

    @Test func onlyOnePartIsPairedWithWhereOnlyOneIsMeant() async throws {
        let home = ReceiverOfTwo()
        try await home.merge()
        home.mpd.asksForCode = true
        home.dlna.asksForCode = true
        try await home.host.pair(home.living.id, via: "mpd") { _, _ in "sesame" }
        #expect(Array(home.world.store.paired.keys) == [home.open.id])
        await home.world.finish()
    }
}
