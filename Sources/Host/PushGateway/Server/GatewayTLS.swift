package import Foundation
package import HostInterface
package import Logging
import NIOSSL
import Synchronization

/// What TLS of new connections is made with; the certificate is made anew in time, while the gateway runs.
package final class GatewayTLS: Sendable {
    /// How long before its end a certificate is replaced.
    static let margin: TimeInterval = 30 * 86_400
    /// How long it is waited after a failure before it is tried again.
    static let pause: TimeInterval = 3_600

    private struct State {
        var context: NIOSSLContext
        var renewal: Date
    }

    private let make: @Sendable (Date) throws(HostError) -> GatewayCertificates.ServerConfiguration
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter make: Makes a certificate that is valid from the time given.
    /// - Throws: ``HostError``: what `make` throws, or `invalid-argument` where TLS does not take it.
    package init(
        make: @escaping @Sendable (Date) throws(HostError) -> GatewayCertificates.ServerConfiguration,
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) throws(HostError) {
        self.make = make
        self.now = now
        self.logger = logger
        state = Mutex(try Self.state(make(now())))
    }

    private static func state(_ made: GatewayCertificates.ServerConfiguration) throws(HostError) -> State {
        do {
            return State(
                context: try NIOSSLContext(configuration: made.tls), renewal: made.notAfter.addingTimeInterval(-margin))
        } catch {
            throw HostError(.invalidArgument, "The gateway's certificate cannot be used: \(error)")
        }
    }

    /// For a connection that begins now. Where no new certificate can be made the old one goes on being used.
    func context() -> NIOSSLContext {
        let now = now()
        let due: NIOSSLContext? = state.withLock { state in
            guard now >= state.renewal else { return state.context }
            // One connection makes it; the others go on meanwhile.
            state.renewal = now.addingTimeInterval(Self.pause)
            return nil
        }
        if let due { return due }
        do throws(HostError) {
            let new = try Self.state(make(now))
            logger.notice("The certificate was renewed", metadata: ["until": "\(new.renewal + Self.margin)"])
            state.withLock { $0 = new }
        } catch {
            logger.error("The certificate cannot be renewed", metadata: ["error": "\(error.message)"])
        }
        return state.withLock(\.context)
    }
}
