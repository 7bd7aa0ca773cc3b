import Foundation
import HostInterface

/// This machine's Bluetooth, one for all extensions.
package protocol BluetoothPort: Sendable {
    /// Begins what an extension ordered. Letting go of the answers ends it.
    func begin(_ order: BluetoothOrder) async -> BluetoothConversation
    /// Forgets the bond with a device; nothing where there is none.
    ///
    /// - Parameter address: As in ``BluetoothDeviceState/address``.
    /// - Throws: ``HostError``.
    func forget(_ address: String) async throws(HostError)
}

/// An order under way.
package struct BluetoothConversation: Sendable {
    /// Ends with one that is last, or for a browse never.
    package let answers: AsyncStream<BluetoothAnswer>
    /// Takes the person's answer to the last challenge, and for sound that it is paused or resumed.
    package let reply: @Sendable (BluetoothOrder) -> Void

    package init(
        answers: AsyncStream<BluetoothAnswer>, reply: @escaping @Sendable (BluetoothOrder) -> Void = { _ in }
    ) {
        self.answers = answers
        self.reply = reply
    }
}

/// How a device of which the host has a bond is marked among the credentials: the key itself is bluetoothd's.
package enum BluetoothBond {
    private static let prefix = "bluetooth-bond "

    /// - Returns: The device's address; `nil` for what is no bond.
    package static func address(_ credential: Data) -> String? {
        guard let text = String(data: credential, encoding: .utf8), text.hasPrefix(prefix) else { return nil }
        return String(text.dropFirst(prefix.count))
    }
}
