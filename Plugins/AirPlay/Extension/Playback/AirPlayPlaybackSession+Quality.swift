import AirPlayProtocol
import MediaDevice

extension AirPlayPlaybackSession {
    /// Reports the quality until it is cancelled: within seconds after a problem, otherwise at long intervals.
    func measure() -> Task<Void, Never> {
        Task { [weak self, sender] in
            var told: StreamQuality?
            var rounds = 0
            while !Task.isCancelled {
                let quality = StreamQuality(await sender.quality.values)
                if let quality, rounds % 5 == 0 || quality.isWorse(than: told) {
                    told = quality
                    self?.onReport(.measured(quality))
                }
                rounds += 1
                guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
            }
        }
    }
}

extension RealtimeQuality {
    init(_ quality: StreamQuality) {
        self.init(
            packetsSent: quality.packetsSent, packetsLate: quality.packetsLate, packetsLost: quality.packetsLost,
            packetsResent: quality.packetsResent, stalls: quality.stalls, latency: quality.latency)
    }
}
