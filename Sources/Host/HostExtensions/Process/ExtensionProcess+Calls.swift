import DBus
import HostCore
package import HostInterface
package import LinkProtocol
import Synchronization

/// The state of the process that calls need from any thread.
struct CallState: Sendable {
    /// A Boolean value that indicates whether the extension has sent its greeting and isn't being ended.
    var isOpen = false
    /// The oldest call since the last answer.
    var unansweredSince: ContinuousClock.Instant?
}

/// Calls to the extension. They don't run on the actor: each goes directly from its caller to the link.
extension ExtensionProcess {
    /// A Boolean value that indicates whether the extension has sent its greeting and isn't being ended.
    nonisolated var isReady: Bool { calls.withLock(\.isOpen) }

    /// Sends a call and waits for the answer, which extensions give immediately.
    ///
    /// Successive calls arrive in their order.
    ///
    /// - Throws: ``HostError``: the extension's own, `timed-out`, or `extension-crashed`.
    package nonisolated(nonsending) func perform(_ call: ExtensionCall) async throws(HostError) {
        _ = try await send(call, to: HostNames.extensionLinkInterface)
    }

    /// Returns the level (`0.0...1.0`) and whether the device is muted, as known to the extension.
    package nonisolated(nonsending) func volume(
        of device: String
    ) async throws(HostError) -> (level: Double, isMuted: Bool) {
        let values = try await send(ExtensionCall.readVolume(device: device), to: HostNames.extensionLinkInterface)
        guard values.count == 2, let level = values[0].asDouble, level.isFinite, let isMuted = values[1].asBool else {
            throw HostError(.internalFailure, "\(launch.manifest.displayName) gave no volume.")
        }
        return (min(max(level, 0), 1), isMuted)
    }

    /// - Returns: The path of the session's object, for ``RemoteSessionCall/open(session:attributes:token:)``.
    package nonisolated(nonsending) func perform(_ call: RemoteSessionCall) async throws(HostError) -> String {
        // Making a session may have it look for its device.
        let reply = try await send(call, to: HostNames.mediaLinkInterface, limit: timing.call * 2)
        return reply.first?.asString ?? ""
    }

    /// - Parameter place: What ``perform(_:)-(RemoteSessionCall)`` returned for the session.
    package nonisolated(nonsending) func ask(
        _ call: MediaHandlerCall, at place: String
    ) async throws(HostError) -> MediaHandlerAnswer {
        let arguments: [DBusValue]
        do throws(DBusError) {
            arguments = try call.arguments()
        } catch {
            throw HostError(error)
        }
        return MediaHandlerAnswer(
            try await send(
                call.member, arguments, at: place, interface: HostNames.mediaHandlerInterface, limit: call.limit))
    }

    private nonisolated(nonsending) func send(
        _ message: some LinkMessage, to interface: String, limit: Duration? = nil
    ) async throws(HostError) -> [DBusValue] {
        let arguments: [DBusValue]
        do throws(DBusError) {
            arguments = try message.arguments()
        } catch {
            throw HostError(.internalFailure, "\(message.member.rawValue) could not be encoded: \(error.message).")
        }
        return try await send(message.member.rawValue, arguments, interface: interface, limit: limit)
    }

    private nonisolated(nonsending) func send(
        _ member: String, _ arguments: [DBusValue], at path: String = HostNames.extensionLinkPath,
        interface: String, limit: Duration? = nil
    ) async throws(HostError) -> [DBusValue] {
        let limit = limit ?? timing.call
        let name = launch.manifest.displayName
        let isOpen = calls.withLock { state in
            if state.unansweredSince == nil { state.unansweredSince = .now }
            return state.isOpen
        }
        guard isOpen else { throw HostError(.extensionCrashed, "\(name) is not running.") }
        do throws(DBusError) {
            let values = try await connection.request(
                nil, path: path, interface: interface, member: member, arguments, timeout: limit)
            calls.withLock { $0.unansweredSince = nil }
            return values
        } catch {
            switch error.name {
            case DBusError.Name.timeout, DBusError.Name.noReply:
                guard isReady, await answers() else {
                    throw HostError(.extensionCrashed, "\(name) ended during \(member).")
                }
                let since = calls.withLock { $0.unansweredSince }
                if let since, .now - since >= timing.silence, await !isTraced {
                    await end(because: "answered nothing for \(timing.silence)")
                }
                throw HostError(.timedOut, "\(name) did not answer \(member) within \(limit).")
            case DBusError.Name.disconnected:
                throw HostError(.extensionCrashed, "\(name) ended during \(member).")
            default:
                calls.withLock { $0.unansweredSince = nil }
                throw HostError(error)
            }
        }
    }
}
