import HostInterface

/// The open way to one device: an activation and what plays through it.
///
/// The extension sees one output session per route (`MediaOutputSession.id` is ``linkSession``); what plays through
/// it is one ``HostSession`` at a time, and a new one takes the place of the one before. The routes of devices that are used
/// together share it; of these, the one of the device that leads has the holders, the session and the file.
struct Route: Sendable {
    let deviceID: String
    let extensionIdentifier: String
    let linkSession: String
    /// Who keeps it open besides a playing session: clients that activated it themselves.
    var holders: Set<String> = []
    /// The ``HostSession`` that plays or starts.
    var currentSession: String?
    var servedFile: ServedFile?
    /// What the device is activated for; `nil` for everything it can do.
    var features: DeviceDescription.Capabilities?

    /// Whether something keeps the route of a device alone, or of one that leads.
    var isNeeded: Bool { !holders.isEmpty || currentSession != nil }

    var activation: ActivationKey { ActivationKey(device: deviceID, session: linkSession) }
}

/// Names one activation: several devices may be activated in one session of the link.
struct ActivationKey: Hashable, Sendable {
    let device: String
    let session: String
}

/// What an extension answers to an activation or to a code.
enum ActivationOutcome: Sendable {
    case activated
    case needsCode(PairingChallenge)
    case failed(HostError)
}

/// Asks a person for a code or password; `nil` when the person cancelled.
///
/// Throws a ``HostError`` when nobody can be asked.
package typealias PairingPrompt = @Sendable (HostDevice, PairingChallenge) async throws -> String?
