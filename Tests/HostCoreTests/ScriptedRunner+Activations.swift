import Foundation
import HostInterface
import LinkProtocol

extension ScriptedRunner {
    /// The session of every activation, in order.
    var activations: [String] {
        calls.compactMap { if case .activate(_, let session, _, _) = $0 { session } else { nil } }
    }

    /// An extension whose device wants `password`, and stores it once it was right.
    static func locked(_ password: String) -> ScriptedRunner {
        ScriptedRunner { call in
            switch call {
            case .activate(let device, let session, _, let credential):
                if credential == Data(password.utf8) { return [.activatedDevice(device: device.id, session: session)] }
                let challenge = PairingChallenge(method: .password, reason: "Tell me")
                return [.requestPairingCode(device: device.id, session: session, challenge: challenge)]
            case .connectUsingPairingCode(let code, let device, let session):
                guard code == password else {
                    let error = HostError(.authorizationFailed, "Wrong.")
                    return [.failedToActivate(device: device, session: session, error: error)]
                }
                return [
                    .setCredential(device: device, secret: Data(password.utf8)),
                    .activatedDevice(device: device, session: session),
                ]
            default: return []
            }
        }
    }
}
