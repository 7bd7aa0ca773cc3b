import BlueZ
import DBus
import Glibc
import HostInterface
import KernelBluetooth

/// The L2CAP channels to one device, open or being opened. The number of the request that opened a channel is its name.
struct ChannelTable {
    /// The highest number of channels of one manager, to all devices together.
    static let most = 8

    private enum Entry {
        case opening(Task<Void, Never>)
        /// The other descriptor of the socket is the extension's.
        case open(DBusDescriptor)
    }

    private var entries: [Int: Entry] = [:]

    var count: Int { entries.count }

    func contains(_ number: Int) -> Bool { entries[number] != nil }

    mutating func begin(_ number: Int, _ opening: Task<Void, Never>) { entries[number] = .opening(opening) }

    /// Records the result of an opening.
    ///
    /// - Returns: `false` if the channel is no longer wanted.
    mutating func end(_ number: Int, _ channel: DBusDescriptor?) -> Bool {
        guard case .opening? = entries[number] else { return false }
        entries[number] = channel.map { .open($0) }
        return true
    }

    mutating func close(_ number: Int) {
        switch entries.removeValue(forKey: number) {
        case .opening(let task): task.cancel()
        // The extension has a descriptor of the same socket, and could use the channel on.
        case .open(let channel): shutdown(channel.number, Int32(SHUT_RDWR))
        case nil: break
        }
    }

    mutating func closeAll() { for number in Array(entries.keys) { close(number) } }
}

/// The addresses of the two ends of a channel.
struct ChannelEnds {
    let device: LowEnergyAddress
    let controller: LowEnergyAddress

    init?(_ device: BluetoothDevice, _ controller: BluetoothAdapter) {
        guard let there = LowEnergyAddress(device.address, isRandom: device.addressKind == .random),
            let here = LowEnergyAddress(controller.address, isRandom: controller.addressKind == .random)
        else { return nil }
        (self.device, self.controller) = (there, here)
    }
}

extension BluetoothFailure {
    init(_ error: LowEnergyChannelError) {
        let code: Code =
            switch error.code {
            case .refused: .refused
            case .timedOut: .timedOut
            case .disconnected: .notConnected
            case .cancelled: .cancelled
            case .unavailable: .notSupported
            case .failed: .failed
            }
        self.init(code, error.message)
    }
}
