import GRDB
import HostCore
import HostInterface
import LinkProtocol

/// The size limits of the remembered devices of all networks; those seen longest ago are removed first.
enum DeviceTableLimits {
    /// The limit of a description in JSON, which is longer than its text.
    static let largestRow = 2 * DeviceDescription.largestTextSize
    /// The limit of the descriptions of one extension.
    static let perExtension = DeviceMemory.limitPerExtension
    /// The limit of all descriptions.
    static let total = DeviceMemory.limit
    /// The amount stored before the limits are enforced again.
    static let slack = 4 << 20

    /// Deletes the devices beyond the limits.
    ///
    /// - Returns: The number of devices.
    static func enforce(in database: Database) throws -> Int {
        let before = database.totalChangesCount
        try database.execute(
            sql: "DELETE FROM networkDevice WHERE length(CAST(description AS BLOB)) > ?", arguments: [largestRow])
        let sizes = try Row.fetchAll(
            database,
            sql:
                "SELECT extension, sum(length(CAST(description AS BLOB))) AS size FROM networkDevice GROUP BY extension"
        )
        var sum = 0
        for row in sizes {
            let size: Int = row["size"]
            if size > perExtension {
                try trim(database, to: perExtension, of: row["extension"])
            }
            sum += min(size, perExtension)
        }
        if sum > total { try trim(database, to: total, of: nil) }
        return database.totalChangesCount - before
    }

    /// - Parameter identifier: The extension; `nil` for all.
    private static func trim(_ database: Database, to limit: Int, of identifier: String?) throws {
        try database.execute(
            sql: """
                DELETE FROM networkDevice WHERE (network, device) IN (
                    SELECT network, device FROM (
                        SELECT network, device, sum(length(CAST(description AS BLOB)))
                            OVER (ORDER BY lastSeen DESC, network, device) AS size
                        FROM networkDevice WHERE ? IS NULL OR extension = ?
                    ) WHERE size > ?
                )
                """,
            arguments: [identifier, identifier, limit])
    }
}
