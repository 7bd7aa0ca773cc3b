import Foundation
import MediaDeviceTesting
import TestConditions
import Testing

@testable import MPDExtension

/// The extension's search in a system that the test plays.
@Suite(.timeLimit(.minutes(1)))
@MainActor
struct MPDDiscoveryTests {
    private let system = TestSystem(MPDExtension())

    init() { system.startDiscovery() }

    private func announce(_ name: String, _ addresses: [String]) {
        system.network.announce(name, type: "_mpd._tcp", host: "pi.local", addresses: addresses, port: 6600)
    }

    @Test func reportsServersWithEveryAddressInOrder() async throws {
        announce("Room[28]", [])
        announce("Room[28]", ["fe80::1%lo", "10.0.0.5"])
        let device = try await system.foundDevice(named: "Room")
        #expect(system.network.browsedTypes == ["_mpd._tcp"])
        #expect(device.networkEndpoints.map(\.debugDescription) == ["[fe80::1%lo]:6600", "10.0.0.5:6600"])
        #expect(device.capabilities == .urlPlayback && device.volumeControl == .absolute && device.canMute == false)
        #expect(device.deviceType == .hifiSpeaker)
        system.stopDiscovery()
    }

    @Test func knowsAServerAgainAfterItsRestart() async throws {
        announce("Room[28]", ["10.0.0.5"])
        let device = try await system.foundDevice(named: "Room")
        system.network.withdraw("Room[28]", type: "_mpd._tcp")
        try await system.report("the loss") { $0 == .lost(device.id) }
        announce("Room[4711]", ["10.0.0.9"])
        #expect(try await system.foundDevice(named: "Room") == device)

        system.stopDiscovery()
        system.startDiscovery()
        #expect(try await system.foundDevice(named: "Room") == device)
        system.stopDiscovery()
    }

    @Test func knowsARenamedServerAgainInTheNextProcess() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mpd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var known: MediaOutputDevice?
        for name in ["Room[28]", "Den[29]"] {
            let system = TestSystem(MPDExtension(), stateDirectory: folder)
            system.startDiscovery()
            system.network.announce(name, type: "_mpd._tcp", host: "pi.local", addresses: ["10.0.0.5"], port: 6600)
            let device = try await system.foundDevice(named: String(name.prefix { $0 != "[" }))
            #expect(known == nil || known?.id == device.id)
            known = device
            system.stopDiscovery()
        }
    }

    @Test func reportsASearchThatFails() async throws {
        await eventually("the request") { system.network.browsedTypes.count == 1 }
        system.network.fail("_mpd._tcp", message: "There is no network.")
        try await system.report("the failure") {
            if case .discoveryFailed(let error) = $0 { error.message == "There is no network." } else { false }
        }
        system.startDiscovery()
        await eventually("another try") { system.network.browsedTypes.count == 1 }
        system.stopDiscovery()
    }
}
