import DBus
import Foundation
import HostClient
import HostInterface

/// An event of the connection to the daemon that concerns data channels.
enum InboundData: Sendable {
    /// A message from an extension to which the app has no connection.
    case signal(DBusSignal)
    /// A connection that begins to receive, after the messages before it.
    case opened(DataChannelConnection)
}

/// The data of routes and sessions.
extension RoutingService {
    func send(_ data: Data, to channel: AVSystemRoute.DataChannel) async throws {
        do {
            let connection =
                if let open = channel.connection { open } else {
                    try await channel.opening.value { try await self.open(channel) }
                }
            try await connection.send(data)
        } catch {
            throw Self.routingError(error)
        }
    }

    private func open(_ channel: AVSystemRoute.DataChannel) async throws -> DataChannelConnection {
        let values = try await connected().call(channel.path, interface: channel.interface, "OpenDataChannel")
        guard case .fileDescriptor(let end)? = values.first else {
            throw HostError(.internalFailure, "The daemon opened no data channel.")
        }
        let connection = DataChannelConnection(end) { [weak channel] in channel?.deliver($0, done: $1) }
        channel.connection = connection
        if case .enqueued? = inbox?.yield(.opened(connection)) { return connection }
        connection.start()
        return connection
    }

    func receive(_ data: InboundData) {
        switch data {
        case .opened(let connection): connection.start()
        case .signal(let signal):
            guard let bytes = signal.arguments.first?.asBytes else { return }
            let channel = channels[signal.path] ?? routes[signal.path]?.routeDataChannel
            channel?.deliver(Data(bytes))
        }
    }
}
