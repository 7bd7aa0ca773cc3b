import DBus
import Foundation
import HostInterface
import Testing

@testable import HostState

/// Against a real keyring daemon on a bus of its own.
@Suite(.timeLimit(.minutes(1)), .enabled(if: PrivateKeyring.isInstalled, "needs dbus-daemon and gnome-keyring-daemon"))
struct SecretServiceTests {
    private let secret = Data([0, 1, 2, 0xFF, 10])

    @Test func storesReplacesAndRemoves() async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.startDaemon()
        let client = try #require(await SecretServiceClient.connect(address: keyring.address))
        #expect(try await client.secret(device: "A") == nil)
        try await client.setSecret(Data("old".utf8), device: "A")
        try await client.setSecret(secret, device: "A")
        try await client.setSecret(Data("other".utf8), device: "B")
        #expect(try await client.secret(device: "A") == secret)
        try await client.removeSecret(device: "A")
        try await client.removeSecret(device: "A")
        #expect(try await client.secret(device: "A") == nil)
        #expect(try await client.secret(device: "B") == Data("other".utf8))
        await client.close()
    }

    @Test func survivesARestartOfTheKeyring() async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.startDaemon()
        let client = try #require(await SecretServiceClient.connect(address: keyring.address))
        try await client.setSecret(secret, device: "A")
        try await keyring.stopDaemon()
        await #expect(throws: HostError.self) { try await client.secret(device: "A") }
        try await keyring.startDaemon()
        #expect(try await client.secret(device: "A") == secret)
        await client.close()
    }

    @Test func aLockedKeyringIsSaidToBeLocked() async throws {
        let keyring = try await PrivateKeyring()
        try await keyring.startDaemon()
        let client = try #require(await SecretServiceClient.connect(address: keyring.address))
        try await client.setSecret(secret, device: "A")
        try await keyring.lock()
        for body in [
            { _ = try await client.secret(device: "A") }, { try await client.setSecret(Data([1]), device: "A") },
        ] as [() async throws -> Void] {
            do {
                try await body()
                Issue.record("the keyring was not locked")
            } catch {
                #expect((error as? HostError)?.message == "The keyring is locked: unlock it and try again.")
            }
        }
        await client.close()
    }

    @Test func withoutAKeyringThereIsNoClient() async throws {
        let keyring = try await PrivateKeyring()
        #expect(await SecretServiceClient.connect(address: keyring.address) == nil)
        #expect(await SecretServiceClient.connect(address: "unix:path=/nonexistent/bus") == nil)
    }
}
