/// The connections that a receiver serves at a time, in total and of one address.
struct ClientPlaces: Sendable, Hashable {
    private static let most = 64
    private static let mostOfAddress = 32

    private var counts: [String: Int] = [:]

    /// - Returns: Whether there is a place; if so, call ``leave(_:)`` at the end of the connection.
    mutating func take(_ address: String) -> Bool {
        let count = counts[address, default: 0]
        guard count < Self.mostOfAddress, counts.values.reduce(0, +) < Self.most else { return false }
        counts[address] = count + 1
        return true
    }

    mutating func leave(_ address: String) {
        guard let count = counts[address] else { return }
        counts[address] = count > 1 ? count - 1 : nil
    }
}
