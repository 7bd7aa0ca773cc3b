import DBus
import Foundation
import HostCore
import HostInterface

/// The `org.mdhost.Device1` interface of a device.
struct DeviceObject: Sendable {
    private let host: MediaHost
    private let prompts: PromptDirectory
    private let applications: ApplicationDirectory
    private let server: DBusObjectServer

    init(host: MediaHost, prompts: PromptDirectory, applications: ApplicationDirectory, server: DBusObjectServer) {
        self.host = host
        self.prompts = prompts
        self.applications = applications
        self.server = server
    }

    /// The interface of all devices. The path of a call determines the device; separate declarations would need more
    /// memory than the devices.
    var interface: DBusInterface {
        DBusInterface(
            HostNames.deviceInterface, methods: routeMethods + groupMethods + volumeMethods,
            properties: Self.properties,
            signals: [DBusSignalDeclaration("DataReceived", [("data", "ay")])])
    }

    private var routeMethods: [DBusMethod] {
        [
            .async("Activate", in: [("options", "a{sv}")], out: []) { call in
                try await host.activate(
                    call.device, via: call.options["via"]?.asString, holder: call.client.holder,
                    prompt: prompts.prompt(for: call.client))
                guard await server.isConnected(call.client) else {
                    await host.release(call.device, holder: call.client.holder)
                    throw HostError.clientGone
                }
                await host.published()
                return []
            },
            .async("Deactivate", in: [], out: []) { call in
                try await host.deactivate(call.device)
                await host.published()
                return []
            },
            .async("Pair", in: [("options", "a{sv}")], out: []) { call in
                try await host.pair(
                    call.device, via: call.options["via"]?.asString, prompt: prompts.prompt(for: call.client))
                await host.published()
                return []
            },
            .async("Forget", in: [], out: []) { call in
                try await host.forget(call.device)
                await host.published()
                return []
            },
            .async("Rename", in: [("name", "s")], out: []) { call in
                guard let name = call.arguments.first?.asString else { throw HostError.badArguments }
                try await host.rename(call.device, to: name)
                await host.published()
                return []
            },
            .async("Play", in: [("url", "s"), ("options", "a{sv}")], out: [("session", "o")]) { call in
                let request = try PlayRequest(call.arguments)
                return try await play(.address(request.url), request.options, call)
            },
            .async("PlayStream", in: [("stream", "h"), ("options", "a{sv}")], out: [("session", "o")]) { call in
                guard let descriptor = call.arguments.first?.asFileDescriptor else { throw HostError.badArguments }
                let latency = try RequestedLatency(call.options)
                let isLive = call.options["live"]?.asBool ?? false
                let samples = try SampleFormat(call.options)
                guard samples != nil || !isLive else {
                    throw HostError(.invalidArgument, "Only a stream of samples without a header can be live.")
                }
                if latency != nil || isLive { try await host.checkLatency(of: call.device) }
                let stream = try OpenStream(
                    duplicating: descriptor.number, samples: samples, latency: latency, isLive: isLive)
                return try await play(.stream(stream), PlayOptions(call.options), call)
            },
            .async(
                "PlayScreen", in: [("video", "h"), ("sound", "h"), ("options", "a{sv}")], out: [("session", "o")]
            ) { call in
                try await play(.screen(OpenScreen(call.arguments)), PlayOptions(call.options), call)
            },
            .async("TakeControl", in: [("options", "a{sv}")], out: [("session", "o")]) { call in
                let session = try await host.takeControl(
                    of: call.device, via: call.options["via"]?.asString, prompt: prompts.prompt(for: call.client))
                await host.published()
                return [.objectPath(HostNames.sessionPath(session))]
            },
            .async("SendData", in: [("data", "ay")], out: []) { call in
                try await host.sendRouteData(Data(call.arguments.first?.asBytes ?? []), device: call.device)
                return []
            },
            .async("OpenDataChannel", in: [], out: [("socket", "h")]) { call in
                [.fileDescriptor(try await host.openRouteChannel(device: call.device))]
            },
        ]
    }

    private func play(
        _ source: PlaybackSource, _ options: PlayOptions, _ call: DBusMethodCall
    ) async throws -> [DBusValue] {
        let session = try await host.play(
            source, on: call.device, with: options.others, application: options.application, media: options.media,
            via: call.options["via"]?.asString, owner: applications.declaration(of: call.client)?.identifier,
            request: call.options["request"]?.asString,
            prompt: prompts.prompt(for: call.client))
        // A caller that gave up waiting must not get a late answer.
        guard await server.isConnected(call.client) else {
            try? await host.stop(session)
            throw HostError.clientGone
        }
        await host.published()
        return [.objectPath(HostNames.sessionPath(session))]
    }

