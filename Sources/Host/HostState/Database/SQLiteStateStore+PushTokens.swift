package import Foundation
import GRDB
package import HostCore
import Logging

extension SQLiteStateStore {
    package func pushTokens() async throws -> [PushToken] {
        let texts = try await read { database in
            try String.fetchAll(database, sql: "SELECT token FROM pushToken")
        }
        let decoder = JSONDecoder()
        return texts.compactMap { text in
            do {
                return try decoder.decode(PushToken.self, from: Data(text.utf8))
            } catch {
                logger.warning("a stored push token cannot be read and holds no more")
                return nil
            }
        }
    }

    package func keep(_ token: PushToken) async throws {
        let text = String(decoding: try JSONEncoder().encode(token), as: UTF8.self)
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO pushToken (value, token) VALUES (?, ?)
                    ON CONFLICT (value) DO UPDATE SET token = excluded.token
                    """,
                arguments: [token.value, text])
        }
    }

    package func dropPushTokens(_ values: [Data]) async throws {
        guard !values.isEmpty else { return }
        try await write { database in
            for value in values {
                try database.execute(sql: "DELETE FROM pushToken WHERE value = ?", arguments: [value])
            }
        }
    }

    package func endedRemoteSessions() async throws -> [EndedSession: Int64] {
        let rows = try await read { database in
            try Row.fetchAll(database, sql: "SELECT application, session, timestamp FROM endedRemoteSession").map {
                (EndedSession(application: $0["application"], session: $0["session"]), $0["timestamp"] as Int64)
            }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    package func keep(
        _ session: EndedSession, endedAt timestamp: Int64, forgettingBefore oldest: Int64
    ) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM endedRemoteSession WHERE timestamp < ?", arguments: [oldest])
            try database.execute(
                sql: """
                    INSERT INTO endedRemoteSession (application, session, timestamp) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET timestamp = excluded.timestamp
                    """,
                arguments: [session.application, session.session, timestamp])
        }
    }
}
