import ExtensionFoundation
import Testing

private struct SameUser: AppExtensionConfiguration {
    nonisolated func accept(connection: NSXPCConnection) -> Bool { connection.effectiveUserIdentifier == 1_000 }
}

private final class Unbound: AppExtension {
    var configuration: SameUser { SameUser() }
}

private final class Bound: AppExtension {
    var configuration: some AppExtensionConfiguration { SameUser() }
    @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint {
        AppExtensionPoint.Identifier(host: "com.example.host", name: "point")
    }
}

@MainActor @Suite struct AppExtensionTests {
    @Test func aPointIsNamedByItsHostAndItself() {
        #expect(Bound().extensionPoint.identifier == .init("com.example.host.point"))
        #expect(Unbound().extensionPoint == .unspecified && AppExtensionPoint.unspecified.identifier == nil)
    }

    @Test func aPointThatNobodyServesIsAnErrorThatNamesIt() {
        let error = #expect(throws: AppExtensionError.self) { try Bound.main() }
        #expect(error == .unservedExtensionPoint(Bound().extensionPoint))
        #expect(error?.description.contains("com.example.host.point") == true)
        #expect(throws: AppExtensionError.unservedExtensionPoint(.unspecified)) { try Unbound.main() }
    }

    @Test func theConfigurationJudgesTheOtherEnd() {
        func connection(user: UInt32) -> NSXPCConnection {
            NSXPCConnection(processIdentifier: 1, effectiveUserIdentifier: user, effectiveGroupIdentifier: user)
        }
        #expect(Bound().configuration.accept(connection: connection(user: 1_000)))
        #expect(!Bound().configuration.accept(connection: connection(user: 0)))
    }
}