    private var groupMethods: [DBusMethod] {
        [
            .async("Join", in: [("device", "o"), ("options", "a{sv}")], out: []) { call in
                guard let other = call.arguments.first?.asString else { throw HostError.badArguments }
                try await host.join(
                    call.device, HostNames.deviceIdentifier(other), prompt: prompts.prompt(for: call.client))
                // A caller that gave up waiting doesn't want a late start.
                guard await server.isConnected(call.client) else {
                    try? await host.leave(call.device)
                    throw HostError.clientGone
                }
                await host.published()
                return []
            },
            .async("Leave", in: [], out: []) { call in
                try await host.leave(call.device)
                await host.published()
                return []
            },
            .async("SetGroupVolume", in: [("level", "d")], out: []) { call in
                guard let level = call.arguments.first?.asDouble else { throw HostError.badArguments }
                try await host.setGroupVolume(level, device: call.device, prompt: prompts.prompt(for: call.client))
                await host.published()
                return []
            },
            .async("ChangeGroupVolume", in: [("increments", "i")], out: []) { call in
                guard let increments = call.arguments.first?.asInt64.flatMap({ Int32(exactly: $0) }) else {
                    throw HostError.badArguments
                }
                try await host.changeGroupVolume(
                    by: increments, device: call.device, prompt: prompts.prompt(for: call.client))
                await host.published()
                return []
            },
            .async("SetGroupMuted", in: [("muted", "b")], out: []) { call in
                guard let isMuted = call.arguments.first?.asBool else { throw HostError.badArguments }
                try await host.setGroupMuted(isMuted, device: call.device, prompt: prompts.prompt(for: call.client))
                await host.published()
                return []
            },
        ]
    }

    private var volumeMethods: [DBusMethod] {
        [
            .async("SetVolume", in: [("level", "d")], out: []) { call in
                guard let level = call.arguments.first?.asDouble else { throw HostError.badArguments }
                try await host.setVolume(level, device: call.device, prompt: prompts.prompt(for: call.client))
                await host.published()
                return []
            },
            .async("ChangeVolume", in: [("increments", "i")], out: []) { call in
                guard let increments = call.arguments.first?.asInt64.flatMap({ Int32(exactly: $0) }) else {
                    throw HostError.badArguments
                }
                try await host.changeVolume(
                    by: increments, device: call.device, prompt: prompts.prompt(for: call.client))
                await host.published()
                return []
            },
            .async("SetMuted", in: [("muted", "b")], out: []) { call in
                guard let isMuted = call.arguments.first?.asBool else { throw HostError.badArguments }
                try await host.setMuted(isMuted, device: call.device, prompt: prompts.prompt(for: call.client))
                await host.published()
                return []
            },
        ]
    }

    private static let properties: [DBusProperty] = [
        DBusProperty("Id", "s", emits: .constant), DBusProperty("Name", "s"), DBusProperty("Type", "s"),
        DBusProperty("Extension", "s"), DBusProperty("Protocol", "s"), DBusProperty("ProtocolName", "s"),
        DBusProperty("Capabilities", "as"), DBusProperty("VolumeControl", "s"), DBusProperty("CanMute", "b"),
        DBusProperty("Volume", "d"), DBusProperty("Muted", "b"), DBusProperty("Availability", "s"),
        DBusProperty("Activation", "s"), DBusProperty("Paired", "b"), DBusProperty("Endpoints", "as"),
        DBusProperty("LastError", "(ss)"), DBusProperty("DeviceName", "s"), DBusProperty("AddedAs", "s"),
        DBusProperty("Parts", "aa{sv}"),
        DBusProperty("CanGroup", "b"), DBusProperty("Group", "ao"), DBusProperty("GroupVolume", "d"),
        DBusProperty("SignalStrength", "i"), DBusProperty("BatteryLevel", "i"),
        DBusProperty("PlayingApplication", "(ss)"), DBusProperty("Activity", "s"), DBusProperty("Members", "aa{sv}"),
        DBusProperty("LastDelivery", "s"), DBusProperty("LeastLatency", "d"),
    ]
}

/// The properties of `org.mdhost.Device1`, read from the device as it is: thousands of devices are mostly their strings.
struct DeviceValues: DBusPropertyValues {
    private let device: HostDevice

    init(_ device: HostDevice) { self.device = device }

