package import Foundation
package import HostInterface

/// The Bluetooth of this computer, shared by all extensions.
package protocol BluetoothPort: Sendable {
    /// Starts an extension's order. It ends when the answers are released.
    func begin(_ order: BluetoothOrder) async -> BluetoothConversation
    /// Removes the bond with a device; no effect if there is none.
    ///
    /// - Parameter address: The address; see ``BluetoothDeviceState/address``.
    /// - Throws: ``HostError``
    func forget(_ address: String) async throws(HostError)
}

/// An order in progress.
package struct BluetoothConversation: Sendable {
    /// The answers. The stream finishes after the last one; for a browse it doesn't.
    package let answers: AsyncStream<BluetoothAnswer>
    /// A function that accepts a person's answer to the last challenge, and pause and resume for audio.
    package let reply: @Sendable (BluetoothOrder) -> Void

    package init(
        answers: AsyncStream<BluetoothAnswer>, reply: @escaping @Sendable (BluetoothOrder) -> Void = { _ in }
    ) {
        self.answers = answers
        self.reply = reply
    }
}

/// The marker of a bond among the stored credentials. bluetoothd has the key itself.
package enum BluetoothBond {
    private static let prefix = "bluetooth-bond "

    /// Returns the device's address; `nil` for other credentials.
    package static func address(_ credential: Data) -> String? {
        guard let text = String(data: credential, encoding: .utf8), text.hasPrefix(prefix) else { return nil }
        return String(text.dropFirst(prefix.count))
    }
}
