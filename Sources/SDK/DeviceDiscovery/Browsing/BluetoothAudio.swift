package import HostInterface

/// Access to Bluetooth audio devices, which the host discovers, pairs and connects. Available on Linux only.
///
/// The host shares Bluetooth among all extensions, none of which needs the system bus. The sound goes through the sound
/// server, which offers a connected device as an output: ``BluetoothAudioOutput``.
public enum BluetoothAudio {
    /// A change of the devices. Available on Linux only.
    public enum Event: Sendable {
        /// A device was discovered or has changed.
        case found(BluetoothAudioDevice)
        /// A device is gone: it isn't paired and its advertisements have stopped.
        case lost(BluetoothAudioDevice.ID)
        /// Devices can be discovered and used.
        case ready
        /// Devices can't be used at the moment: no adapter, Bluetooth off, or no Bluetooth service.
        case waiting(BluetoothAudioError)
    }

    /// Returns a stream of the devices. Paired devices are included while they are away. The stream finishes with the
    /// link to the host.
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
    /// - Parameters:
    ///   - device: The device.
    ///   - answer: A closure that answers each question of the device. Its task is cancelled when the device no longer
    ///     needs the answer.
    /// - Returns: The paired device, with its identity address if it uses private ones; `nil` if it disappeared at
    ///   once.
    /// - Throws: ``BluetoothAudioError``. Cancelling the task cancels the pairing.
    @discardableResult
    public static func pair(
        _ device: BluetoothAudioDevice.ID,
        answer: @escaping @Sendable (BluetoothPairingQuestion) async -> BluetoothPairingReply
    ) async throws(BluetoothAudioError) -> BluetoothAudioDevice? {
        try await carryOut(BluetoothOrder(.pair, device: device), answer)
    }

    /// Connects a paired device. The sound server then offers it as an output.
    ///
    /// - Throws: ``BluetoothAudioError``
    public static func connect(_ device: BluetoothAudioDevice.ID) async throws(BluetoothAudioError) {
        try await carryOut(BluetoothOrder(.connect, device: device))
    }

    /// Disconnects a device; no effect if it isn't connected.
    ///
    /// - Throws: ``BluetoothAudioError``
    public static func disconnect(_ device: BluetoothAudioDevice.ID) async throws(BluetoothAudioError) {
        try await carryOut(BluetoothOrder(.disconnect, device: device))
    }

    /// Sets the device's own volume. The result arrives as a change of the device.
    ///
    /// - Parameters:
    ///   - volume: The volume, `0.0...1.0`. Devices have 128 steps.
    ///   - device: The device.
    /// - Throws: ``BluetoothAudioError``
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
            ? .cancelled : BluetoothAudioError(code: "host-unavailable", message: "The host exited.", remedy: nil)
    }
}

/// The state of a Bluetooth audio device. Available on Linux only.
public struct BluetoothAudioDevice: Sendable, Hashable, Identifiable {
    /// The kind of device, as it reports it. Available on Linux only; the set is open.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name as lower-case words joined by hyphens.
        public let rawValue: String
        /// Creates a kind from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A loudspeaker.
        public static let speaker = Kind(rawValue: "speaker")
        /// A soundbar.
        public static let soundbar = Kind(rawValue: "soundbar")
        /// Headphones without a microphone.
        public static let headphones = Kind(rawValue: "headphones")
        /// Headphones with a microphone.
        public static let headset = Kind(rawValue: "headset")
        /// Earbuds.
        public static let earbuds = Kind(rawValue: "earbuds")
        /// A hearing aid.
        public static let hearingAid = Kind(rawValue: "hearing-aid")
        /// The audio system of a car.
        public static let carAudio = Kind(rawValue: "car-audio")
        /// An audio receiver.
        public static let receiver = Kind(rawValue: "receiver")
        /// A television.
        public static let television = Kind(rawValue: "television")
        /// A display.
        public static let display = Kind(rawValue: "display")
    }

    /// The host's identifier of the device and its adapter.
    public let id: String
    /// The address, such as `00:11:22:33:44:55`. A Low Energy device with private addresses reveals its identity
    /// address when it is paired (Bluetooth Core 5.4, volume 3, part C, 10.7).
    public let address: String
    /// The first address of the device. Unlike ``address`` it stays the same as long as the device is known.
    public let firstAddress: String
    /// The name for people.
    public let name: String
    /// The kind of device.
    public let kind: Kind
    /// A Boolean value that indicates whether the device is paired.
    public let isPaired: Bool
    /// A Boolean value that indicates whether the device is connected.
    public let isConnected: Bool
    /// A Boolean value that indicates whether the device predates Bluetooth 2.1 and supports only PIN codes.
    public let hasLegacyPairing: Bool
    /// The signal strength in dBm, rounded to 5; `nil` if no advertisements arrive.
    public let signalStrength: Int?
    /// The device's own volume, `0.0...1.0`; `nil` without a sound server, and if the device doesn't report it.
    public let volume: Double?
    /// The battery level in percent, `0...100`; `nil` if the device doesn't report it.
    public let batteryLevel: Int?
    /// A Boolean value that indicates whether a sound server on this computer offers the device as an output.
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

/// An error of a Bluetooth operation. Available on Linux only.
public struct BluetoothAudioError: Error, Sendable, Hashable {
    /// The stable slug of the error: `no-adapter`, `not-powered`, `blocked`, `not-running`, `unreachable`,
    /// `no-profile`, `authentication-failed`, `authentication-rejected`, `authentication-cancelled`,
    /// `authentication-timed-out`, `cancelled`…; the set is open.
    public let code: String
    /// One sentence for people.
    public let message: String
    /// The next step for the person as one sentence; `nil` if there is none.
    public let remedy: String?

    /// Creates an error.
    public init(code: String, message: String, remedy: String?) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    init(_ answer: BluetoothAnswer) {
        self.init(
            code: answer.code ?? "failed", message: answer.message ?? "The Bluetooth operation failed.",
            remedy: answer.remedy)
    }

    static let cancelled = BluetoothAudioError(code: "cancelled", message: "The operation was cancelled.", remedy: nil)
}

/// A question of a device during pairing. Available on Linux only.
public enum BluetoothPairingQuestion: Sendable, Hashable {
    /// The device's PIN code, 1 to 16 characters, usually 4 digits.
    case pinCode
    /// The six digits on the device's display.
    case passkey
    /// A comparison: does the device show the same six digits?
    case comparison(String)
    /// A permission to pair, because neither side has a display.
    case authorization
    /// No question: the person types these digits on the device.
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

/// A person's answer to a pairing question. Available on Linux only.
public enum BluetoothPairingReply: Sendable, Hashable {
    /// A PIN code or passkey.
    case code(String)
    /// Confirms a comparison, or permits the pairing.
    case accept
    /// Refuses the pairing.
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
