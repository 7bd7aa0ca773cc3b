import HostInterface

/// A pairing prompt as the page shows it.
struct PagePrompt: Encodable, Sendable {
    let id: String
    /// The identifier of the device.
    let device: String
    let name: String
    /// `numeric-code`, `password` or `confirmation`.
    let method: String
    let length: Int
    let reason: String
    let attemptsLeft: Int?

    init(id: String, device: String, name: String, _ challenge: PairingChallenge) {
        self.id = id
        self.device = device
        self.name = name
        method = challenge.method == .none ? "confirmation" : challenge.method.rawValue
        length = challenge.length
        reason = challenge.reason
        attemptsLeft = challenge.attemptsLeft
    }
}

/// A prompt with what waits for its answer.
struct OpenPrompt {
    let prompt: PagePrompt
    let challenge: PairingChallenge
    let continuation: CheckedContinuation<Result<String, HostError>, Never>
}
