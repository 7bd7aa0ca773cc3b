import Foundation
import MediaDevice
import PlaybackKit
import ReferenceProtocol

/// Playback on several receivers with one timeline.
extension ReferencePlayer {
    typealias Timeline = SharedTimeline<MediaOutputDevice.ID>

    /// The time between two comparisons of the receivers' clocks.
    private static var interval: Duration { .seconds(4) }

    /// The current position in seconds.
    var position: Double {
        timeline?.place(at: HostTime.now).position
            ?? control?.playbackPosition.position(at: CMClockGetTime(.hostTimeClock)).seconds ?? 0
    }

    /// Compares all clocks at once and then at intervals.
    func keepTogether() {
        tasks.append(
            Task { [weak self, clock] in
                while !Task.isCancelled {
                    for device in self?.members ?? [] { self?.compareClock(of: device) }
                    guard (try? await clock.sleep(for: Self.interval)) != nil else { return }
                }
            })
    }

    func compareClock(of device: ReferenceDevice) {
        Task { [weak self] in
            let exchanges = await device.readClock()
            self?.order { $0.measured(device.id, exchanges, now: HostTime.now) }
        }
    }

    /// Starts a timeline when others join a receiver that plays alone. Its report and its clock determine the timeline.
    func joinFirst() {
        guard timeline == nil, !isJoining, members.count > 1, let first = members.first else { return }
        isJoining = true
        tasks.append(
            Task { [weak self] in
                let exchanges = await first.readClock()
                self?.join(first, exchanges)
            })
    }

    private func join(_ first: ReferenceDevice, _ exchanges: [ClockEstimate.Exchange]) {
        isJoining = false
        // If the timeline doesn't exist yet, the receiver's next message leads here again.
        guard timeline == nil, members.count > 1, members.first === first, first.isSettled, !exchanges.isEmpty,
            let state = first.playback, state.id == id, !state.isBuffering, !state.isHeld,
            // A pending start has no place on the timeline yet; the receiver reports when it begins.
            state.rate != 0 || !state.isPlaying
        else { return }
        var clock = ClockEstimate()
        for exchange in exchanges { clock.add(exchange) }
        timeline = SharedTimeline(joining: state, of: first.id, clock: clock, now: HostTime.now)
        for device in members.dropFirst() {
            timeline?.add(device.id)
            if device.playback?.id == id, device.playback?.isBuffering == false {
                order { $0.opened(device.id, now: HostTime.now) }
            }
        }
        keepTogether()
    }

    /// Changes the timeline and sends the resulting commands.
    func order(_ change: (inout Timeline) -> [Timeline.Order]) {
        guard var changed = timeline else { return }
        let orders = change(&changed)
        timeline = changed
        for order in orders { members.first { $0.id == order.member }?.send(order.command) }
        guard changed.hasBegun else { return }
        if let state = members.compactMap(\.playback).first(where: { $0.id == self.id && !$0.isBuffering }) {
            if phase == .beginning { tellStarted(state) } else if !orders.isEmpty { show(state) }
        }
        // A single receiver needs no clock exchange.
        if members.count < 2 { endTogether() }
    }

    func endTogether() {
        for task in tasks { task.cancel() }
        tasks = []
        timeline = nil
        isJoining = false
    }

    /// Shows the state of playback; for several receivers with the position of their timeline.
    func show(_ state: ReferencePlayback) { control?.update(PlaybackSnapshot(shown(state))) }

    private func shown(_ state: ReferencePlayback) -> ReferencePlayback {
        guard let timeline, timeline.hasBegun else { return state }
        var state = state
        (state.position, state.rate) = timeline.place(at: HostTime.now)
        state.isPlaying = timeline.isPlaying
        state.speed = timeline.speed
        state.scanSpeed = timeline.scanSpeed
        return state
    }

    /// The level of the loudest receiver.
    var level: PlayerLevel {
        let hasVolume = members.contains { $0.device.volumeControl == .absolute }
        return PlayerLevel(
            volume: hasVolume ? Double(members.map(\.volume).max() ?? 0) : nil,
            isMuted: members.contains(where: \.device.canMute) ? members.allSatisfy(\.isMuted) : nil)
    }

    func tellStarted(_ state: ReferencePlayback) {
        guard phase == .beginning else { return }
        phase = .playing
        let control = PlayerControl(media.information, level: level) { [weak self] in self?.perform($0) }
        control.update(PlaybackSnapshot(shown(state)))
        self.control = control
        host.started(application: application, playbackControl: control, session: session)
    }

    // MARK: Requests

    private func perform(_ wish: PlayerWish) {
        let now = HostTime.now
        switch wish {
        case .setPlaying(true) where timeline != nil: order { $0.resume(now: now) }
        case .setPlaying(false) where timeline != nil: order { $0.pause(now: now) }
        case .seek(let position) where timeline != nil: order { $0.seek(to: position, now: now) }
        case .setSpeed(let speed) where timeline != nil: order { $0.setSpeed(speed, now: now) }
        case .scan(let speed) where timeline != nil: order { $0.scan(speed, now: now) }
        case .setVolume(let level):
            let loudest = Double(members.map(\.volume).max() ?? 0)
            for device in members {
                device.setVolume(Float(loudest > 0 ? level * Double(device.volume) / loudest : level))
            }
        case .setMuted(let isMuted): for device in members { device.setMuted(isMuted) }
        default: for device in members { device.send(ReferenceCommand(wish)) }
        }
    }
}
