package import DBus

/// An extension's order to the host's Bluetooth, or to its sound server (``ComputerSound``). Each order has its own number
/// on the link, and gets answers until it ends.
package struct BluetoothOrder: Codable, Sendable, Hashable {
    package enum Verb: String, Codable, Sendable {
        /// Follow audio devices until the order is cancelled.
        case browse
        case pair
        /// Answer the challenge of the pairing with the same number.
        case reply
        /// Cancel the order with the same number.
        case cancel
        case connect, disconnect
        case setVolume
        /// Only for ``ComputerSound/device``.
        case setMuted
        /// Play audio on the device, until the order is cancelled or everything was heard.
        case play
        /// Pause or resume the output with the same number.
        case pause, resume
        /// Send ``media`` to the device of the output with the same number.
        case describe
    }
    package var verb: Verb
    /// The ``BluetoothDeviceState/id`` of the device; `nil` for an order without one.
    package var device: String?
    /// Reply: the code; `nil` for a challenge without one.
    package var code: String?
    /// Reply: `false` to refuse.
    package var isAccepted: Bool?
    /// The volume, `0.0...1.0`.
    package var volume: Double?
    /// Set muted: the mute state.
    package var isMuted: Bool?
    /// Play: `true` to wait for a resume.
    package var isPaused: Bool?
    /// Play: the time that sound may wait for the device, in seconds; `nil` for the usual one.
    package var latency: Double?
    /// Play and describe: the metadata.
    package var media: BluetoothMedia?

    package init(
        _ verb: Verb, device: String? = nil, code: String? = nil, isAccepted: Bool? = nil, volume: Double? = nil
    ) {
        self.verb = verb
        self.device = device
        self.code = code
        self.isAccepted = isAccepted
        self.volume = volume
    }
}

package struct BluetoothAnswer: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// Browse: a device is new or has changed.
        case device
        /// Browse: the device ``id`` is gone.
        case lost
        /// Browse: devices can be used.
        case ready
        /// Browse: devices can't be used at the moment; ``message`` and ``remedy`` have the reason and the next step.
        case waiting
        /// Pair: a question for the person.
        case challenge
        /// Play: ``sound`` accepts samples.
        case sound
        /// Play: ``heard`` has the listener's position.
        case heard
        /// Play: the ``key`` of a device was pressed.
        case key
        /// The order is done; for play, everything was heard. Nothing follows.
        case done
        /// The order failed: ``code``, ``message`` and ``remedy``. Nothing follows.
        case failed
    }

    package enum Challenge: String, Codable, Sendable {
        case pinCode = "pin-code"
        case passkey, comparison, authorization
        case typeOnDevice = "type-on-device"
    }

    package var kind: Kind
    package var device: BluetoothDeviceState?
    package var id: String?
    package var challenge: Challenge?
    /// Comparison and type-on-device: the digits to show.
    package var number: String?
    /// The error, such as `unreachable` or `authentication-failed`.
    package var code: String?
    package var message: String?
    package var remedy: String?
    /// A descriptor that accepts interleaved 16-bit little-endian stereo samples at ``BluetoothSoundFormat/rate``.
    /// Writes wait for the device. Closing it ends the sound.
    package var sound: DBusDescriptor?
    package var heard: BluetoothSoundPlace?
    /// The key: `play`, `pause`, `play-pause`, `stop`, `next`, `previous`.
    package var key: String?

    package init(_ kind: Kind) { self.kind = kind }

    /// A Boolean value that indicates whether nothing follows.
    package var isLast: Bool { kind == .done || kind == .failed }
}

/// This computer's own sound output, which extensions use like a Bluetooth audio device.
package enum ComputerSound {
    /// The ``BluetoothDeviceState/id``. A browse of it reports nothing but this device, while a sound server has an output.
    package static let device = "this-computer"
    /// The endpoint of the device that the extension lists.
    package static let endpoint = "computer:sound"
}

package enum BluetoothSoundFormat {
    /// The sample rate in frames per second.
    package static let rate = 44_100
}

