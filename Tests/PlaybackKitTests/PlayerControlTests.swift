import Foundation
import MediaDevice
import Observation
import Synchronization
import Testing

@testable import PlaybackKit

@MainActor
struct PlayerControlTests {
    /// The requests of the control.
    private final class Wishes {
        var all: [PlayerWish] = []
    }

    private let control: PlayerControl
    private let wishes = Wishes()
    private let first = PlaybackSnapshot(isPlaying: true, position: 10, time: 100, duration: 60)

    init() {
        control = PlayerControl(nil) { [wishes] in wishes.all.append($0) }
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
            _ = (control.isPlaying, control.isReady, control.metadata, control.currentSegment, control.state)
        } onChange: {
            isRenewed.withLock { $0 = true }
        }
        update()
        return isRenewed.withLock { $0 }
    }

    // MARK: Scanning

    private func update(_ change: (inout PlaybackSnapshot) -> Void) {
        var snapshot = first
        change(&snapshot)
        control.update(snapshot)
    }

    private func isRefused(_ write: () -> Void) -> Bool {
        let (count, speed, state) = (wishes.all.count, control.scanSpeed, control.state)
        write()
        return wishes.all.count == count && control.scanSpeed == speed && control.state == state
    }

    @Test func aDeviceThatCannotScanIsNotOffered() {
        #expect(control.supportedSeekCapabilities == .seek && control.state == .normal && control.scanSpeed == 0)
        #expect(isRefused { control.scanSpeed = 8 })
        #expect(isRefused { control.state = .scanning })
        #expect(wishes.all.isEmpty)
    }

    @Test func aScanIsAskedForAtTheNearestSpeedOfItsDirection() {
        update { $0.scanSpeeds = [-4, -2, 2, 4, 16] }
        #expect(control.supportedSeekCapabilities == [.seek, .scanForward, .scanBackward])
        #expect(control.scanSpeed == 4, "the nearest to 8 times")
        control.scanSpeed = -30
        #expect(wishes.all.isEmpty && control.scanSpeed == -4)
        control.state = .scanning
        #expect(wishes.all == [.scan(-4)] && control.state == .scanning)
        update {
            $0.scanSpeeds = [-4, -2, 2, 4, 16]
            $0.scanSpeed = -4
        }
        control.settle([.scan])
        #expect(control.state == .scanning && control.scanSpeed == -4)
        control.scanSpeed = 15
        control.state = .normal
        #expect(wishes.all == [.scan(-4), .scan(16), .scan(0)] && control.state == .normal)
    }

    @Test func oneDirectionIsOfferedAlone() {
        update { $0.scanSpeeds = [2, 4] }
        #expect(control.supportedSeekCapabilities == [.seek, .scanForward])
        #expect(isRefused { control.scanSpeed = -2 } && control.scanSpeed == 4)
        #expect(isRefused { control.scanSpeed = .nan })
    }

    @Test func movingASliderEndsAScan() {
        update { $0.scanSpeeds = [2] }
        control.state = .scanning
        control.state = .scrubbing
        #expect(control.state == .scrubbing && wishes.all == [.scan(2), .scan(0)])
        control.state = .normal
        #expect(control.state == .normal && wishes.all.count == 2)
        update { $0.canSeek = false }
        #expect(isRefused { control.state = .scrubbing })
    }

    // MARK: Parts and descriptions

    private func part(_ start: Double, _ length: Double, _ id: String) -> AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: CMTimeRange(
                start: CMTime(seconds: start, preferredTimescale: 1000),
                duration: CMTime(seconds: length, preferredTimescale: 1000)),
            segmentType: .primary, marked: false, requiresLinearPlayback: false, identifier: id)
    }

    @Test func theCurrentPartFollowsThePosition() {
        #expect(control.segments == [control.currentSegment] && control.currentSegment.timeRange.duration.seconds == 60)
        let parts = [part(0, 20, "one"), part(20, 40, "two")]
        update { $0.segments = parts }
        #expect(control.segments == parts && control.currentSegment == parts[0])
        let isTold = renews {
            update {
                $0.segments = parts
                $0.position = 21
                $0.time = 111
            }
        }
        #expect(isTold && control.currentSegment == parts[1])
    }

    @Test func anAudioDescriptionIsChosen() {
        update { $0.audioDescriptions = PlaybackOptions([.init(id: "d", name: "Description", language: "en")]) }
        #expect(control.currentAudioDescriptionOption == nil)
        control.currentAudioDescriptionOption = control.audioDescriptionOptions.first
        #expect(wishes.all == [.selectAudioDescription("d")])
        #expect(control.currentAudioDescriptionOption?.identifier == "d")
        control.settle([.audioDescription])
        #expect(control.currentAudioDescriptionOption == nil, "the device chose otherwise")
    }
}
