import DeviceConnections
import MediaDeviceTesting
import PlaybackKit
import Testing

@testable import KitchenRadio

@Suite(.timeLimit(.minutes(1)))
@MainActor
struct KitchenRadioTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func theProtocolNeedsNoNetwork() {
        var machine = RadioMachine()
        #expect(machine.connected() == [])
        #expect(machine.received(bytes("rad")) == [])
        #expect(machine.received(bytes("io\nvolume 40\n")) == [.ready, .notify(.volume(0.4))])
        #expect(machine.submit(1, "pause") == [.send(bytes("pause\n")), .expect(within: .seconds(5))])
        #expect(
            machine.received(bytes("state paused 1.5 60\nok\n")) == [
                .notify(.state(isPlaying: false, position: 1.5, duration: 60)), .complete(1, .ok), .expect(within: nil),
            ])
        #expect(machine.received(bytes("ok\n")) == [.close(.malformed("an answer to no command"))])
        var other = RadioMachine()
        #expect(other.received(bytes("SSH-2.0\n")) == [.close(.malformed("it isn't a radio"))])
    }

    @Test func anAnnouncedRadioIsADevice() async throws {
        let system = TestSystem(KitchenRadio())
        system.startDiscovery()
        system.network.announce("Kitchen", type: "_kitchen-radio._tcp", txt: ["serial": "1"])
        #expect(try await system.foundDevice(named: "Kitchen").volumeControl == .absolute)
    }

    @Test func oneThatIsGoneSaysSo() async throws {
        let system = TestSystem(KitchenRadio())
        system.startDiscovery()
        system.network.announce(
            "Kitchen", type: "_kitchen-radio._tcp", addresses: ["127.0.0.1"], port: 1, txt: ["serial": "1"])
        let session = system.activate(try await system.foundDevice(named: "Kitchen"))
        let error = try await #require(throws: ReportedError.self) { try await session.activated() }
        #expect(error.code == "unreachable")
    }
}
