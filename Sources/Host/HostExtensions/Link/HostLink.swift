import DBus
import HostCore
import HostInterface
import Logging
import Synchronization

/// Receives an extension's messages in the order in which they were sent: one greeting, then the others.
package struct LinkReceiver: Sendable {
    var greeted: @Sendable (ExtensionHello) -> Void
    /// The closure that receives each message and its approximate size in bytes. If it returns `false`, too many
    /// messages are waiting, and the process is ended.
    var message: @Sendable (ExtensionMessage, Int) -> Bool

    package init(
        greeted: @escaping @Sendable (ExtensionHello) -> Void,
        message: @escaping @Sendable (ExtensionMessage, Int) -> Bool
    ) {
        self.greeted = greeted
        self.message = message
    }
}

/// The host's object on the link to one extension process, which decodes the extension's messages and forwards them in
/// order.
///
/// The extension isn't trusted: malformed messages are logged once for each method and dropped, and a full receiver
/// ends the process.
final class HostLink: Sendable {
    enum Report: Sendable {
        case greeted(ExtensionHello)
        /// The extension did something that makes another attempt useless, described by a clause.
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

    /// - Parameter report: The closure that receives reports about the process itself.
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

    /// Closes the link. Nothing is delivered after this method returns.
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
