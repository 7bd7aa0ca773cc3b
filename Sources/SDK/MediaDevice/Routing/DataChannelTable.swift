import DBus
import DataChannels
import ExtensionProgram
import Foundation
import HostInterface
import LinkProtocol

/// The data channels that apps have opened to this process.
@MainActor
package final class DataChannelTable {
    /// Bounds the threads and descriptors that clients of the host can take.
    private static let most = 32

    private struct Entry {
        let session: String
        /// `true` for the channel to the extension itself, `false` for that to the session's remote application.
        let isOfRoute: Bool
        let channel: ServedDataChannel
    }

    private var entries: [Entry] = []
    /// Passes on a message, with what answers it; `nil` without a link to the host.
    var deliver: (@Sendable (ExtensionCall, _ answer: @escaping @Sendable (HostError?) -> Void) -> Void)?

    private static func isOfRoute(_ application: String) -> Bool { application == HostNames.extensionApplication }

    /// Begins to serve a channel.
    ///
    /// - Throws: ``HostError`` `limit-exceeded` if there are too many, `not-supported` without a link to the host.
    func open(_ socket: DBusDescriptor, application: String, session: String) throws(HostError) {
        guard let deliver else { throw HostError(.notSupported, "Data channels need a host in another process.") }
        guard entries.count < Self.most else {
            throw HostError(.limitExceeded, "The extension already has \(Self.most) data channels.")
        }
        let channel = ServedDataChannel(socket)
        try channel.start { [weak channel] data in
            guard let channel else { return }
            deliver(.sendData(data, application: application, session: session)) { channel.answer($0, to: data.count) }
        } ended: { [weak self, weak channel] in
            Task { @MainActor in self?.entries.removeAll { $0.channel === channel } }
        }
        entries.append(Entry(session: session, isOfRoute: Self.isOfRoute(application), channel: channel))
    }

    /// Sends a message to the apps that have opened the channel.
    ///
    /// - Returns: `false` if there is none, so that the message has to take another way.
    func send(_ data: Data, fromApplication application: String, session: String) -> Bool {
        let isOfRoute = Self.isOfRoute(application)
        let channels = entries.filter { $0.session == session && $0.isOfRoute == isOfRoute }.map(\.channel)
        guard data.count <= DataFrame.longestFromExtension else {
            // The host would discard it as well.
            ExtensionLog.write("data of \(data.count) bytes was discarded: at most 1 MiB may be sent")
            return true
        }
        // An app may have gone without a word.
        return channels.reduce(false) { isSent, channel in channel.send(data) || isSent }
    }

    /// Closes the channels of a session to its remote application.
    func close(_ session: String) { close { $0.session == session && !$0.isOfRoute } }

    /// Closes the channels of a session, and that to the extension itself.
    func closeAll(_ session: String) { close { $0.session == session } }

    private func close(_ isMeant: (Entry) -> Bool) {
        for entry in entries where isMeant(entry) { entry.channel.close() }
        entries.removeAll(where: isMeant)
    }
}
