import Foundation
import Testing

/// The traffic on a cable of the lab, read by `tcpdump`.
final class Wire: Sendable {
    private let dump: RunningCommand

    private init(_ dump: RunningCommand) { self.dump = dump }

    /// - Parameters:
    ///   - port: The switch's port: `va` for host a.
    ///   - filter: A pcap filter.
    static func open(port: String, _ filter: String) async throws -> Wire {
        let dump = try RunningCommand([
            LabHost.script, "switch", "tcpdump", "-n", "-l", "-A", "-s", "0", "-i", port, filter,
        ])
        try await eventually("tcpdump") { dump.errors.contains("listening on") }
        return Wire(dump)
    }

    var text: String { dump.output }

    /// Identifiers of event subscriptions (UPnP Device Architecture 2.0, 4.1) that began or were ended by the client.
    func identifiers(_ method: String) async throws -> Set<String> {
        let pattern = try Regex("SID: *(uuid:[0-9A-Za-z-]+)", as: (Substring, Substring).self).ignoresCase()
        // A message with a new identifier is an answer; the request that ends it has the same one.
        let messages = text.components(separatedBy: "\n\n").flatMap { $0.components(separatedBy: "Flags [") }
        return Set(
            messages.filter { message in
                method == "UNSUBSCRIBE"
                    ? message.contains("UNSUBSCRIBE ")
                    : message.contains("HTTP/1.1 200 OK") && !message.contains("NOTIFY ")
            }.compactMap { $0.firstMatch(of: pattern).map { String($0.1) } })
    }

    func close() async { await dump.stop() }
}
