import DBus
import HostCore
import HostInterface

/// The `org.mdhost.Extension1` interface of an installed extension.
struct ExtensionObject: Sendable {
    let host: MediaHost
    let followers: LogFollowers

    /// The interface of all extensions. The path of a call determines the extension.
    var interface: DBusInterface {
        DBusInterface(
            HostNames.extensionInterface, methods: methods + logMethods, properties: Self.properties,
            signals: [DBusSignalDeclaration(LogFollowers.signal, [("lines", LogFollowers.lines), ("skipped", "t")])])
    }

    private var methods: [DBusMethod] {
        [
            method("Enable") { try await host.setExtension($0, isEnabled: true) },
            method("Disable") { try await host.setExtension($0, isEnabled: false) },
            method("Reload") { try await host.reloadExtension($0) },
            .async("Usage", in: [], out: [("usage", "a{sv}")]) { call in
                let usage = try await host.usage(ofExtension: identifier(call.path))
                return [.properties(usage.map(Self.values) ?? [:])]
            },
        ]
    }

    private var logMethods: [DBusMethod] {
        [
            .async("Log", in: [("count", "u")], out: [("lines", LogFollowers.lines)]) { call in
                let lines = try await host.log(ofExtension: identifier(call.path), last: count(call))
                return [LogFollowers.value(lines)]
            },
            .async("FollowLog", in: [("count", "u")], out: [("lines", LogFollowers.lines)]) { call in
                let lines = try await followers.follow(
                    identifier(call.path), path: call.path, client: call.client, last: count(call))
                return [LogFollowers.value(lines)]
            },
            DBusMethod("UnfollowLog", in: [], out: []) { [followers] call in
                followers.unfollow(call.path, client: call.client)
                call.reply()
            },
        ]
    }

    private func count(_ call: DBusMethodCall) throws(HostError) -> Int {
        guard let count = call.arguments.first?.asInt64 else { throw .badArguments }
        return Int(clamping: count)
    }

    private func method(_ name: String, _ body: @escaping @Sendable (String) async throws -> Void) -> DBusMethod {
        .async(name, in: [], out: []) { call in
            do {
                try await body(try await identifier(call.path))
            } catch {
                // The properties show the failure as well; a client that reads them next must see it.
                await host.published()
                throw error
            }
            await host.published()
            return []
        }
    }

    /// Returns the extension with an object path. It compares paths, because different characters become the same in
    /// them.
    private func identifier(_ path: String) async throws(HostError) -> String {
        guard let status = await host.extensions.first(where: { HostNames.extensionPath($0.id) == path }) else {
            throw HostError(.noSuchExtension, "There is no extension at \(path).")
        }
        return status.id
    }

    private static let properties: [DBusProperty] = [
        DBusProperty("Id", "s", emits: .constant), DBusProperty("Name", "s"), DBusProperty("Version", "s"),
        DBusProperty("ExtensionPoint", "s"),
        DBusProperty("Protocol", "s"), DBusProperty("ProtocolName", "s"), DBusProperty("Path", "s"),
        DBusProperty("Executable", "s"), DBusProperty("BonjourServices", "as"),
        DBusProperty("AnnouncedServices", "as"),
        DBusProperty("SSDPSearchTargets", "as"), DBusProperty("RequestedDomains", "as"),
        DBusProperty("Capabilities", "as"), DBusProperty("SDKVersion", "s"), DBusProperty("State", "s"),
        DBusProperty("RetryAt", "d"), DBusProperty("LastError", "s"), DBusProperty("LastExit", "s"),
        DBusProperty("ProcessID", "u"), DBusProperty("Restarts", "u"), DBusProperty("Generation", "u"),
        DBusProperty("Confinement", "as"),
    ]

    static func values(_ status: ExtensionStatus) -> [String: DBusValue] {
        [
            "Id": .string(status.id), "Name": .string(status.name), "Version": .string(status.version),
            "ExtensionPoint": .string(status.point.rawValue), "Protocol": .string(status.protocolIdentifier),
            "ProtocolName": .string(status.protocolName),
            "Path": .string(status.path), "Executable": .string(status.executablePath),
            "BonjourServices": .strings(status.bonjourServices),
            "AnnouncedServices": .strings(status.announcedServices),
            "SSDPSearchTargets": .strings(status.ssdpSearchTargets),
            "RequestedDomains": .strings(status.requestedDomains),
            "Capabilities": .strings(
                (status.supportsSimultaneousSessions == true ? ["simultaneous-sessions"] : [])
                    + (status.handlesRealtimeSamples == true ? ["realtime-samples"] : [])),
            "SDKVersion": .string(status.sdkVersion ?? ""), "State": .string(status.state.rawValue),
            "RetryAt": .double(status.retryAt ?? 0), "LastError": .string(status.lastError ?? ""),
            "LastExit": .string(status.lastExit ?? ""),
            "ProcessID": .uint32(UInt32(clamping: status.processID ?? 0)),
            "Restarts": .uint32(UInt32(clamping: status.restarts)),
            "Generation": .uint32(UInt32(clamping: status.generation)),
            "Confinement": .array(of: "s", status.confinement.map { .string($0) }),
        ]
    }

    private static func values(_ usage: ProcessUsage) -> [String: DBusValue] {
        var values: [String: DBusValue] = [
            "memory": .uint64(usage.residentMemory), "processorTime": .double(usage.processorTime),
            "runningTime": .double(usage.runningTime),
        ]
        values["proportionalMemory"] = usage.proportionalMemory.map(DBusValue.uint64)
        return values
    }
}
