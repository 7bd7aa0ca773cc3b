import CastStreaming
import GoogleCastProtocol
import JSONValues

/// The apps for live sound and pictures.
extension ReceiverMachine {
    mutating func streaming(_ type: String, _ json: JSON, _ link: Link) -> [Effect] {
        guard type == "OFFER" else { return [] }
        guard settings.failure != .stream, let offer = StreamOffer(json), !receivers(of: offer).isEmpty else {
            let number = json["seqNum"]?.integer ?? 0
            return [answer(.refused(reason: "no stream that is supported"), to: number, link)]
        }
        return [.openStream(offer, link)]
    }

    /// Answers an offer.
    ///
    /// - Parameter port: The UDP port; `nil` if there is none.
    func opened(_ offer: StreamOffer, port: UInt16?, for link: Link) -> [Effect] {
        guard link.destination == app?.transport else { return [] }
        let result: StreamAnswer =
            port.map { .accepted(port: $0, receivers: receivers(of: offer)) } ?? .refused(reason: "no socket")
        return [answer(result, to: offer.number, link)]
    }

    /// The numbers of the streams that the device receives, by their position in the offer.
    func receivers(of offer: StreamOffer) -> [Int: UInt32] {
        let streams = [offer.sound, settings.hasScreen ? offer.pictures : nil].compactMap(\.self)
        return Dictionary(streams.map { ($0.index, $0.source &+ 1) }) { first, _ in first }
    }

    private func answer(_ answer: StreamAnswer, to number: Int, _ link: Link) -> Effect {
        let fields = answer.fields(to: number).merging(["type": "ANSWER"]) { $1 }
        return send(.object(fields), CastNames.streaming, to: link)
    }

    /// The sender is silent for too long.
    mutating func streamEnded(now: Double) -> [Effect] {
        guard let app, CastNames.soundReceivers.contains(app.identifier) else { return [] }
        return stopApp(now) + linked(to: CastNames.platform).map { receiverStatus(to: $0, 0) }
    }
}
