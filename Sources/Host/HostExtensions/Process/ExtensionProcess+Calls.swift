import DBus
import HostCore
import HostInterface

extension ExtensionProcess {
    /// Sends a call and waits for the answer, which extensions give at once.
    ///
    /// Calls made one after the other arrive in that order.
    ///
    /// - Throws: ``HostError``: the extension's own, `timed-out`, or `extension-crashed`.
    package func perform(_ call: ExtensionCall) async throws(HostError) {
        let arguments: [DBusValue]
        do {
            arguments = try call.arguments()
        } catch {
            throw HostError(.internalFailure, "\(call.member) could not be encoded: \(error).")
        }
        _ = try await send(call.member, arguments)
    }

    /// The level (`0.0...1.0`) and whether the device is muted, as the extension knows them.
    package func volume(of device: String) async throws(HostError) -> (level: Double, isMuted: Bool) {
        let values = try await send("GetVolume", [.string(device)])
        guard values.count == 2, let level = values[0].asDouble, level.isFinite, let isMuted = values[1].asBool else {
            throw HostError(.internalFailure, "\(launch.manifest.displayName) gave no volume.")
        }
        return (min(max(level, 0), 1), isMuted)
    }

    private func send(_ member: String, _ arguments: [DBusValue]) async throws(HostError) -> [DBusValue] {
        let name = launch.manifest.displayName
        guard isReady else { throw HostError(.extensionCrashed, "\(name) is not running.") }
        if unansweredSince == nil { unansweredSince = .now }
        do throws(DBusError) {
            let values = try await connection.call(
                nil, path: HostNames.extensionLinkPath, interface: HostNames.extensionLinkInterface, member: member,
                arguments, timeout: timing.call)
            unansweredSince = nil
            return values
        } catch {
            switch error.name {
            case DBusError.Name.timeout, DBusError.Name.noReply:
                guard isReady, await answers() else {
                    throw HostError(.extensionCrashed, "\(name) ended during \(member).")
                }
                if let since = unansweredSince, .now - since >= timing.silence, !isTraced {
                    end(because: "answered nothing for \(timing.silence)")
                }
                throw HostError(.timedOut, "\(name) did not answer \(member) within \(timing.call).")
            case DBusError.Name.disconnected:
                throw HostError(.extensionCrashed, "\(name) ended during \(member).")
            default:
                unansweredSince = nil
                throw HostError(error)
            }
        }
    }
}
