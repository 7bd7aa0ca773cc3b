import CastStreaming
import GoogleCastProtocol
import JSONValues

/// The apps for live sound.
extension ReceiverMachine {
    mutating func streaming(_ type: String, _ json: JSON, _ link: Link) -> [Effect] {
        guard type == "OFFER" else { return [] }
        guard settings.failure != .stream, let offer = StreamOffer(json) else {
            let number = json["seqNum"]?.integer ?? 0
            return [answer(.refused(reason: "no stream that is supported"), to: number, index: 0, link)]
        }
        return [.openStream(offer, link)]
    }

    /// Answers an offer.
    ///
    /// - Parameter port: The UDP port; `nil` if there is none.
    func opened(_ offer: StreamOffer, port: UInt16?, for link: Link) -> [Effect] {
        guard link.destination == app?.transport else { return [] }
        let result: StreamAnswer =
            port.map { .accepted(port: $0, receiver: Self.receiver(of: offer)) } ?? .refused(reason: "no socket")
        return [answer(result, to: offer.number, index: offer.index, link)]
    }

    static func receiver(of offer: StreamOffer) -> UInt32 { offer.source &+ 1 }

    private func answer(_ answer: StreamAnswer, to number: Int, index: Int, _ link: Link) -> Effect {
        let fields = answer.fields(to: number, index: index).merging(["type": "ANSWER"]) { $1 }
        return send(.object(fields), CastNames.streaming, to: link)
    }

    /// The sender is silent for too long.
    mutating func streamEnded(now: Double) -> [Effect] {
        guard let app, CastNames.streamReceivers.contains(app.identifier) else { return [] }
        return stopApp(now) + linked(to: CastNames.platform).map { receiverStatus(to: $0, 0) }
    }
}
