package import DBus
package import Foundation
package import HostInterface

/// The desktop's keyring: `org.freedesktop.secrets` on the session bus (Secret Service API 0.2). It uses "plain"
/// sessions, because the bus itself is private to the user.
///
/// It doesn't prompt to unlock a keyring, because the host may run unattended.
package actor SecretServiceClient: SecretStore {
    private static let service = "org.freedesktop.secrets"
    private static let servicePath = "/org/freedesktop/secrets"
    private static let serviceInterface = "org.freedesktop.Secret.Service"
    private static let itemInterface = "org.freedesktop.Secret.Item"
    private static let collectionInterface = "org.freedesktop.Secret.Collection"
    private static let nothing = "/"

    private let connection: DBusConnection
    private let timeout: Duration
    private var session: String?

    /// - Parameter connection: An open connection to the session bus.
    package init(_ connection: DBusConnection, timeout: Duration = .seconds(5)) {
        self.connection = connection
        self.timeout = timeout
    }

    /// Connects to the session bus and asks whether a keyring answers there.
    ///
    /// - Parameter address: The address of the bus; `nil` for the session's own.
    /// - Returns: `nil` without a bus or a keyring.
    package static func connect(address: String? = nil) async -> SecretServiceClient? {
        let connection = DBusConnection(loop: DBusLoop(label: "mdhost.secrets"))
        do throws(DBusError) {
            if let address {
                try await connection.open(address: address)
            } else {
                try await connection.openSessionBus()
            }
            let client = SecretServiceClient(connection)
            _ = try await client.openSession()
            return client
        } catch {
            await connection.close()
            return nil
        }
    }

    package func close() async {
        await connection.close()
    }

    package func secret(device: String) async throws(HostError) -> Data? {
        try await withSession { session throws(DBusError) in
            guard let item = try await self.unlockedItem(device: device) else { return nil }
            let values = try await self.call(item, Self.itemInterface, "GetSecret", [.objectPath(session)])
            guard case .structure(let parts)? = values.first, parts.count == 4, let bytes = parts[2].asBytes else {
                throw DBusError(name: DBusError.Name.failed, message: "the keyring's answer is invalid")
            }
            return Data(bytes)
        }
    }

    package func setSecret(_ secret: Data, device: String) async throws(HostError) {
        try await withSession { session throws(DBusError) in
            let collection = try await self.defaultCollection()
            try await self.unlock(collection)
            let values = try await self.call(
                collection, Self.collectionInterface, "CreateItem",
                [
                    .dictionary(
                        key: "s", value: "v",
                        [
                            .string(Self.itemInterface + ".Label"): .variant(.string("mdhost: device \(device)")),
                            .string(Self.itemInterface + ".Attributes"): .variant(Self.attributes(device)),
                        ]),
                    .structure([
                        .objectPath(session), .bytes([]), .bytes([UInt8](secret)), .string("application/octet-stream"),
                    ]),
                    .boolean(true),
                ])
            guard let item = values.first?.asString, item != Self.nothing else {
                throw DBusError(name: Self.lockedName, message: "the keyring wants to ask the person first")
            }
        }
    }

    package func removeSecret(device: String) async throws(HostError) {
        try await withSession { _ throws(DBusError) in
            guard let item = try await self.unlockedItem(device: device) else { return }
            let values = try await self.call(item, Self.itemInterface, "Delete", [])
            guard values.first?.asString == Self.nothing else {
                throw DBusError(name: Self.lockedName, message: "the keyring wants to ask the person first")
            }
        }
    }
}

extension SecretServiceClient {
    private static let lockedName = "org.freedesktop.Secret.Error.IsLocked"

    /// Runs `body` with a session, and once more with a new one if the keyring was restarted.
    private func withSession<Value: Sendable>(
        _ body: (String) async throws(DBusError) -> Value
    ) async throws(HostError) -> Value {
        do throws(DBusError) {
            if let session {
                do throws(DBusError) {
                    return try await body(session)
                } catch  where error.name != Self.lockedName {
                    self.session = nil
                }
            }
            return try await body(try await openSession())
        } catch {
            let reason = error.name == Self.lockedName ? "The keyring is locked" : "The keyring does not work"
            throw HostError(.storageFailed, "\(reason): \(error.message).")
        }
    }

    private func openSession() async throws(DBusError) -> String {
        let values = try await call(
            Self.servicePath, Self.serviceInterface, "OpenSession", [.string("plain"), .variant(.string(""))])
        guard values.count == 2, let session = values[1].asString else {
            throw DBusError(name: DBusError.Name.failed, message: "the keyring's answer is invalid")
        }
        self.session = session
        return session
    }

    private func defaultCollection() async throws(DBusError) -> String {
        let values = try await call(Self.servicePath, Self.serviceInterface, "ReadAlias", [.string("default")])
        guard let collection = values.first?.asString, collection != Self.nothing else {
            throw DBusError(name: DBusError.Name.failed, message: "there is no default keyring")
        }
        return collection
    }

    private func unlockedItem(device: String) async throws(DBusError) -> String? {
        let values = try await call(
            Self.servicePath, Self.serviceInterface, "SearchItems", [Self.attributes(device)])
        let lists = values.map { $0.asArray?.compactMap(\.asString) ?? [] }
        guard lists.count == 2 else {
            throw DBusError(name: DBusError.Name.failed, message: "the keyring's answer is invalid")
        }
        if let item = lists[0].first { return item }
        guard let item = lists[1].first else { return nil }
        try await unlock(item)
        return item
    }

    private func unlock(_ path: String) async throws(DBusError) {
        let values = try await call(
            Self.servicePath, Self.serviceInterface, "Unlock", [.array(of: "o", [.objectPath(path)])])
        guard values.first?.asArray?.contains(where: { $0.asString == path }) == true else {
            throw DBusError(name: Self.lockedName, message: "unlock it and try again")
        }
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]
    ) async throws(DBusError) -> [DBusValue] {
        try await connection.call(
            Self.service, path: path, interface: interface, member: member, arguments, timeout: timeout)
    }

    private static func attributes(_ device: String) -> DBusValue {
        .dictionary(
            key: "s", value: "s",
            [.string("application"): .string("mdhost"), .string("device"): .string(device)])
    }
}
