import CoreMedia

// Conversions for names that have another type in the earlier spelling. All other members have one witness for both
// spellings.

extension AVInterfaceTimeControllable where Self: AVPlaybackUserInterfaceTimeControllable {
    @_disfavoredOverload package var segments: [AVInterfaceTimelineSegment] {
        (self as any AVPlaybackUserInterfaceTimeControllable).segments.map(AVInterfaceTimelineSegment.init)
    }

    @_disfavoredOverload package var currentSegment: AVInterfaceTimelineSegment {
        AVInterfaceTimelineSegment((self as any AVPlaybackUserInterfaceTimeControllable).currentSegment)
    }
}

extension AVInterfaceMediaSelectionControllable where Self: AVPlaybackUserInterfaceMediaSelectionControllable {
    private var later: any AVPlaybackUserInterfaceMediaSelectionControllable { self }

    @_disfavoredOverload package var audioOptions: [AVInterfaceMediaSelectionOptionSource] {
        later.audioOptions.map(AVInterfaceMediaSelectionOptionSource.init)
    }

    @_disfavoredOverload package var legibleOptions: [AVInterfaceMediaSelectionOptionSource] {
        later.legibleOptions.map(AVInterfaceMediaSelectionOptionSource.init)
    }

    @_disfavoredOverload package var currentAudioOption: AVInterfaceMediaSelectionOptionSource? {
        get { later.currentAudioOption.map(AVInterfaceMediaSelectionOptionSource.init) }
        set { later.currentAudioOption = newValue?.canonical }
    }

    @_disfavoredOverload package var currentLegibleOption: AVInterfaceMediaSelectionOptionSource? {
        get { later.currentLegibleOption.map(AVInterfaceMediaSelectionOptionSource.init) }
        set { later.currentLegibleOption = newValue?.canonical }
    }
}

extension AVInterfaceMetadataProviding where Self: AVPlaybackUserInterfaceMetadataProviding {
    @_disfavoredOverload package var metadata: AVInterfaceMetadata {
        let later = (self as any AVPlaybackUserInterfaceMetadataProviding).metadata
        let size = later.videoProperties?.presentationSize
        return AVInterfaceMetadata(
            mediaMode: size.map { .video(presentationSize: $0) } ?? .audioOnly, title: later.title,
            subtitle: later.subtitle, albumArtworkRepresentations: later.artworkRepresentations)
    }
}

extension AVInterfaceTimelineSegment {
    /// Creates the earlier form, in which every kind except the primary content is auxiliary.
    fileprivate convenience init(_ segment: AVPlaybackUserInterfaceTimelineSegment) {
        self.init(
            timeRange: segment.timeRange, isAuxiliaryContent: segment.segmentType != .primary, marked: segment.isMarked,
            requiresLinearPlayback: segment.requiresLinearPlayback, identifier: segment.identifier)
    }
}

extension AVInterfaceMediaSelectionOptionSource {
    fileprivate convenience init(_ option: AVPlaybackUserInterfaceMediaSelectionOption) {
        self.init(
            displayName: option.displayName, identifier: option.identifier,
            extendedLanguageTag: option.extendedLanguageTag)
    }
}
