import CBluetooth
import Glibc
import Threads

/// An L2CAP channel with credits to a Bluetooth LE device that is connected: a socket of the kernel, because bluetoothd
/// has no interface for it.
package struct LowEnergyChannel: Sendable {
    /// A connected socket that doesn't block. It belongs to the caller.
    package let descriptor: Int32
    /// The most bytes that the device takes at once.
    package let longestPacket: Int

    /// The most bytes that are taken at once here.
    static let longestReceived: UInt16 = 2048

    /// Opens a channel. Encrypts the connection, and pairs, if the device demands that of the kernel.
    ///
    /// - Parameters:
    ///   - psm: The number of the service on the device.
    ///   - device: The address of the device.
    ///   - controller: The address of the controller that is connected to it.
    ///   - limit: The time limit for the device's answer.
    package static func open(
        _ psm: UInt16, of device: LowEnergyAddress, from controller: LowEnergyAddress, within limit: Duration
    ) async throws(LowEnergyChannelError) -> LowEnergyChannel {
        let descriptor = bluetooth_channel_begin(
            controller.bytes, controller.isRandom, device.bytes, device.isRandom, psm, longestReceived)
        guard descriptor >= 0 else { throw LowEnergyChannelError(errno) }
        let failure = await connect(descriptor, within: limit)
        guard failure == 0, !Task.isCancelled else {
            close(descriptor)
            throw LowEnergyChannelError(failure == 0 ? ECANCELED : failure)
        }
        let longest = Int(bluetooth_channel_longest(descriptor))
        // 23 is the least that a device may take (Core Specification, 3.A, 4.22).
        return LowEnergyChannel(descriptor: descriptor, longestPacket: max(longest, 23))
    }

    /// Waits for the answer of the device.
    ///
    /// - Returns: 0, or an error number.
    static func connect(_ descriptor: Int32, within limit: Duration) async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = BackgroundThread.start {
                    continuation.resume(returning: wait(for: descriptor, until: .now + limit))
                }
                if !isWaiting { continuation.resume(returning: EAGAIN) }
            }
        } onCancel: {
            // Ends the wait.
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    private static func wait(for descriptor: Int32, until end: ContinuousClock.Instant) -> Int32 {
        var awaited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return ETIMEDOUT }
            let count = poll(&awaited, 1, Int32((left / .milliseconds(1)).rounded(.up)))
            guard count != 0, !(count < 0 && errno == EINTR) else { continue }
            guard count > 0 else { return errno }
            let failure = bluetooth_channel_failure(descriptor)
            // Hung up without a reason: it was shut down.
            return failure == 0 && awaited.revents & Int16(POLLHUP) != 0 ? ECONNABORTED : failure
        }
    }
}

/// An address of a Bluetooth LE device or controller.
package struct LowEnergyAddress: Sendable, Hashable {
    /// The lowest byte first.
    let bytes: [UInt8]
    let isRandom: Bool

    /// - Parameter text: `00:11:22:33:44:55`.
    package init?(_ text: String, isRandom: Bool) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        bytes = parts.compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }.reversed()
        self.isRandom = isRandom
        guard parts.count == 6, bytes.count == 6 else { return nil }
    }
}

/// The reason a channel couldn't be opened.
package struct LowEnergyChannelError: Error, Sendable, Hashable {
    package enum Code: Sendable, Hashable {
        /// The device offers no such service, or demands a pairing. The kernel doesn't tell which.
        case refused
        case timedOut
        case disconnected
        case cancelled
        /// The kernel has no Bluetooth, or doesn't allow it to this program.
        case unavailable
        case failed
    }

    package let code: Code
    /// The number of the kernel's error.
    package let number: Int32

    init(_ number: Int32) {
        self.number = number
        code =
            switch number {
            case ECONNREFUSED, EACCES: .refused
            case ETIMEDOUT: .timedOut
            case ECANCELED: .cancelled
            case ECONNRESET, ECONNABORTED, ENOTCONN, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENODEV: .disconnected
            case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT, EPERM: .unavailable
            default: .failed
            }
    }

    /// The reason as one sentence.
    package var message: String {
        switch code {
        case .refused: "The device refused the channel: it doesn't offer it, or has to be paired first."
        case .timedOut: "The device didn't answer in time."
        case .disconnected: "The device is gone."
        case .cancelled: "The channel is no longer wanted."
        case .unavailable: "This system allows no Bluetooth channels."
        case .failed: "The channel can't be opened: \(String(cString: strerror(number)))."
        }
    }
}
