import HostInterface

/// Bluetooth devices that take sound: found, paired and connected by the host. Available on Linux only.
///
/// The host shares the machine's Bluetooth among all extensions; none of them needs the system bus. Sound itself goes through
/// the sound server of the machine, which offers a connected device as an output: ``BluetoothAudioOutput``.
public enum BluetoothAudio {
    /// What is new about the devices. Available on Linux only.
    public enum Event: Sendable {
        /// One was found, or is another than before.
        case found(BluetoothAudioDevice)
        /// It is gone: neither paired nor heard any more.
        case lost(BluetoothAudioDevice.ID)
        /// Devices can be found and used, again.
        case ready
        /// They cannot for the time being: no adapter, switched off, no service.
        case waiting(BluetoothAudioError)
    }

    /// Follows the devices until the iteration ends. Paired ones are told also while they are away.
    public static func devices() -> AsyncStream<Event> { devices(slot: DiscoverySources.shared) }

    package static func devices(slot: DiscoverySourceSlot) -> AsyncStream<Event> {
        AsyncStream { sink in
            let task = Task {
                guard let source = await slot.source() else { return sink.finish() }
                for await answer in source.order(BluetoothOrder(.browse)).answers {
                    if let event = Event(answer) { sink.yield(event) }
                }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
    }

    /// Pairs with a device.
    ///
    /// - Parameter answer: Asked for each thing that the device wants. Its task is cancelled when the device wants it no more.
    /// - Returns: The device as it is then, with its lasting address where it has privacy; `nil` if it went at once.
    /// - Throws: ``BluetoothAudioError``; cancelling the task cancels the pairing.
    @discardableResult
    public static func pair(
        _ device: BluetoothAudioDevice.ID,
        answer: @escaping @Sendable (BluetoothPairingQuestion) async -> BluetoothPairingReply
    ) async throws(BluetoothAudioError) -> BluetoothAudioDevice? {
        try await carryOut(BluetoothOrder(.pair, device: device), answer)
    }

    /// Connects a paired device, which has the machine's sound server offer it as an output.
    ///
    /// - Throws: ``BluetoothAudioError``.
    public static func connect(_ device: BluetoothAudioDevice.ID) async throws(BluetoothAudioError) {
        try await carryOut(BluetoothOrder(.connect, device: device))
    }

    /// Disconnects a device; nothing where it is not connected.
    ///
    /// - Throws: ``BluetoothAudioError``.
    public static func disconnect(_ device: BluetoothAudioDevice.ID) async throws(BluetoothAudioError) {
        try await carryOut(BluetoothOrder(.disconnect, device: device))
    }

    /// Sets the device's own level.
    ///
    /// - Parameter volume: `0.0...1.0`, of which a device knows 128 steps. What comes of it is told as a change of the device.
    /// - Throws: ``BluetoothAudioError``.
    public static func setVolume(
        _ volume: Double, of device: BluetoothAudioDevice.ID
    ) async throws(BluetoothAudioError) {
        try await carryOut(BluetoothOrder(.setVolume, device: device, volume: volume))
    }

    @discardableResult
    private static func carryOut(
        _ order: BluetoothOrder,
        _ answer: @escaping @Sendable (BluetoothPairingQuestion) async -> BluetoothPairingReply = { _ in .refuse }
    ) async throws(BluetoothAudioError) -> BluetoothAudioDevice? {
        guard let source = await DiscoverySources.shared.source() else { throw .cancelled }
        let exchange = source.order(order)
        var asking: Task<Void, Never>?
        defer { asking?.cancel() }
        var outcome: BluetoothAudioDevice?
        for await next in exchange.answers {
            switch next.kind {
            case .done: return outcome
            case .device: outcome = next.device.map { BluetoothAudioDevice($0) }
            case .failed: throw BluetoothAudioError(next)
            case .challenge:
                asking?.cancel()
                guard let question = BluetoothPairingQuestion(next) else { continue }
                asking = Task {
                    let reply = await answer(question)
                    if !Task.isCancelled, question.wantsReply { exchange.reply(reply.order) }
                }
            case .lost, .ready, .waiting, .sound, .heard, .key: continue
            }
        }
        throw Task.isCancelled
            ? .cancelled : BluetoothAudioError(code: "host-unavailable", message: "The host went away.", remedy: nil)
    }
}

/// A Bluetooth device that takes sound, as it is at one moment. Available on Linux only.
public struct BluetoothAudioDevice: Sendable, Hashable, Identifiable {
    /// What a device says it is. Available on Linux only; the set is open.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// Lower-case words joined by hyphens.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let speaker = Kind(rawValue: "speaker")
        public static let soundbar = Kind(rawValue: "soundbar")
        public static let headphones = Kind(rawValue: "headphones")
        public static let headset = Kind(rawValue: "headset")
        public static let earbuds = Kind(rawValue: "earbuds")
        public static let hearingAid = Kind(rawValue: "hearing-aid")
        public static let carAudio = Kind(rawValue: "car-audio")
        public static let receiver = Kind(rawValue: "receiver")
        public static let television = Kind(rawValue: "television")
        public static let display = Kind(rawValue: "display")
    }

    /// Which device it is to this host, on which of its adapters.
    public let id: String
    /// `00:11:22:33:44:55`. A Low Energy device with privacy makes one up, and tells its lasting one when it is paired (Bluetooth
    /// Core 5.4, volume 3, part C, 10.7).
    public let address: String
    /// The address that the device was first heard with: unlike ``address`` it stays as long as the device is known.
    public let firstAddress: String
    /// What people call it.
    public let name: String
    public let kind: Kind
    public let isPaired: Bool
    public let isConnected: Bool
    /// It was made before 2006 and knows only PIN codes.
    public let hasLegacyPairing: Bool
    /// In dBm, to the next 5; `nil` when it is not heard.
    public let signalStrength: Int?
    /// Its own level, `0.0...1.0`; `nil` while no sound server has it, or where it keeps its level for itself.
    public let volume: Double?
    /// `0...100`; `nil` where it does not tell.
    public let batteryLevel: Int?
    /// Whether a sound server of this machine has it as an output.
    public let isOutput: Bool
}

extension BluetoothAudioDevice {
    package init(_ state: BluetoothDeviceState) {
        id = state.id
        address = state.address
        firstAddress = state.firstAddress ?? state.address
        name = state.name
        kind = Kind(rawValue: state.kind)
        isPaired = state.isPaired
        isConnected = state.isConnected
        hasLegacyPairing = state.hasLegacyPairing
        signalStrength = state.signalStrength
        volume = state.volume
        batteryLevel = state.batteryLevel
        isOutput = state.hasTransport
    }
}

/// Why something with Bluetooth did not work. Available on Linux only.
public struct BluetoothAudioError: Error, Sendable, Hashable {
    /// A stable slug: `no-adapter`, `not-powered`, `blocked`, `not-running`, `unreachable`, `no-profile`,
    /// `authentication-failed`, `authentication-rejected`, `authentication-cancelled`, `authentication-timed-out`,
    /// `cancelled`…; the set is open.
    public let code: String
    /// One sentence for people.
    public let message: String
    /// What a person can do about it, one sentence.
    public let remedy: String?

