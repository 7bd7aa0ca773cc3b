import HostClient
import HostInterface

extension RoutingService {
    /// Opens the page as this app's picker.
    func showPicker() async throws {
        do {
            let client = try await connected()
            // Empty: the app that this connection registered.
            try await client.showPicker()
        } catch {
            throw Self.routingError(error)
        }
    }
}
