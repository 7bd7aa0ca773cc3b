import HostInterface
import MulticastDNS
import Reachability
import SSDP

/// One try of a target: a connection and, if in doubt, a query for its announcement.
///
/// A busy device may refuse or delay a connection and still answer the query.
struct LivenessTry: Sendable {
    let target: ProbeTarget
    /// The target's announcement, if any.
    let announced: (request: BrowseRequest, item: BrowseItem)?
    let isDoubt: Bool
    let limit: Duration
    /// Comes back in an answer.
    let identifier: UInt16

    func perform(by prober: any EndpointProbing) async -> LivenessSchedule<ProbeTarget>.Answer {
        guard isDoubt else { return await connect(prober) }
        return await withTaskGroup { group in
            group.addTask { await connect(prober) }
            if let question = question { group.addTask { await ask(question, prober) } }
            var answers: [LivenessSchedule<ProbeTarget>.Answer] = []
            for await answer in group {
                if answer == .answered { return .answered }
                answers.append(answer)
            }
            return answers.contains(.refused) ? .refused : answers.contains(.impossible) ? .impossible : .silent
        }
    }

    private func connect(_ prober: any EndpointProbing) async -> LivenessSchedule<ProbeTarget>.Answer {
        let request = Self.connection(to: target, within: limit)
        return Self.meaning(of: await prober.ask(request.endpoints, request.question, within: limit), for: target)
    }

    /// A try of a target that there is no doubt about.
    static func connection(to target: ProbeTarget, within limit: Duration) -> ProbeRequest {
        let endpoints = target.places.compactMap { NumericEndpoint(address: $0.address, port: $0.port) }
        return ProbeRequest(endpoints: endpoints, question: .connection, limit: limit)
    }

    /// Returns the meaning of the answer to a connection.
    static func meaning(of answer: ProbeAnswer, for target: ProbeTarget) -> LivenessSchedule<ProbeTarget>.Answer {
        switch answer {
        case .answered: .answered
        case .refused: target.takesDatagrams ? .answered : .refused
        case .silent: .silent
        case .impossible: .impossible
        }
    }

    private func ask(
        _ question: (port: Int, ProbeQuestion), _ prober: any EndpointProbing
    ) async -> LivenessSchedule<ProbeTarget>.Answer {
        let endpoints = Set(target.places.map(\.address)).sorted().compactMap {
            NumericEndpoint(address: $0, port: question.port)
        }
        if case .answered = await prober.ask(endpoints, question.1, within: limit) { return .answered }
        // A missing answer proves nothing: few devices support this question.
        return .silent
    }

    /// The query for the announcement; `nil` without one.
    private var question: (port: Int, ProbeQuestion)? {
        guard let (request, item) = announced else { return nil }
        switch request.kind {
        case .bonjour:
            guard let name = DNSName(instance: item.name, type: item.type, domain: item.domain) else { return nil }
            let identifier = identifier
            let query = DNSMessage.query(name, .service, identifier: identifier)
            return (
                DNSMessage.port,
                .datagram(query) { bytes in
                    DNSMessage.records(bytes, answering: identifier)?.contains { record in
                        guard case .service = record.content else { return false }
                        return record.name == name
                    } ?? false
                }
            )
        case .ssdp:
            guard let target = try? SSDPTarget(request.type) else { return nil }
            let name = item.name.lowercased()
            let isIPv6 = self.target.places.allSatisfy { $0.address.contains(":") }
            let search = SSDPSearch(target: target).unicastDatagram(isIPv6: isIPv6)
            return (
                SSDPSearch.port,
                .datagram(search) { bytes in
                    guard let message = try? SSDPMessage(parsing: bytes), message.kind == .response else {
                        return false
                    }
                    return message.headers["USN"]?.lowercased() == name
                }
            )
        }
    }
}
