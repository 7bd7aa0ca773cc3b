package import HostInterface
import LinkProtocol

/// The open route to one device: an activation and its playback.
///
/// The extension sees one output session per route (`MediaOutputSession.id` is ``linkSession``). It has one
/// ``HostSession`` at a time, which a new one replaces. The routes of a group share the output session; the leader's
/// has the holders, the session and the file.
struct Route: Sendable {
    let deviceID: String
    let extensionIdentifier: String
    let linkSession: String
    /// The clients that activated the device themselves, and keep the route open without a session.
    var holders: Set<String> = []
    /// The ``HostSession`` that plays or starts.
    var currentSession: String?
    var servedFile: ServedFile?
    /// The delivery of live samples that plays.
    var delivery: (any SampleDelivery)?
    /// The features for which the device is activated; `nil` for all.
    var features: DeviceDescription.Capabilities?

    /// A Boolean value that indicates whether the route of a single device or a leader is needed.
    var isNeeded: Bool { !holders.isEmpty || currentSession != nil }

    /// The call that stops what plays.
    var stop: ExtensionCall {
        delivery == nil ? .stopSession(session: linkSession) : .stopSampleDelivery(session: linkSession)
    }

    var activation: ActivationKey { ActivationKey(device: deviceID, session: linkSession) }
}

/// The key of an activation. Several devices can be activated in one output session.
struct ActivationKey: Hashable, Sendable {
    let device: String
    let session: String
}

/// An extension's answer to an activation or a code.
enum ActivationOutcome: Sendable {
    case activated
    case needsCode(PairingChallenge)
    /// A person entered the code. The device hasn't seen it yet.
    case entered(String)
    case failed(HostError)
}

/// A function that asks a person for a code or password; `nil` if the person cancelled.
///
/// It throws a ``HostError`` if no one can be asked.
package typealias PairingPrompt = @Sendable (HostDevice, PairingChallenge) async throws -> String?
