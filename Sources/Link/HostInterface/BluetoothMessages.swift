import DBus

/// What an extension asks of the host's Bluetooth. Each order has a number of its own on the link, and answers until it is over.
package struct BluetoothOrder: Codable, Sendable, Hashable {
    package enum Verb: String, Codable, Sendable {
        /// Devices that take sound, until it is cancelled.
        case browse
        case pair
        /// The person's answer to the challenge of a pairing under way, which has the same number.
        case reply
        /// Nobody waits for the order with the same number any more.
        case cancel
        case connect, disconnect
        case setVolume
        /// Sound for the device, until it is cancelled or all of it was heard.
        case play
        /// Of the sound with the same number: nothing is heard from now on, and it goes on there.
        case pause, resume
        /// Of the sound with the same number: the device is told that ``media`` plays.
        case describe
    }
    package var verb: Verb
    /// ``BluetoothDeviceState/id``; `nil` for those about no device.
    package var device: String?
    /// Reply: the code; `nil` for a challenge that wants none.
    package var code: String?
    /// Reply: `false` says no.
    package var isAccepted: Bool?
    /// `0.0...1.0`.
    package var volume: Double?
    /// Play: whether it begins only when it is resumed.
    package var isPaused: Bool?
    /// Play and describe: what plays.
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
        /// Browse: a device is new, or another than before.
        case device
        /// Browse: ``id`` is gone.
        case lost
        /// Browse: it works, again.
        case ready
        /// Browse: it does not work for the time being; ``message`` and ``remedy`` say why and what to do.
        case waiting
        /// Pair: the person is asked.
        case challenge
        /// Play: ``sound`` takes it from now on.
        case sound
        /// Play: ``heard`` tells how far the listener is.
        case heard
        /// Play: ``key`` was pressed on a device.
        case key
        /// It is done, for play: all was heard; nothing follows.
        case done
        /// It cannot be done: ``code``, ``message`` and ``remedy``; nothing follows.
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
    /// Comparison and type-on-device: what is shown.
    package var number: String?
    /// `unreachable`, `authentication-failed`…
    package var code: String?
    package var message: String?
    package var remedy: String?
    /// Takes samples, left and right in turn, 16 bit, little end first, ``BluetoothSoundFormat/rate`` frames a second; whoever
    /// writes waits for the listener. Its end is the end of the sound.
    package var sound: DBusDescriptor?
    package var heard: BluetoothSoundPlace?
    /// `play`, `pause`, `play-pause`, `stop`, `next`, `previous`.
    package var key: String?

    package init(_ kind: Kind) { self.kind = kind }

    /// Whether nothing follows.
    package var isLast: Bool { kind == .done || kind == .failed }
}

package enum BluetoothSoundFormat {
    /// Frames a second.
    package static let rate = 44_100
}

/// What plays, as devices with displays show it.
package struct BluetoothMedia: Codable, Sendable, Hashable {
    package var title: String?
    package var artist: String?
    package var album: String?
    /// Seconds; `nil` for what has no end.
    package var duration: Double?
    /// Seconds.
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

/// How far the listener is, at a moment.
package struct BluetoothSoundPlace: Codable, Sendable, Hashable {
    /// Since the beginning of the sound.
    package var seconds: Double
    /// Of the monotonic clock, which all processes of a machine share; in nanoseconds.
    package var time: Int64
    /// Whether it goes on from there.
    package var isRunning: Bool

    package init(seconds: Double, time: Int64, isRunning: Bool) {
        self.seconds = seconds
        self.time = time
        self.isRunning = isRunning
    }
}

/// A Bluetooth device that takes sound, as it is now.
package struct BluetoothDeviceState: Codable, Sendable, Hashable, Identifiable {
    /// Which device of which adapter; the host's, not to be read.
    package var id: String
    /// Of a device with privacy another once it is paired.
    package var address: String
    /// The one it was first heard with, which is its own as long as it is known; `nil` for ``address``.
    package var firstAddress: String?
    package var name: String
    /// `speaker`, `soundbar`, `headphones`, `headset`, `earbuds`, `hearing-aid`, `car-audio`, `receiver`, `television`,
    /// `display` or `other`.
    package var kind: String
    package var isPaired: Bool
    package var isConnected: Bool
    /// A device of before 2006, which knows only PIN codes.
    package var hasLegacyPairing: Bool
    /// In dBm, to 5; `nil` when it is not heard.
    package var signalStrength: Int?
    /// `0.0...1.0`; `nil` while it takes no sound, or where the device keeps its level for itself.
    package var volume: Double?
    /// `0...100`.
    package var batteryLevel: Int?
    /// Whether a sound server of this machine has it as an output.
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
