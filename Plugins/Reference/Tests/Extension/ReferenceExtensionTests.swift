import Foundation
import MediaDeviceTesting
import ReferenceProtocol
import Testing

@testable import ReferenceExtension
@testable import ReferenceReceiver

/// The extension in a system that the test plays, against the real receiver on loopback.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ReferenceExtensionTests {
    private let home = Home()
    private let system = TestSystem(ReferenceExtension(), hostName: "desk")

    /// A receiver, announced to the extension; ended with `body`.
    private func withReceiver(
        _ change: (inout ReceiverSettings) -> Void = { _ in },
        _ body: (Home.Receiver, MediaOutputDevice) async throws -> Void
    ) async throws {
        try await home.withReceiver(change) { receiver in
            system.network.announce(
                "TV", type: ReferenceAnnouncement.serviceType, addresses: ["127.0.0.1"], port: receiver.place.port,
                txt: receiver.place.announcement.txt)
            system.startDiscovery()
            let device = try await system.foundDevice(named: "TV")
            try await body(receiver, device)
            system.stopDiscovery()
        }
    }

    @Test func describesWhatWasAnnounced() async throws {
        let announcement = ReferenceAnnouncement(
            id: UUID().uuidString, volume: .relative, kind: .speaker, canGroup: false)
        system.network.announce(
            "Box", type: ReferenceAnnouncement.serviceType, port: 4, txt: announcement.txt)
        system.startDiscovery()
        let device = try await system.foundDevice()
        #expect(device.id.uuidString == announcement.id && device.displayName == "Box")
        #expect(device.deviceType == .hifiSpeaker && device.volumeControl == .relative && device.canMute)
        #expect(!device.canGroupWithCurrentlyActivatedDevices)
        #expect(device.capabilities == [.urlPlayback, .appLaunch])

        system.network.announce(
            "Box", type: ReferenceAnnouncement.serviceType, addresses: ["192.0.2.9"], port: 4, txt: announcement.txt)
        try await system.report("the new address") {
            if case .updated(let devices) = $0 {
                devices.first?.networkEndpoints.first?.debugDescription == "192.0.2.9:4"
            } else {
                false
            }
        }
        system.network.withdraw("Box", type: ReferenceAnnouncement.serviceType)
        try await system.report("the loss") { $0 == .lost(device.id) }
        system.network.fail(ReferenceAnnouncement.serviceType, message: "No network.")
        try await system.report("the failure") {
            if case .discoveryFailed(let error) = $0 { error.message == "No network." } else { false }
        }
    }

    @Test(arguments: [ReferenceAnnouncement.Authorization.pin4, .pin6])
    func pairsByTheShownCode(_ authorization: ReferenceAnnouncement.Authorization) async throws {
        try await withReceiver({ $0.authorization = authorization }) { receiver, device in
            let session = system.activate(device)
            let asked = try await session.pairingRequest()
            #expect(asked.method == .numericCode(digits: authorization == .pin6 ? 6 : 4))
            let code = try await receiver.shownCode()
            session.answer(code)
            try await session.activated()
            #expect(system.credential(for: device)?.count == 32)
            session.deactivate()

            // It is known from now on.
            let again = system.activate(device)
            try await again.activated()
            again.deactivate()
        }
    }

    @Test func aWrongPasswordIsToldInTheReceiversWords() async throws {
        try await withReceiver({
            $0.authorization = .password
            $0.password = "sesame"
        }) { _, device in
            let session = system.activate(device)
            #expect(try await session.pairingRequest().method == .password)
            session.answer("guess")
            await #expect(throws: ReportedError.self) { try await session.activated() }
            guard case .activationFailed(_, _, let error)? = system.reports.last else {
                Issue.record("no failure")
                return
            }
            #expect(error.code == "authorization-failed" && error.message == "The password is wrong.")
            #expect(system.credential(for: device) == nil)

            let second = system.activate(device)
            _ = try await second.pairingRequest()
            second.answer("sesame")
            try await second.activated()
            second.deactivate()
        }
    }

    @Test func aCancelledPairingLeavesTheReceiversScreen() async throws {
        try await withReceiver { receiver, device in
            let session = system.activate(device)
            _ = try await session.pairingRequest()
            session.answer(nil)
            await #expect(throws: ReportedError.self) { try await session.activated() }
            try await receiver.sees { $0 == .pairingCancelled }
            session.deactivate()
        }
    }

    @Test(arguments: [ReferenceAnnouncement.Authorization.pin4, .confirm])
    func aReceiverThatIsSwitchedOffEndsItsQuestion(_ authorization: ReferenceAnnouncement.Authorization) async throws {
        try await withReceiver({ $0.authorization = authorization }) { receiver, device in
            let session = system.activate(device)
            _ = try await session.pairingRequest()
            receiver.switchOff()
            let error = await #expect(throws: ReportedError.self) { try await session.activated() }
            #expect(error?.message == "The connection to TV was lost.")
            session.deactivate()
        }
    }

    @Test func anActivationThatWasGivenUpLeavesNothingOpen() async throws {
        try await withReceiver { receiver, device in
            let session = system.activate(device)
            session.deactivate()
            // The receiver is notified, whether it has asked for a code already or not.
            let next = system.activate(device)
            _ = try await next.pairingRequest()
            next.answer(try await receiver.shownCode())
            try await next.activated()
            #expect(!system.reports.contains { if case .activated(_, session.id) = $0 { true } else { false } })
            next.deactivate()
        }
    }

    @Test(arguments: [true, false])
    func aKeyPressOnTheReceiverDecides(_ isAllowed: Bool) async throws {
        try await withReceiver({ $0.authorization = .confirm }) { receiver, device in
            let session = system.activate(device)
            #expect(try await session.pairingRequest().method == .none)
            try await receiver.sees { $0 == .confirmationWanted(client: "desk") }
            await receiver.receiver.perform(.confirm(isAllowed))
            if isAllowed {
                try await session.activated()
            } else {
                await #expect(throws: ReportedError.self) { try await session.activated() }
            }
            session.deactivate()
        }
    }

    @Test func playsAProgrammeAndTakesCommands() async throws {
        try await withReceiver({ $0.authorization = .none }) { receiver, device in
            let session = system.activate(device)
            try await session.activated()
            session.start(try receiver.sample("film"))
            try await session.started()
            let control = try #require(session.control)
            #expect(control.metadata.title == "The Sample" && control.timeRange.duration.seconds == 120)
            #expect(control.segments.map(\.segmentType) == [.intro, .primary, .advertisement, .primary, .credits])
            #expect(control.segments[2].requiresLinearPlayback)
            #expect(control.audioOptions.map(\.identifier) == ["en", "de"])
            #expect(control.currentAudioOption?.identifier == "en")

            try session.perform(.pause)
            try session.perform(.seek(65))
            try session.perform(.selectSubtitles("sub-ja"))
            try session.perform(.setVolume(0.25))
            try await session.control("the receiver's answers") {
                !$0.isPlaying && $0.playbackPosition.position.seconds == 65
                    && $0.currentLegibleOption?.identifier == "sub-ja" && $0.currentSegment.identifier == "break"
            }
            #expect(await receiver.receiver.playback?.position == 65)
            try await receiver.sees { $0 == .volume(level: 0.25, isMuted: false) }
            try session.perform(.scan(-4))
            try await session.control("the scan") { $0.state == .scanning && $0.scanSpeed == -4 }

            // The other side has a say, too.
            await receiver.receiver.perform(.stop)
            try await session.ended()
            session.deactivate()
        }
    }

    @Test func playsALiveStream() async throws {
        try await withReceiver({ $0.authorization = .none }) { receiver, device in
            let session = system.activate(device)
            try await session.activated()
            session.start(try receiver.sample("live"))
            try await session.started()
            #expect(session.control?.containsLiveStreamingContent == true)
            #expect(session.control?.supportedSeekCapabilities == [])
            #expect(throws: ReportedError.self) { try session.perform(.seek(3)) }
            session.stop()
            try await receiver.sees { $0 == .playback(nil) }
            session.deactivate()
        }
    }

    @Test func anApplicationHasADataChannel() async throws {
        try await withReceiver({ $0.authorization = .none }) { _, device in
            let session = system.activate(device, for: .appLaunch)
            try await session.activated()
            session.start(try #require(URL(string: "echo:hello")), application: "org.mdhost.reference.echo")
            try await session.started()
            session.send(Data("ping".utf8), toApplication: "org.mdhost.reference.echo")
            let answer = try await session.receivedData()
            #expect(answer.data == Data("ping".utf8) && answer.application == "org.mdhost.reference.echo")

            // The next one takes its place at once, and hears nothing of its end.
            session.stop()
            session.start(try #require(URL(string: "x:y")), application: "org.example.none")
            let error = try await #require(throws: ReportedError.self) { try await session.started() }
            #expect(error.code == "not-supported")
            let hasEnded = system.reports.contains { if case .sessionEnded(session.id, _) = $0 { true } else { false } }
            #expect(!hasEnded)
            session.deactivate()
        }
    }

    @Test func relativeVolumeGoesByStepsAndMutes() async throws {
        try await withReceiver({
            $0.authorization = .none
            $0.volume = .relative
        }) { receiver, device in
            let session = system.activate(device)
            try await session.activated()
            try system.changeVolume(by: 2, for: device)
            try await receiver.sees {
                if case .volume(let level?, false) = $0 { abs(level - 0.5) < 0.001 } else { false }
            }
            #expect(throws: ReportedError.self) { try system.setVolume(0.5, for: device) }
            try system.toggleMute(of: device)
            try await system.report("the mute") { $0 == .volumeChanged(device: device.id, level: nil, isMuted: true) }
            session.deactivate()
        }
    }

    @Test(arguments: [
        (ReceiverSettings.Failure.connect, "unreachable"), (.busy, "device-in-use"), (.garbage, "not-supported"),
    ])
    func activationFailsWithItsReason(_ failure: ReceiverSettings.Failure, _ code: String) async throws {
        try await withReceiver({ $0.failures = [failure] }) { _, device in
            let session = system.activate(device)
            do {
                try await session.activated()
                Issue.record("it was activated")
            } catch let error as ReportedError {
                #expect(error.code == code, "\(error)")
            }
        }
    }

    @Test(arguments: [
        (ReceiverSettings.Failure.media, "unreachable-url"), (.format, "unsupported-format"),
    ])
    func playbackFailsWithItsReason(_ failure: ReceiverSettings.Failure, _ code: String) async throws {
        try await withReceiver({
            $0.authorization = .none
            $0.failures = [failure]
        }) { receiver, device in
            let session = system.activate(device)
            try await session.activated()
            session.start(try receiver.sample("tone.wav"))
            do {
                try await session.started()
                Issue.record("it plays")
            } catch let error as ReportedError {
                #expect(error.code == code, "\(error)")
            }
            session.deactivate()
        }
    }

    @Test func whatIsNotThereOrNoMediaIsRefused() async throws {
        try await withReceiver({ $0.authorization = .none }) { receiver, device in
            let session = system.activate(device)
            try await session.activated()
            for (url, code) in [
                (try receiver.sample("nothing"), "unreachable-url"),
                (try #require(URL(string: "http://127.0.0.1:1/x")), "unreachable-url"),
                (try #require(URL(string: "ftp://127.0.0.1/x")), "unsupported-format"),
            ] {
                session.start(url)
                do {
                    try await session.started()
                    Issue.record("\(url) plays")
                } catch let error as ReportedError {
                    #expect(error.code == code, "\(error)")
                }
            }
            session.deactivate()
        }
    }
}
