import DBus
import Foundation
import HostCore
import HostInterface
import LinkProtocol

@testable import HostClient
@testable import MediaDevice

extension FuzzTarget {
    /// A message of an extension to the host: the number of the method, then its arguments as ``ValueBytes``.
    static let linkToHost = FuzzTarget(
        name: "link-to-host", seeds: { seeds(of: try SampleValues.messages) }, words: SampleValues.words,
        outcomes: ["refused", "greeting", "message"]
    ) { bytes in
        guard let first = bytes.first else { return "refused" }
        var values = ValueBytes(bytes.dropFirst())
        let arguments = values.values()
        try demand(MessageCost.bytes(of: arguments) > 0, "a message that costs nothing")
        // The greeting, and then the messages.
        let number = Int(first) % (ExtensionMessage.Member.allCases.count + 1)
        guard number > 0 else {
            var reader = ArgumentReader(arguments)
            guard let greeting = try? reader.value(LinkGreeting.self) else { return "refused" }
            if case .none(let reason) = LinkAgreement(greeting) { try demand(reason.count < 300, "a long reason") }
            return "greeting"
        }
        let member = ExtensionMessage.Member.allCases[number - 1]
        guard let message = try? ExtensionMessage(member, arguments) else { return "refused" }
        try check(message)
        return "message"
    }

    private static func check(_ message: ExtensionMessage) throws {
        switch message {
        case .foundDevice(let device): try check(device)
        case .updateDevices(let devices): try devices.forEach(check)
        case .lostDevice(let id): try demand(UUID(uuidString: id)?.uuidString == id, "the identifier \(id)")
        case .volumeChanged(_, let level, _): try demand((0...1).contains(level ?? 0), "the level \(level ?? 0)")
        case .started(_, _, let state), .playbackChanged(_, let state):
            try demand((0...1).contains(state.volume), "the level \(state.volume)")
            try demand(state.position(at: 1e6).isFinite, "the position \(state.position(at: 1e6))")
            try check(state.title ?? "")
        case .discoveryFailed(let error), .sessionFailed(_, let error): try check(error.message)
        case .announce(_, let request):
            try demand(request.flaw == nil && UInt16(exactly: request.port) != nil, "an announcement of \(request)")
        case .requestPairingCode(_, _, let challenge): try check(challenge.reason)
        default: break
        }
    }

    private static func check(_ device: DeviceDescription) throws {
        try demand(UUID(uuidString: device.id)?.uuidString == device.id, "the identifier \(device.id)")
        try check(device.name)
        try demand(!device.name.isEmpty, "a device without a name")
    }

    private static func check(_ text: String) throws {
        let isPlain = text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
        try demand(isPlain && text.utf8.count <= 3 * 4096, "text no terminal should get")
    }

    /// A request of the host to an extension.
    static let linkToExtension = FuzzTarget(
        name: "link-to-extension", seeds: { seeds(of: try SampleValues.requests) }, words: SampleValues.words,
        outcomes: ["refused", "request"]
    ) { bytes in
        guard let first = bytes.first else { return "refused" }
        let members = ExtensionCall.Member.allCases
        var values = ValueBytes(bytes.dropFirst())
        let arguments = values.values()
        guard let request = try? ExtensionCall(members[Int(first) % members.count], arguments)
        else { return "refused" }
        switch request {
        case .setVolume(_, let level): try demand((0...1).contains(level), "the level \(level)")
        case .activate(let device, _, _, _):
            if let device = MediaOutputDevice(device) { _ = device.description }
        default: break
        }
        return "request"
    }

    private static func seeds(of samples: [SampleValues.Sample]) -> [[UInt8]] {
        samples.enumerated().map { [UInt8($0.offset)] + ValueBytes.encoded($0.element.arguments) }
    }

    /// The structures that cross D-Bus as dictionaries, each from the same value; a value that was read must be written
    /// back equal.
    static let busRecords = FuzzTarget(
        name: "bus-records", seeds: { try SampleValues.records.map { ValueBytes.encoded($0) } },
        words: SampleValues.words, outcomes: ["refused", "record", "object"]
    ) { bytes in
        var values = ValueBytes(bytes)
        let value = values.values().first ?? .properties([:])
        var outcome = "refused"
        func read<Record: Codable & Equatable>(_ type: Record.Type) throws {
            guard let record = try? DBusDictionaryDecoder().decode(type, from: value) else { return }
            outcome = "record"
            let written = try DBusDictionaryEncoder().encode(record)
            let again = try? DBusDictionaryDecoder().decode(type, from: written)
            // Not a number is not even itself.
            try demand(again == record || "\(record)".contains("nan"), "another one when read again: \(record)")
        }
        try read(DeviceDescription.self)
        try read(PlaybackState.self)
        try read(PlaybackCommand.self)
        try read(PairingChallenge.self)
        try read(MediaInformation.self)
        try read(BrowseRequest.self)
        try read(BrowseEvent.self)
        try read(AnnounceRequest.self)
        try read(AnnounceEvent.self)
        try read(MediaAction.self)
        try read(DevicePart.self)
        if let properties = value.asDictionary {
            if ClientDevice(properties) != nil { outcome = "object" }
            if let session = ClientSession(properties) { _ = session.playback.position(at: 1e6) }
        }
        return outcome
    }
}