    public init(code: String, message: String, remedy: String?) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    init(_ answer: BluetoothAnswer) {
        self.init(
            code: answer.code ?? "failed", message: answer.message ?? "It did not work.", remedy: answer.remedy)
    }

    static let cancelled = BluetoothAudioError(code: "cancelled", message: "It was cancelled.", remedy: nil)
}

/// What a device wants while it is paired. Available on Linux only.
public enum BluetoothPairingQuestion: Sendable, Hashable {
    /// The code that belongs to the device, 1 to 16 characters: mostly 4 digits.
    case pinCode
    /// The six digits that the device shows.
    case passkey
    /// Whether the device shows these six digits too.
    case comparison(String)
    /// Whether it may be paired, as neither side can show anything.
    case authorization
    /// Nothing: the person types this on the device.
    case typeOnDevice(String)

    var wantsReply: Bool { if case .typeOnDevice = self { false } else { true } }

    init?(_ answer: BluetoothAnswer) {
        switch answer.challenge {
        case .pinCode: self = .pinCode
        case .passkey: self = .passkey
        case .comparison: self = .comparison(answer.number ?? "")
        case .authorization: self = .authorization
        case .typeOnDevice: self = .typeOnDevice(answer.number ?? "")
        case nil: return nil
        }
    }
}

/// What the person says to that. Available on Linux only.
public enum BluetoothPairingReply: Sendable, Hashable {
    /// For a PIN code or a passkey.
    case code(String)
    /// For a comparison or an authorization.
    case accept
    case refuse

    var order: BluetoothOrder {
        switch self {
        case .code(let code): BluetoothOrder(.reply, code: code, isAccepted: true)
        case .accept: BluetoothOrder(.reply, isAccepted: true)
        case .refuse: BluetoothOrder(.reply, isAccepted: false)
        }
    }
}

extension BluetoothAudio.Event {
    init?(_ answer: BluetoothAnswer) {
        switch answer.kind {
        case .device:
            guard let state = answer.device else { return nil }
            self = .found(BluetoothAudioDevice(state))
        case .lost:
            guard let id = answer.id else { return nil }
            self = .lost(id)
        case .ready: self = .ready
        case .waiting, .failed: self = .waiting(BluetoothAudioError(answer))
        case .challenge, .done, .sound, .heard, .key: return nil
        }
    }
}
