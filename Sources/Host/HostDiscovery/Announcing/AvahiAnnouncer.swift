import Avahi
import HostCore
package import HostInterface

/// Announces through avahi-daemon, each service by a connection of its own.
package struct AvahiAnnouncer: AnnouncementPort {
    package init() {}

    package func announce(_ request: AnnounceRequest) async -> AsyncStream<AnnounceEvent> {
        let (events, feed) = AsyncStream.makeStream(of: AnnounceEvent.self)
        let publisher: AvahiPublisher
        do throws(AvahiError) {
            publisher = try AvahiPublisher(
                AvahiPublisher.Service(
                    name: request.name, type: request.type, port: UInt16(clamping: request.port),
                    txt: request.txt.mapValues { Array($0) }, interface: request.interface))
        } catch {
            feed.yield(.failed(.invalid, "\(request.type) cannot be announced: \(error.message)."))
            feed.finish()
            return events
        }
        let following = Task {
            for await state in publisher.states { feed.yield(AnnounceEvent(state)) }
            feed.finish()
        }
        feed.onTermination = { _ in
            following.cancel()
            Task { await publisher.close() }
        }
        await publisher.start()
        return events
    }
}

extension AnnounceEvent {
    fileprivate init(_ state: AvahiPublisher.State) {
        self =
            switch state {
            case .published(let name): .published(name)
            case .waiting(let error): .waiting("The service is not announced: \(error.message).")
            case .failed(let error): .failed(.invalid, "The service cannot be announced: \(error.message).")
            }
    }
}
