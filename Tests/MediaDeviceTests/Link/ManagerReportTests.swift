import DBus
import Foundation
import HostInterface
import MediaDevice
import Testing

@MainActor
@Suite("What an extension reports", .timeLimit(.minutes(1)))
struct ManagerReportTests {
    private let device = MediaOutputDevice.sample()
    private var id: DBusValue { .string(device.id.uuidString) }

    @Test("devices")
    func devices() async throws {
        let link = try await LinkedExtension.greeted()
        let second = MediaOutputDevice.sample("Second", id: UUID(version5: "second"))
        link.manager.foundDevice(device)
        link.manager.updateDevices([device, second])
        link.manager.updateDevices([])
        link.manager.lostDevice(second)
        link.manager.discoveryFailed(MediaDeviceError(.discoveryFailed, reason: "No radio."))

        let found = try await link.next()
        #expect(found.member == "FoundDevice")
        #expect(
            try found.decode(DeviceDescription.self, at: 0)
                == DeviceDescription(
                    id: device.id.uuidString, name: "Television", capabilities: [.urlPlayback, .appLaunch], type: "tv",
                    volumeControl: .absolute, canMute: true, canGroup: true, supportsSimultaneousSessions: false,
                    endpoints: ["127.0.0.1:8060"], txt: ["model": "T-1"]))
        let updated = try await link.next()
        #expect(updated.member == "UpdateDevices")
        #expect(
            try updated.arguments[0].asArray?.map {
                try DBusDictionaryDecoder().decode(DeviceDescription.self, from: $0).name
            } == ["Television", "Second"])
        #expect(try await link.next() == .init(member: "UpdateDevices", arguments: [.array(of: "a{sv}", [])]))
        #expect(
            try await link.next() == .init(member: "LostDevice", arguments: [.string(second.id.uuidString)]))
        #expect(
            try await link.next()
                == .init(member: "DiscoveryFailed", arguments: [.string("discovery-failed"), .string("No radio.")]))
    }

    @Test("activation and pairing")
    func activation() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        let session = try #require(link.extension.sessions.first)
        link.manager.requestPairingCode(
            for: device, session: session, reason: "Enter the code shown on \(device.displayName).",
            authorizationMethod: .numericCode(length: .sixCharacter))
        link.manager.setCredential(Data([1, 2]), for: device)
        link.manager.setCredential(nil, for: device)
        link.manager.activatedDevice(device, session: session)
        link.manager.failedToActivateDevice(
            device, session: session,
            error: MediaDeviceError(.authorizationFailed, reason: "The television says: wait 30 seconds."))

        let request = try await link.next()
        #expect(request.member == "RequestPairingCode")
        #expect(Array(request.arguments.prefix(2)) == [id, .string("s1")])
        #expect(
            try request.decode(PairingChallenge.self, at: 2)
                == PairingChallenge(
                    method: .numericCode, length: 6, reason: "Enter the code shown on Television."))
        #expect(try await link.next() == .init(member: "SetCredential", arguments: [id, .bytes([1, 2])]))
        #expect(try await link.next() == .init(member: "SetCredential", arguments: [id, .bytes([])]))
        #expect(try await link.next() == .init(member: "ActivatedDevice", arguments: [id, .string("s1")]))
        #expect(
            try await link.next()
                == .init(
                    member: "FailedToActivate",
                    arguments: [
                        id, .string("s1"), .string("authorization-failed"),
                        .string("The television says: wait 30 seconds."),
                    ]))
        #expect(link.manager.credential(for: device) == nil)
    }

    @Test("many changes go out in parts that the host takes")
    func manyUpdates() async throws {
        let link = try await LinkedExtension.greeted()
        link.manager.updateDevices(Array(repeating: device, count: 1201))
        var counts: [Int] = []
        while counts.reduce(0, +) < 1201 {
            let message = try await link.next()
            #expect(message.member == "UpdateDevices")
            counts.append(message.arguments.first?.asArray?.count ?? 0)
        }
        #expect(counts == [500, 500, 201])
    }

    @Test("a change of level is read back once for a turn, after the turn")
    func volumeChanged() async throws {
        let link = try await LinkedExtension.greeted()
        link.manager.foundDevice(device)
        _ = try await link.next()
        link.manager.volumeChanged(for: device)
        link.manager.volumeChanged(for: device)
        link.extension.level = 0.125
        #expect(link.extension.volumeReadings == 0)
        #expect(
            try await link.next()
                == .init(member: "VolumeChanged", arguments: [id, .double(0.125), .boolean(false)]))
        #expect(link.extension.volumeReadings == 1)

        let relative = MediaOutputDevice.sample(volumeControl: .relative)
        link.manager.foundDevice(relative)
        _ = try await link.next()
        link.extension.isMuted = true
        link.manager.volumeChanged(for: relative)
        #expect(
            try await link.next() == .init(member: "VolumeChanged", arguments: [id, .double(-1), .boolean(true)]))
        #expect(link.extension.volumeReadings == 1)
    }

    @Test("a level may be reported from within the change of the property it is read from")
    func volumeChangedInside() async throws {
        struct Levels { var first: Float = 0 { didSet { report() } }; var report: () -> Void }
        let link = try await LinkedExtension.greeted()
        link.manager.foundDevice(device)
        _ = try await link.next()
        var levels = Levels { [link, device] in link.manager.volumeChanged(for: device) }
        levels.first = 0.75
        link.extension.level = levels.first
        #expect(try await link.next().arguments[1] == .double(0.75))
    }

    @Test("data and quality")
    func data() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        let session = try #require(link.extension.sessions.first)
        link.manager.receiveData(Data([1]), fromApplication: "app", session: session)
        link.manager.sendData(Data([2]), toApplication: "app", session: session)
        link.manager.reportQualityMetricsPassed(true, forSession: session)
        link.manager.reportRealtimeSampleDeliveryKPIs(session: session, metKPIs: false)
        let quality = RealtimeQuality(
            packetsSent: 900, packetsLate: 1, packetsLost: 3, packetsResent: 2, stalls: 0, latency: 2)
        link.manager.reportQuality(quality, forSession: session)
        for byte in [1, 2] as [UInt8] {
            #expect(
                try await link.next()
                    == .init(member: "ReceiveData", arguments: [.bytes([byte]), .string("app"), .string("s1")]))
        }
        for passed in [true, false] {
            #expect(
                try await link.next()
                    == .init(member: "ReportQuality", arguments: [.boolean(passed), .string("s1")]))
        }
        let measured = try await link.next()
        #expect(measured.member == "MeasureQuality" && measured.arguments.first?.asString == "s1")
        let values = try #require(measured.arguments.last?.asDictionary)
        #expect(values["packetsSent"]?.asInt64 == 900 && values["packetsLost"]?.asInt64 == 3)
        #expect(values["latency"]?.asDouble == 2)
    }

    @Test("what is reported before the host answered is delivered in order when it does")
    func early() async throws {
        let link = try await LinkedExtension { `extension` in
            for number in 0..<10 {
                `extension`.manager.foundDevice(.sample("\(number)", id: UUID(version5: "\(number)")))
            }
        }
        for number in 0..<10 {
            let call = try await link.next()
            #expect(try call.decode(DeviceDescription.self, at: 0).name == "\(number)")
        }
    }

    @Test("an extension has one manager, another extension another")
    func oneManager() {
        let first = SampleExtension()
        let second = SampleExtension()
        let manager = MediaDeviceRoutingManager.routingManager(for: first)
        #expect(manager === MediaDeviceRoutingManager.routingManager(for: first))
        #expect(manager !== MediaDeviceRoutingManager.routingManager(for: second))
        withExtendedLifetime((first, second)) {}
    }
}
