import DBus
import HostInterface
import Testing

@testable import HostClient

@Suite("Objects that went before they were called")
struct VanishedObjectTests {
    @Test(
        "are told by what they were",
        arguments: [
            (HostNames.sessionPath("7"), .noSuchSession), (HostNames.devicePath("A-1"), .noSuchDevice),
        ] as [(String, HostError.Code)])
    func told(_ path: String, _ code: HostError.Code) {
        let error = DBusError(name: DBusError.Name.unknownObject, message: "Unknown object '\(path)'.")
        let told = HostClient.hostError(error, of: path)
        #expect(told.code == code)
        #expect(!told.message.contains(path))
    }

    @Test("other errors stay what they are")
    func others() {
        let error = HostError(.unreachable, "No answer.").asDBusError
        #expect(HostClient.hostError(error, of: HostNames.sessionPath("7")) == HostError(.unreachable, "No answer."))
    }
}
