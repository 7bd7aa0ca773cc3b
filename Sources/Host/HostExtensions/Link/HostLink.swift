import DBus
import HostCore
import HostInterface
import Logging
import Synchronization

/// Takes what an extension sends, in wire order: first the greeting, once, then the messages.
package struct LinkReceiver: Sendable {
    var greeted: @Sendable (ExtensionHello) -> Void
    /// Also gets the message's rough size in bytes; `false`, which ends the process, means that too much waits already.
    var message: @Sendable (ExtensionMessage, Int) -> Bool

    package init(
        greeted: @escaping @Sendable (ExtensionHello) -> Void,
        message: @escaping @Sendable (ExtensionMessage, Int) -> Bool
    ) {
        self.greeted = greeted
        self.message = message
    }
}

/// The host's object on the link to one extension process: decodes what the extension sends and hands it on in order.
///
/// The extension is not trusted: whatever cannot be read is logged once per method and dropped, and a receiver that
/// is full ends the process.
final class HostLink: Sendable {
    enum Report: Sendable {
        case greeted(ExtensionHello)
        /// A sentence fragment: what the extension did that makes a further try useless.
        case refused(String)
        case overflowed
    }

    private struct State {
        var isGreeted = false
        var isClosed = false
        var loggedMembers: Set<HostLinkMember> = []
    }

    private let state = Mutex(State())
    private let greeting: HostGreeting
    private let logger: Logger
    private let receiver: LinkReceiver
    private let report: @Sendable (Report) -> Void

    /// - Parameter report: Told of what concerns the process itself.
    init(
        greeting: HostGreeting, logger: Logger, receiver: LinkReceiver, report: @escaping @Sendable (Report) -> Void
    ) {
        self.greeting = greeting
        self.logger = logger
        self.receiver = receiver
        self.report = report
    }

    /// `org.mdhost.HostLink1`; the handlers run in wire order.
    var interface: DBusInterface {
        DBusInterface(
            HostNames.hostLinkInterface,
            methods: HostLinkMember.allCases.map { member in
                DBusMethod(
                    member.rawValue, in: member.arguments, out: member == .hello ? [("host", "a{sv}")] : []
                ) { [self] call in
                    receive(member, call)
                }
            })
    }

    /// Nothing is delivered after this returns.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    private func receive(_ member: HostLinkMember, _ call: DBusMethodCall) {
        let message: ExtensionMessage
        do throws(MalformedMessage) {
            if member == .hello {
                var arguments = MessageArguments(call.arguments)
                try greet(arguments.value(ExtensionHello.self), call)
                return
            }
            message = try ExtensionMessage(member, call.arguments)
        } catch {
            refuse(call, member, error.reason)
            return
        }
        let cost = ExtensionMessage.cost(of: call.arguments)
        let isAccepted: Bool? = state.withLock { state in
            guard state.isGreeted, !state.isClosed else { return nil }
            return receiver.message(message, cost)
        }
        switch isAccepted {
        case true?: call.reply()
        case false?:
            close()
            report(.overflowed)
        case nil: refuse(call, member, "sent before Hello or after the end")
        }
    }

    private func greet(_ hello: ExtensionHello, _ call: DBusMethodCall) {
        var greeting = greeting
        switch LinkAgreement(hello) {
        case .version(let version): greeting.linkVersion = version
        case .none(let reason):
            call.fail(HostError(.notSupported, "This extension \(reason).").asDBusError)
            close()
            report(.refused(reason))
            return
        }
        let reply: DBusValue
        do {
            reply = try DBusDictionaryEncoder().encode(greeting)
        } catch {
            call.fail(HostError(.internalFailure, "The greeting could not be encoded.").asDBusError)
            return
        }
        let isFirst = state.withLock { state in
            guard !state.isGreeted, !state.isClosed else { return false }
            state.isGreeted = true
            receiver.greeted(hello)
            return true
        }
        guard isFirst else {
            refuse(call, .hello, "sent twice")
            return
        }
        call.reply([reply])
        report(.greeted(hello))
    }

    private func refuse(_ call: DBusMethodCall, _ member: HostLinkMember, _ reason: String) {
        if state.withLock({ $0.loggedMembers.insert(member).inserted }) {
            logger.warning("ignoring a malformed \(member.rawValue); further ones are not logged: \(reason)")
        }
        call.fail(HostError(.invalidArgument, "\(member.rawValue): \(reason).").asDBusError)
    }
}
