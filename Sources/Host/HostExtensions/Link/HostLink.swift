import DBus
import HostInterface
package import LinkProtocol
import Logging
import Synchronization

/// Receives an extension's messages in the order in which they were sent: one greeting, then the others.
package struct LinkReceiver: Sendable {
    var greeted: @Sendable (LinkGreeting) -> Void
    /// The closure that receives each message and its approximate size in bytes. If it returns `false`, too many
    /// messages are waiting, and the process is ended.
    var message: @Sendable (ExtensionMessage, Int) -> Bool

    package init(
        greeted: @escaping @Sendable (LinkGreeting) -> Void,
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
        case greeted(LinkGreeting)
        /// The extension did something that makes another attempt useless, described by a clause.
        case refused(String)
        case overflowed
    }

    private struct State {
        var isGreeted = false
        var isClosed = false
        var loggedMembers: Set<String> = []
    }

    private let state = Mutex(State())
    private let welcome: LinkWelcome
    private let logger: Logger
    private let receiver: LinkReceiver
    private let report: @Sendable (Report) -> Void

    /// - Parameter report: The closure that receives reports about the process itself.
    init(
        welcome: LinkWelcome, logger: Logger, receiver: LinkReceiver, report: @escaping @Sendable (Report) -> Void
    ) {
        self.welcome = welcome
        self.logger = logger
        self.receiver = receiver
        self.report = report
    }

    /// `org.mdhost.HostLink1`; the handlers run in wire order.
    var interface: DBusInterface {
        DBusInterface(
            HostNames.hostLinkInterface,
            methods: [
                DBusMethod(LinkGreeting.member, in: LinkGreeting.arguments, out: LinkGreeting.results) { [self] call in
                    greet(call)
                }
            ]
                + ExtensionMessage.Member.allCases.map { member in
                    DBusMethod(member.rawValue, in: member.arguments, out: member.results) { [self] call in
                        receive(member, call)
                    }
                })
    }

    /// Closes the link. Nothing is delivered after this method returns.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    private func receive(_ member: ExtensionMessage.Member, _ call: DBusMethodCall) {
        let message: ExtensionMessage
        do throws(MalformedMessage) {
            message = try ExtensionMessage(member, call.arguments)
        } catch {
            refuse(call, error.reason)
            return
        }
        let cost = MessageCost.bytes(of: call.arguments)
        let isAccepted: Bool? = state.withLock { state in
            guard state.isGreeted, !state.isClosed else { return nil }
            return receiver.message(message, cost)
        }
        switch isAccepted {
        case true?: call.reply()
        case false?:
            close()
            report(.overflowed)
        case nil: refuse(call, "sent before Hello or after the end")
        }
    }

    private func greet(_ call: DBusMethodCall) {
        var arguments = ArgumentReader(call.arguments)
        do throws(MalformedMessage) {
            try greet(arguments.value(LinkGreeting.self), call)
        } catch {
            refuse(call, error.reason)
        }
    }

    private func greet(_ hello: LinkGreeting, _ call: DBusMethodCall) {
        var welcome = welcome
        switch LinkAgreement(hello) {
        case .version(let version): welcome.linkVersion = version
        case .none(let reason):
            call.fail(HostError(.notSupported, "This extension \(reason).").asDBusError)
            close()
            report(.refused(reason))
            return
        }
        let reply: DBusValue
        do {
            reply = try DBusDictionaryEncoder().encode(welcome)
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
            refuse(call, "sent twice")
            return
        }
        call.reply([reply])
        report(.greeted(hello))
    }

    private func refuse(_ call: DBusMethodCall, _ reason: String) {
        if state.withLock({ $0.loggedMembers.insert(call.member).inserted }) {
            logger.warning("ignoring a malformed \(call.member); further ones are not logged: \(reason)")
        }
        call.fail(HostError(.invalidArgument, "\(call.member): \(reason).").asDBusError)
    }
}
