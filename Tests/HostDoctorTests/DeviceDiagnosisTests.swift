import HostDoctor
import HostInterface
import Testing

@Suite("Why a device is not there")
struct DeviceDiagnosisTests {
    private func device(
        state: String = "running", _ places: [DeviceFacts.Place] = [], change: (inout DeviceFacts) -> Void = { _ in }
    ) throws -> Finding {
        var facts = Facts()
        var device = DeviceFacts(name: "Kitchen")
        device.protocolName = "MPD"
        device.extension = "MPD Extension"
        device.extensionState = state
        device.places = places
        change(&device)
        facts.device = device
        return try #require(Diagnosis.findings(facts).first { $0.area == .device })
    }

    private func place(_ answer: DeviceFacts.Place.Answer, isNear: Bool = true) -> DeviceFacts.Place {
        DeviceFacts.Place(address: "10.0.0.5", port: 6600, answer: answer, isNear: isNear)
    }

    @Test("where nobody asks about one, nothing is said")
    func none() {
        #expect(!Diagnosis.findings(Facts()).contains { $0.area == .device })
    }

    @Test("the reason follows what answers at its address")
    func places() throws {
        #expect(try device([place(.refused)]).code == "device-refuses")
        #expect(try device([place(.refused)]).message.contains("10.0.0.5"))
        #expect(try device([place(.silent)]).code == "device-silent")
        #expect(try device([place(.silent, isNear: false)]).code == "device-on-another-network")
        #expect(try device([place(.silent), place(.answered)]).code == "device-not-taken-up")
        #expect(try device([]).code == "device-absent")
    }

    @Test(
        "an extension that cannot run comes first",
        arguments: [
            ("", "device-without-extension"), ("disabled", "extension-disabled"),
            ("quarantined", "extension-quarantined"),
        ])
    func extensions(_ state: String, _ code: String) throws {
        #expect(try device(state: state, [place(.refused)]).code == code)
    }

    @Test("a name that means none, and a device that is ready")
    func others() throws {
        let unknown = try device { $0.failure = HostError(.noSuchDevice, "No device is called “Kitchen”.") }
        #expect(unknown.severity == .problem && unknown.remedy?.contains("mdhost device add") == true)
        #expect(try device { $0.isAvailable = true }.severity == .note)
        let failed = try device {
            $0.isAvailable = true
            $0.lastError = HostError(.authorizationFailed, "The code is wrong.")
        }
        #expect(failed.severity == .warning && failed.message.contains("The code is wrong."))
    }
}