/// The metadata of the current item, for devices with displays.
package struct BluetoothMedia: Codable, Sendable, Hashable {
    package var title: String?
    package var artist: String?
    package var album: String?
    /// The duration in seconds; `nil` for media without an end.
    package var duration: Double?
    /// The position in seconds.
    package var position: Double?
    package var isPlaying: Bool

    package init(
        title: String? = nil, artist: String? = nil, album: String? = nil, duration: Double? = nil,
        position: Double? = nil, isPlaying: Bool = true
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.duration = duration
        self.position = position
        self.isPlaying = isPlaying
    }
}

/// The listener's position at a time.
package struct BluetoothSoundPlace: Codable, Sendable, Hashable {
    /// The seconds since the beginning of the sound.
    package var seconds: Double
    /// The time in nanoseconds of the monotonic clock, which all processes of a computer share.
    package var time: Int64
    /// A Boolean value that indicates whether playback continues from there.
    package var isRunning: Bool

    package init(seconds: Double, time: Int64, isRunning: Bool) {
        self.seconds = seconds
        self.time = time
        self.isRunning = isRunning
    }
}

/// The state of a Bluetooth audio device.
package struct BluetoothDeviceState: Codable, Sendable, Hashable, Identifiable {
    /// The host's opaque identifier of the device and its adapter.
    package var id: String
    /// The address. It changes when a device with private addresses is paired.
    package var address: String
    /// The first address of the device, which stays as long as the device is known; `nil` for ``address``.
    package var firstAddress: String?
    package var name: String
    /// The kind: `speaker`, `soundbar`, `headphones`, `headset`, `earbuds`, `hearing-aid`, `car-audio`, `receiver`,
    /// `television`, `display` or `other`.
    package var kind: String
    package var isPaired: Bool
    package var isConnected: Bool
    /// A Boolean value that indicates whether the device predates Bluetooth 2.1 and supports only PIN codes.
    package var hasLegacyPairing: Bool
    /// The signal strength in dBm, rounded to 5; `nil` if no advertisements arrive.
    package var signalStrength: Int?
    /// The volume, `0.0...1.0`; `nil` without an output, or if the device doesn't report it.
    package var volume: Double?
    /// A Boolean value that indicates whether it is muted; `nil` if it can't be.
    package var isMuted: Bool?
    /// The battery level, `0...100`.
    package var batteryLevel: Int?
    /// A Boolean value that indicates whether a sound server on this computer offers the device as an output.
    package var hasTransport: Bool

    package init(
        id: String, address: String, firstAddress: String? = nil, name: String, kind: String, isPaired: Bool = false,
        isConnected: Bool = false,
        hasLegacyPairing: Bool = false, signalStrength: Int? = nil, volume: Double? = nil, batteryLevel: Int? = nil,
        hasTransport: Bool = false
    ) {
        self.id = id
        self.address = address
        self.firstAddress = firstAddress
        self.name = name
        self.kind = kind
        self.isPaired = isPaired
        self.isConnected = isConnected
        self.hasLegacyPairing = hasLegacyPairing
        self.signalStrength = signalStrength
        self.volume = volume
        self.batteryLevel = batteryLevel
        self.hasTransport = hasTransport
    }
}

extension BluetoothAnswer {
    package static func device(_ state: BluetoothDeviceState) -> BluetoothAnswer {
        var answer = BluetoothAnswer(.device)
        answer.device = state
        return answer
    }

    package static func lost(_ id: String) -> BluetoothAnswer {
        var answer = BluetoothAnswer(.lost)
        answer.id = id
        return answer
    }

    package static func heard(_ place: BluetoothSoundPlace) -> BluetoothAnswer {
        var answer = BluetoothAnswer(.heard)
        answer.heard = place
        return answer
    }

    package static func key(_ key: String) -> BluetoothAnswer {
        var answer = BluetoothAnswer(.key)
        answer.key = key
        return answer
    }

    package static func sound(_ descriptor: DBusDescriptor) -> BluetoothAnswer {
        var answer = BluetoothAnswer(.sound)
        answer.sound = descriptor
        return answer
    }

    package static func failed(_ code: String, _ message: String, remedy: String? = nil) -> BluetoothAnswer {
        var answer = BluetoothAnswer(.failed)
        answer.code = code
        answer.message = message
        answer.remedy = remedy
        return answer
    }
}
