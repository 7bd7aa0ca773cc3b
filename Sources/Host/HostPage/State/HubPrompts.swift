import HostClient
import HostInterface

/// Passes the daemon's prompts on to the browsers.
struct HubPrompts: PromptAnswering {
    let hub: PageHub

    func answer(device: String, name: String, _ challenge: PairingChallenge) async throws(HostError) -> String {
        try await hub.ask(device: device, name: name, challenge).get()
    }

    func cancel(device: String) {
        Task { await hub.cancelPrompts(of: device) }
    }
}
