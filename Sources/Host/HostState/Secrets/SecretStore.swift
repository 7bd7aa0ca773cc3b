package import Foundation
package import HostInterface

/// Keeps secrets better than a file can.
package protocol SecretStore: Sendable {
    /// `nil` if there is none.
    func secret(device: String) async throws(HostError) -> Data?
    /// Stores or replaces; kept when it returns.
    func setSecret(_ secret: Data, device: String) async throws(HostError)
    func removeSecret(device: String) async throws(HostError)
}
