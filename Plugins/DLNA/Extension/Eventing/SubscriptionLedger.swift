import DeviceConnections
import Foundation
import Synchronization

/// The subscriptions that devices have for this process. Those that remain when it exits are ended then.
///
/// A device that sends events to a closed port delays the events of all its other subscribers.
final class SubscriptionLedger: Sendable {
    /// The time limit for each subscription, so that a lost device doesn't delay the exit.
    private static let patience = timeval(tv_sec: 0, tv_usec: 300_000)

    private let services = Mutex<[String: URL]>([:])

    /// The ledger of the process. Its subscriptions are ended at exit, even if the host just closed the link.
    static let ofProcess: SubscriptionLedger = {
        atexit { SubscriptionLedger.ofProcess.endAll() }
        return SubscriptionLedger()
    }()

    /// A device granted a subscription, or renewed it.
    func note(_ identifier: String, at service: URL) { services.withLock { $0[identifier] = service } }

    /// Removes a subscription that has ended.
    func forget(_ identifier: String) { services.withLock { $0[identifier] = nil } }

    var identifiers: Set<String> { Set(services.withLock { $0.keys }) }

    /// Ends all subscriptions on the devices, on this thread and without waiting for answers, because nothing else can
    /// run any longer.
    func endAll() {
        let open = services.withLock { services in
            defer { services = [:] }
            return services
        }
        for (identifier, service) in open { Self.end(identifier, at: service) }
    }

    private static func end(_ identifier: String, at service: URL) {
        guard let host = service.host(percentEncoded: false) else { return }
        let port = service.port ?? 80
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &addresses) == 0, let address = addresses else { return }
        defer { freeaddrinfo(addresses) }
        let descriptor = socket(
            address.pointee.ai_family, address.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var patience = patience
        // On Linux this bounds connecting too.
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else { return }
        let exchange = HTTPExchange(url: service)
        let request =
            "UNSUBSCRIBE \(exchange.path) HTTP/1.1\r\nHost: \(exchange.headers["Host"] ?? "")\r\n"
            + "SID: \(identifier)\r\nConnection: close\r\n\r\n"
        _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }
}
