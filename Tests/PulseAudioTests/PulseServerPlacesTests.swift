import Foundation
import Testing

@testable import PulseAudio

struct PulseServerPlacesTests {
    private let home = NSTemporaryDirectory() + "pulse-places-\(UUID().uuidString)"

    private func mayRun(_ environment: [String: String] = [:], settings: String = "/dev/null") -> Bool {
        PulseServerPlaces(
            environment: environment.merging(["HOME": home]) { own, _ in own }, systemSocket: home + "/native",
            systemSettings: settings
        ).maySomeServerRun
    }

    @Test func aUserWithoutSessionHasNone() {
        #expect(!mayRun())
        #expect(!mayRun(["XDG_RUNTIME_DIR": ""]))
    }

    @Test(arguments: ["PULSE_SERVER", "PULSE_RUNTIME_PATH", "XDG_RUNTIME_DIR", "DISPLAY"])
    func aNamedPlaceIsAsked(name: String) { #expect(mayRun([name: "/somewhere"])) }

    @Test func serversBeforeAreFoundByTheirTraces() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let folder = home + "/.config/pulse"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(!mayRun())
        let settings = home + "/client.conf"
        try "; default-server =\n".write(toFile: settings, atomically: true, encoding: .utf8)
        #expect(!mayRun(settings: settings))
        try "  default-server = tcp:host\n".write(toFile: settings, atomically: true, encoding: .utf8)
        #expect(mayRun(settings: settings))
        try FileManager.default.createDirectory(atPath: folder + "/1-runtime", withIntermediateDirectories: true)
        #expect(mayRun())
    }
}
