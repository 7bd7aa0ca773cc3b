import Foundation
import HostClient
import HostInterface

/// Why a device isn't ready, and what helps.
package struct PageFinding: Sendable, Hashable, Codable {
    package var message: String
    package var remedy: String?

    package init(message: String, remedy: String?) {
        self.message = message
        self.remedy = remedy
    }
}

/// A device with the finding about it.
struct DevicePart: Encodable {
    let device: ClientDevice
    let finding: PageFinding?

    private enum Keys: CodingKey { case finding }

    func encode(to encoder: any Encoder) throws {
        try device.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encodeIfPresent(finding, forKey: .finding)
    }
}

struct NowPlayingPart: Encodable {
    /// The identifier of the session, not its path.
    let systemPrimary: String?
    let pausesOthers: Bool

    init(_ status: ClientNowPlaying) {
        systemPrimary = status.systemPrimary.map { String($0.dropFirst(HostNames.mediaPath.count + 1)) }
        pausesOthers = status.pausesOthers
    }

    private enum Keys: CodingKey { case systemPrimary, pausesOthers }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(systemPrimary, forKey: .systemPrimary)
        try container.encode(pausesOthers, forKey: .pausesOthers)
    }
}

struct ManagerPart: Encodable {
    struct Problem: Encodable {
        let code: String
        let message: String
        let remedy: String?
    }

    let problems: [Problem]
    let settled: Bool

    init(_ manager: ClientManager) {
        problems = manager.problems.map { Problem(code: $0.code.rawValue, message: $0.message, remedy: $0.remedy) }
        settled = manager.isSettled
    }
}

struct HostPart: Encodable {
    let name: String
    let version: String

    static var ownName: String { ProcessInfo.processInfo.hostName }
}

/// A browser as other browsers see it: without its cookie.
struct BrowserPart: Encodable {
    let id: String
    let name: String
    let role: PageRole
    let seen: Double
    let current: Bool

    init(_ browser: PageBrowser, isCurrent: Bool) {
        id = browser.id
        name = browser.name
        role = browser.role
        seen = browser.seen
        current = isCurrent
    }
}

/// An app that can be routed.
struct ApplicationPart: Encodable {
    let identifier: String
    let name: String
    let protocols: [String]
    let universalURLPlayback: Bool

    init(_ application: ClientApplication) {
        identifier = application.identifier
        name = application.name
        protocols = application.protocols
        universalURLPlayback = application.universalURLPlayback
    }
}
