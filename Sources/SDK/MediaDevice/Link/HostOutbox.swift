import DBus
import ExtensionProgram
import HostInterface

/// What waits to be sent to the host, in the order it was posted from anywhere.
package final class HostOutbox: Sendable {
    private let messages = Mailbox<HostMessage>()
    private let take: (@Sendable (HostMessage) -> Void)?

    /// - Parameter take: Gets every message at once, on the thread that posts it, for a host in the same process;
    ///   ``deliver(to:)`` is not used then.
    package init(take: (@Sendable (HostMessage) -> Void)? = nil) {
        self.take = take
    }

    package func post(_ message: HostMessage) {
        if let take { take(message) } else { messages.yield(message) }
    }

    /// Drops what is posted from now on, and ends ``deliver(to:)`` when the rest is sent.
    package func finish() { messages.finish() }

    /// Sends what is posted until the outbox is finished or the link is closed; once only.
    package func deliver(to connection: isolated DBusConnection) async {
        for await message in messages.elements {
            do {
                try connection.send(
                    nil, path: HostNames.hostLinkPath, interface: HostNames.hostLinkInterface, member: message.member,
                    message.arguments())
            } catch let error as DBusError where error.name == DBusError.Name.disconnected {
                return
            } catch {
                // One message that cannot be written, such as a text with a NUL in it, must not silence the others.
                ExtensionLog.write("could not send \(message.member) to the host: \(error)")
            }
        }
    }
}