    func value(of property: String) -> DBusValue? {
        switch property {
        case "Id": .string(device.id)
        case "Name": .string(device.description.name)
        case "Type": .string(device.description.type)
        case "Extension": .string(device.extensionIdentifier)
        case "Protocol": .string(device.protocolIdentifier)
        case "ProtocolName": .string(device.protocolName)
        case "Capabilities": .strings(device.description.capabilities.names)
        case "VolumeControl": .string(device.description.volumeControl.rawValue)
        case "CanMute": .boolean(device.description.canMute)
        case "LeastLatency": .double(device.description.leastLatency ?? -1)
        case "Volume": .double(device.level ?? -1)
        case "Muted": .boolean(device.isMuted)
        case "Availability": .string(device.availability.rawValue)
        case "Activation": .string(device.activation.rawValue)
        case "Paired": .boolean(device.isPaired)
        case "Endpoints": .strings(device.description.endpoints)
        case "LastError": .error(device.lastError)
        case "DeviceName": .string(device.deviceName)
        case "AddedAs": .string(device.addedAs ?? "")
        // Made of plain values, so encoding one cannot fail.
        case "Parts": .array(of: "a{sv}", device.parts.compactMap { try? DBusDictionaryEncoder().encode($0) })
        case "CanGroup": .boolean(device.description.canGroup)
        case "Group": .devices(device.group)
        case "GroupVolume": .double(device.groupLevel ?? -1)
        case "SignalStrength": .int32(Int32(device.description.signalStrength ?? 0))
        case "BatteryLevel": .int32(Int32(device.description.batteryLevel ?? -1))
        case "LastDelivery": .string(device.lastDeliveryPassed.map { $0 ? "passed" : "failed" } ?? "")
        case "Activity": .string(device.description.activity ?? "")
        case "Members":
            .array(of: "a{sv}", device.description.members.compactMap { try? DBusDictionaryEncoder().encode($0) })
        case "PlayingApplication":
            .structure([.string(device.occupant?.identifier ?? ""), .string(device.occupant?.name ?? "")])
        default: nil
        }
    }
}

/// The arguments of `Device1.Play`.
private struct PlayRequest {
    let url: URL
    let options: PlayOptions

    init(_ arguments: [DBusValue]) throws(HostError) {
        guard arguments.count == 2, let text = arguments[0].asString, let options = arguments[1].asDictionary else {
            throw .badArguments
        }
        guard let url = URL(string: text), let scheme = url.scheme, !scheme.isEmpty else {
            throw HostError(.invalidArgument, "\(text) isn't a URL. Use file:///path for a file.")
        }
        self.url = url
        self.options = try PlayOptions(options)
    }
}

/// The options of `Device1.Play` and `PlayStream`.
private struct PlayOptions {
    /// The other devices that play too; `nil` for those in the device's group.
    let others: [String]?
    let application: String?
    let media: MediaInformation

    init(_ options: [String: DBusValue]) throws(HostError) {
        others = options["with"]?.asArray?.compactMap { $0.asString.map(HostNames.deviceIdentifier) }
        application = options["application"]?.asString
        media = MediaInformation(
            title: options["title"]?.asString, artist: options["artist"]?.asString,
            artworkURL: options["artwork"]?.asString, contentType: options["contentType"]?.asString,
            duration: try Self.time("duration", in: options),
            startPosition: try Self.time("startPosition", in: options))
    }

    private static func time(_ name: String, in options: [String: DBusValue]) throws(HostError) -> Double? {
        guard let value = options[name] else { return nil }
        guard let seconds = value.asDouble, MediaInformation.times.contains(seconds) else {
            let longest = Int(MediaInformation.times.upperBound)
            throw HostError(.invalidArgument, "The option “\(name)” is a number of seconds from 0 to \(longest).")
        }
        return seconds
    }
}

extension SampleFormat {
    /// Creates a format from options; `nil` if the stream has a header.
    init?(_ options: [String: DBusValue]) throws(HostError) {
        guard let encoding = options["sampleFormat"]?.asString else { return nil }
        try self.init(
            encoding: encoding, rate: options.number("sampleRate") ?? 44_100, channels: options.number("channels") ?? 2)
    }
}

extension RequestedLatency {
    /// Creates a latency from options; `nil` without.
    init?(_ options: [String: DBusValue]) throws(HostError) {
        guard let value = options["latency"] else { return nil }
        guard let seconds = value.asDouble else { throw .badArguments }
        try self.init(seconds: seconds)
    }
}

extension DBusMethodCall {
    /// The device whose method is called.
    fileprivate var device: String { HostNames.deviceIdentifier(path) }

    /// The last argument if it is a dictionary.
    fileprivate var options: [String: DBusValue] { arguments.last?.asDictionary ?? [:] }
}
