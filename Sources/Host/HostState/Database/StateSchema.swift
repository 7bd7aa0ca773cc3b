import GRDB

/// The tables, as the steps that lead to them; a released step is never changed.
enum StateSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: devices and credentials") { database in
            try database.create(table: "networkDevice", options: [.strict, .withoutRowID]) { table in
                table.column("network", .text).notNull()
                table.column("device", .text).notNull()
                table.column("extension", .text).notNull()
                // A DeviceDescription as JSON.
                table.column("description", .text).notNull()
                // Seconds since 1970.
                table.column("lastSeen", .real).notNull()
                table.primaryKey(["network", "device"])
            }
            try database.create(index: "networkDeviceByAge", on: "networkDevice", columns: ["network", "lastSeen"])
            try database.create(table: "credential", options: [.strict, .withoutRowID]) { table in
                table.column("device", .text).notNull()
                // Null: kept by the Secret Service.
                table.column("secret", .blob)
                table.primaryKey(["device"])
            }
        }
        migrator.registerMigration("2: disabled extensions") { database in
            try database.create(table: "disabledExtension", options: [.strict, .withoutRowID]) { table in
                table.column("extension", .text).notNull()
                table.primaryKey(["extension"])
            }
        }
        migrator.registerMigration("3: own names and devices added by hand") { database in
            try database.create(table: "ownName", options: [.strict, .withoutRowID]) { table in
                table.column("device", .text).notNull()
                table.column("name", .text).notNull()
                table.primaryKey(["device"])
            }
            try database.create(table: "manualDevice", options: [.strict]) { table in
                table.column("position", .integer).notNull().primaryKey()
                // A ManualDevice as JSON.
                table.column("device", .text).notNull()
            }
        }
        migrator.registerMigration("4: sessions to take up again") { database in
            try database.create(table: "session", options: [.strict]) { table in
                // In the order they began.
                table.autoIncrementedPrimaryKey("number")
                table.column("id", .text).notNull().unique()
                // An AdoptableSession as JSON.
                table.column("record", .text).notNull()
            }
        }
        migrator.registerMigration("5: settings") { database in
            try database.create(table: "setting", options: [.strict, .withoutRowID]) { table in
                table.column("name", .text).notNull()
                table.column("value", .text).notNull()
                table.primaryKey(["name"])
            }
        }
        migrator.registerMigration("6: devices that are one") { database in
            try database.create(table: "deviceMerge", options: [.strict, .withoutRowID]) { table in
                // The identifier of the first part, which is the identifier of the whole.
                table.column("device", .text).notNull()
                // A DeviceMerge as JSON.
                table.column("merge", .text).notNull()
                table.primaryKey(["device"])
            }
            // Devices that a person took apart.
            try database.create(table: "deviceApart", options: [.strict, .withoutRowID]) { table in
                table.column("device", .text).notNull()
                table.primaryKey(["device"])
            }
        }
        migrator.registerMigration("7: remote sessions") { database in
            try database.create(table: "remoteSession", options: [.strict]) { table in
                // Never used again, so that no later session has the name of an earlier one.
                table.autoIncrementedPrimaryKey("number")
                // A RemoteSessionRecord as JSON.
                table.column("record", .text).notNull()
            }
        }
        migrator.registerMigration("8: push tokens") { database in
            try database.create(table: "pushToken", options: [.strict, .withoutRowID]) { table in
                table.column("value", .blob).notNull()
                // A PushToken as JSON.
                table.column("token", .text).notNull()
                table.primaryKey(["value"])
            }
            try database.create(table: "endedRemoteSession", options: [.strict, .withoutRowID]) { table in
                table.column("application", .text).notNull()
                table.column("session", .text).notNull()
                // The timestamp of the push that ended it: seconds since 1970.
                table.column("timestamp", .integer).notNull()
                table.primaryKey(["application", "session"])
            }
        }
        migrator.registerMigration("9: sinks in the sound server") { database in
            try database.create(table: "soundSink", options: [.strict]) { table in
                // In the order they were added.
                table.autoIncrementedPrimaryKey("number")
                table.column("device", .text).notNull().unique()
                table.column("name", .text).notNull()
            }
        }
        migrator.registerMigration("10: routes of apps") { database in
            try database.create(table: "applicationRoute", options: [.strict]) { table in
                // In the order they began.
                table.autoIncrementedPrimaryKey("number")
                table.column("id", .text).notNull().unique()
                // An ApplicationRoute as JSON.
                table.column("record", .text).notNull()
            }
        }
        migrator.registerMigration("11: moved streams of apps") { database in
            try database.create(table: "movedStream", options: [.strict, .withoutRowID]) { table in
                table.column("server", .integer).notNull()
                table.column("stream", .integer).notNull()
                table.column("application", .text).notNull()
                table.column("output", .text).notNull()
                // NULL for the server's default output.
                table.column("origin", .text)
                table.primaryKey(["server", "stream"])
            }
        }
        migrator.registerMigration("12: latency of sinks") { database in
            try database.alter(table: "soundSink") { table in
                // In seconds; NULL for the device's usual one.
                table.add(column: "latency", .real)
            }
        }
        migrator.registerMigration("13: sinks of new devices and of groups") { database in
            try database.alter(table: "soundSink") { table in
                // 1 for a sink that following added.
                table.add(column: "isAutomatic", .integer).notNull().defaults(to: 0)
                // The devices of a group as a JSON array; NULL for one device.
                table.add(column: "members", .text)
                // 1 for a group that a person named.
                table.add(column: "hasOwnName", .integer).notNull().defaults(to: 0)
            }
        }
        migrator.registerMigration("14: delays of sinks") { database in
            try database.alter(table: "soundSink") { table in
                // In seconds; NULL until it is measured.
                table.add(column: "delay", .real)
            }
        }
        return migrator
    }
}
