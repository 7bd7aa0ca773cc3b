import DBus
import HostInterface
import Testing

@Suite("Errors on the bus")
struct HostErrorTests {
    static let codes: [HostError.Code] = [
        .authorizationFailed, .authorizationRequired, .ambiguousName, .cancelled, .cannotGroup, .commandFailed,
        .deviceInUse, .deviceRefused, .discoveryFailed, .extensionCrashed, .fileNotFound, .hostUnavailable,
        .internalFailure, .invalidArgument, .noSuchDevice, .noSuchSession, .notMerged, .notSupported,
        .reverseConnectionBlocked, .sessionFailed, .storageFailed, .timedOut, .unreachable, .unreachableURL,
        .unsupportedFormat,
        HostError.Code(rawValue: "from-the-future"),
    ]

    @Test(arguments: codes)
    func everyCodeSurvivesItsName(code: HostError.Code) {
        let error = HostError(code, "A sentence.")
        #expect(HostError(error.asDBusError) == error)
    }

    @Test func namesAreReadable() {
        #expect(HostError(.authorizationFailed, "").busName == "org.mdhost.Error.AuthorizationFailed")
        #expect(HostError(.unreachableURL, "").busName == "org.mdhost.Error.UnreachableURL")
    }

    @Test(arguments: [
        (DBusError.Name.noReply, HostError.Code.timedOut), (DBusError.Name.timeout, .timedOut),
        (DBusError.Name.serviceUnknown, .hostUnavailable), (DBusError.Name.disconnected, .hostUnavailable),
        (DBusError.Name.nameHasNoOwner, .hostUnavailable), (DBusError.Name.unknownObject, .noSuchDevice),
        (DBusError.Name.invalidArguments, .invalidArgument), (DBusError.Name.failed, .internalFailure),
        ("org.example.Other", .internalFailure),
    ])
    func errorsOfTheBusGetTheCodeThatFits(name: String, code: HostError.Code) {
        #expect(HostError(DBusError(name: name, message: "m")) == HostError(code, "m"))
    }
}
