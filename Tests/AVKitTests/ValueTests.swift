import AVKit
import Testing

@Suite struct ValueTests {
    static let range = CMTimeRange(start: .zero, duration: CMTime(value: 90, timescale: 1))
    static let segment = AVPlaybackUserInterfaceTimelineSegment(
        timeRange: range, segmentType: .intro, marked: true, requiresLinearPlayback: true, identifier: "one")
    static let position = AVPlaybackUserInterfacePlaybackPosition(
        position: CMTime(value: 10, timescale: 1), hostTime: CMTime(value: 1_000, timescale: 10), rate: 1.5)
    static let option = AVPlaybackUserInterfaceMediaSelectionOption(
        displayName: "English", identifier: "en", language: Locale.Language(identifier: "en-GB"),
        mediaCharacteristics: [.audible, .isOriginalContent])

    @Test func rawValuesAreThePublishedOnes() {
        #expect(AVPlaybackUserInterfacePlaybackState(rawValue: 1) == .scanning)
        #expect(AVPlaybackUserInterfacePlaybackState(rawValue: 2) == .scrubbing)
        #expect(AVPlaybackUserInterfacePlaybackState(rawValue: 3) == nil)
        #expect(AVPlaybackUserInterfaceSeekCapabilities([.scanForward, .scanBackward, .seek]).rawValue == 7)
        let types = (0...7).map { AVPlaybackUserInterfaceTimelineSegmentType(rawValue: $0) }
        #expect(types == [.primary, .advertisement, .bonus, .credits, .intro, .recap, .trailer, .other])
    }

    @Test func segmentsAreEqualByValue() {
        let same = AVPlaybackUserInterfaceTimelineSegment(
            timeRange: Self.range, segmentType: .intro, marked: true, requiresLinearPlayback: true, identifier: "one")
        #expect(same == Self.segment && same.hash == Self.segment.hash && Set([same, Self.segment]).count == 1)
        let others = [
            AVPlaybackUserInterfaceTimelineSegment(
                timeRange: Self.range, segmentType: .recap, marked: true, requiresLinearPlayback: true,
                identifier: "one"),
            AVPlaybackUserInterfaceTimelineSegment(
                timeRange: Self.range, segmentType: .intro, marked: true, requiresLinearPlayback: true,
                identifier: nil),
        ]
        for other in others { #expect(other != Self.segment) }
        #expect(Self.segment != (NSString("one") as NSObject))
        #expect(Self.segment.copy() as? AVPlaybackUserInterfaceTimelineSegment === Self.segment)
    }

    @Test func positionsCountOn() {
        let position = Self.position
        #expect(position.position(at: CMTime(value: 102, timescale: 1)).seconds == 13)
        #expect(position.position(at: CMTime(value: 1, timescale: 1)) == position.position)
        #expect(position.position(at: .invalid) == position.position)
        let paused = AVPlaybackUserInterfacePlaybackPosition(
            position: position.position, hostTime: position.hostTime, rate: 0)
        #expect(paused.position(at: .positiveInfinity) == position.position && paused != position)
        let odd = AVPlaybackUserInterfacePlaybackPosition(position: .indefinite, hostTime: .zero, rate: .nan)
        #expect(odd.position(at: CMTime(value: 5, timescale: 1)).isIndefinite)
    }

    @Test func optionsAreEqualByValue() {
        let same = AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: "English", identifier: "en", language: Locale.Language(identifier: "en-GB"),
            mediaCharacteristics: [.audible, .isOriginalContent])
        #expect(same == Self.option && same.hash == Self.option.hash && same.extendedLanguageTag == "en-GB")
        #expect(Self.option != AVPlaybackUserInterfaceMediaSelectionOption(displayName: "English", identifier: "en"))
    }

    @Test(arguments: [("en", "en"), ("en-GB", "en-GB"), ("zh-Hant-TW", "zh-TW"), ("sr-Latn", "sr-Latn"), ("", nil)])
    func languagesHaveAShortTag(identifier: String, tag: String?) {
        let option = AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: "x", identifier: "x", language: Locale.Language(identifier: identifier))
        #expect(option.extendedLanguageTag == tag)
    }

    @Test func artworkIsEqualByValue() throws {
        let url = try #require(URL(string: "file:///cover.jpg"))
        let size = CGSize(width: 640, height: 480)
        let artwork = AVPlaybackUserInterfaceContentArtwork.artwork(url: url, contentType: .jpeg, size: size)
        #expect(artwork.url == url && artwork.contentType == .jpeg && artwork.size == size)
        let same = AVPlaybackUserInterfaceContentURLArtwork.artwork(url: url, contentType: .jpeg, size: size)
        #expect(artwork == same && artwork.hash == same.hash)
        #expect(artwork != AVPlaybackUserInterfaceContentArtwork.artwork(url: url, contentType: .png, size: size))
        #expect(artwork != AVPlaybackUserInterfaceContentArtwork.artwork(url: url, contentType: .jpeg, size: .zero))

        let metadata = AVPlaybackUserInterfaceContentMetadata(title: "Song", artworkRepresentations: [artwork])
        var other = AVPlaybackUserInterfaceContentMetadata(title: "Song", artworkRepresentations: [same])
        #expect(metadata == other && metadata.hashValue == other.hashValue)
        other.videoProperties = .init(presentationSize: size)
        #expect(metadata != other)
    }

    @Test func archivesReadBack() throws {
        func roundTrip<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
        }
        #expect(try roundTrip(Self.segment) == Self.segment)
        #expect(try roundTrip(Self.position) == Self.position)
        #expect(try roundTrip(Self.option) == Self.option)
    }

    @Test func anArchiveWithoutTheValuesGivesNothing() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode("text" as NSString, forKey: "displayName")
        archiver.encode("text" as NSString, forKey: "position")
        archiver.finishEncoding()
        func coder() throws -> NSKeyedUnarchiver { try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData) }
        #expect(AVPlaybackUserInterfaceTimelineSegment(coder: try coder()) == nil)
        #expect(AVPlaybackUserInterfacePlaybackPosition(coder: try coder()) == nil)
        #expect(AVPlaybackUserInterfaceMediaSelectionOption(coder: try coder()) == nil)
    }

    @Test func theEarlierValuesBecomeTheLaterOnes() throws {
        let segment = AVInterfaceTimelineSegment(
            timeRange: Self.range, isAuxiliaryContent: true, marked: true, requiresLinearPlayback: false,
            identifier: "ad")
        #expect(segment.canonical.segmentType == .other && segment.canonical.isMarked)
        #expect(segment != AVInterfaceTimelineSegment(timeRange: Self.range, marked: true, identifier: "ad"))
        let option = AVInterfaceMediaSelectionOptionSource(
            displayName: "Deutsch", identifier: "de", extendedLanguageTag: "de-AT")
        #expect(option.canonical.extendedLanguageTag == "de-AT" && option.canonical.mediaCharacteristics.isEmpty)
        #expect(
            AVInterfaceMetadata(isAudioOnly: true, title: "x") == AVInterfaceMetadata(mediaMode: .audioOnly, title: "x")
        )
        #expect(AVInterfaceMetadata(isAudioOnly: true).canonical.videoProperties == nil)
        let size = CGSize(width: 1, height: 2)
        let video = AVInterfaceMetadata(mediaMode: .video(presentationSize: size), subtitle: "y")
        #expect(video.presentationSize == size && !video.isAudioOnly)
        #expect(video.canonical == .init(videoProperties: .init(presentationSize: size), subtitle: "y"))
    }
}
