import DBus
import ExtensionProgram
import HostInterface

/// The queue of messages to the host, in the order in which any thread posts them.
package final class HostOutbox: Sendable {
    private let messages = Mailbox<HostMessage>()
    private let take: (@Sendable (HostMessage) -> Void)?

    /// Creates a queue.
    ///
    /// - Parameter take: A closure that receives every message at once on the posting thread, for a host in the same
    ///   process. ``deliver(to:)`` isn't used then.
    package init(take: (@Sendable (HostMessage) -> Void)? = nil) {
        self.take = take
    }

    package func post(_ message: HostMessage) {
        if let take { take(message) } else { messages.yield(message) }
    }

    /// Closes the queue: later messages are discarded, and ``deliver(to:)`` returns after the earlier ones.
    package func finish() { messages.finish() }

    /// Sends the messages until the queue is finished or the link closes. Call it once.
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
