import Foundation
import Observation
import Synchronization
import Testing

@testable import PlaybackKit

@MainActor
struct PlayerControlTests {
    private let control: PlayerControl
    private let first = PlaybackSnapshot(isPlaying: true, position: 10, time: 100, duration: 60)

    init() throws {
        let media = PlayableMedia(url: try #require(URL(string: "http://127.0.0.1/tone.mp3")))
        control = PlayerControl(media, level: nil) { _ in }
        control.update(first)
    }

    /// Devices report the position each second; whoever shows the rest isn't woken by it.
    @Test func aLaterPositionRenewsNothingElse() {
        var later = first
        later.position = 11
        later.time = 101
        #expect(!renews { control.update(later) })
        later.isPlaying = false
        #expect(renews { control.update(later) })
        #expect(!control.isPlaying)
    }

    private func renews(_ update: () -> Void) -> Bool {
        let isRenewed = Mutex(false)
        withObservationTracking {
            _ = (control.isPlaying, control.isReady, control.metadata)
        } onChange: {
            isRenewed.withLock { $0 = true }
        }
        update()
        return isRenewed.withLock { $0 }
    }
}
