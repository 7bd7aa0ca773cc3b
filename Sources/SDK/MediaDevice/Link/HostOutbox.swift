package import DBus
import ExtensionProgram
import HostInterface
package import LinkProtocol

/// The queue of messages to the host, in the order in which any thread posts them.
package final class HostOutbox: Sendable {
    private let messages = Mailbox<ExtensionMessage>()
    private let take: (@Sendable (ExtensionMessage) -> Void)?

    /// Creates a queue.
    ///
    /// - Parameter take: A closure that receives every message at once on the posting thread, for a host in the same
    ///   process. ``deliver(to:)`` isn't used then.
    package init(take: (@Sendable (ExtensionMessage) -> Void)? = nil) {
        self.take = take
    }

    package func post(_ message: ExtensionMessage) {
        if let take { take(message) } else { messages.yield(message) }
    }

    /// Closes the queue: later messages are discarded, and ``deliver(to:)`` returns after the earlier ones.
    package func finish() { messages.finish() }

    /// Sends the messages until the queue is finished or the link closes. Call it once.
    package func deliver(to connection: isolated DBusConnection) async {
        for await message in messages.elements {
            do throws(DBusError) {
                try connection.send(
                    nil, path: HostNames.hostLinkPath, interface: HostNames.hostLinkInterface,
                    member: message.member.rawValue, message.arguments())
            } catch {
                if error.name == DBusError.Name.disconnected { return }
                // One message that cannot be written must not silence the others.
                ExtensionLog.write("could not send \(message.member.rawValue) to the host: \(error)")
            }
        }
    }
}
