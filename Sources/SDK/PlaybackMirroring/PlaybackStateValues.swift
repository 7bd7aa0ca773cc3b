import AVKit
import CoreMedia
import Foundation
import HostInterface
import TypeIdentifiers

// The values inside a `PlaybackState`, to and from their AVKit counterparts.

extension PlaybackState.Mode {
    init(_ state: AVPlaybackUserInterfacePlaybackState) {
        switch state {
        case .normal: self = .normal
        case .scanning: self = .scanning
        case .scrubbing: self = .scrubbing
        }
    }

    var mirrored: AVPlaybackUserInterfacePlaybackState {
        switch self {
        case .normal: .normal
        case .scanning: .scanning
        case .scrubbing: .scrubbing
        }
    }
}

extension PlaybackState.Segment {
    init(_ segment: AVPlaybackUserInterfaceTimelineSegment) {
        self.init(
            timeRange: PlaybackState.TimeRange(segment.timeRange), type: segment.segmentType.rawValue,
            isMarked: segment.isMarked, requiresLinearPlayback: segment.requiresLinearPlayback,
            identifier: segment.identifier)
    }

    /// The segment as a class. An unknown type, from a newer peer, becomes `other`.
    var mirrored: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: timeRange.mirrored,
            segmentType: AVPlaybackUserInterfaceTimelineSegmentType(rawValue: type) ?? .other, marked: isMarked,
            requiresLinearPlayback: requiresLinearPlayback, identifier: identifier)
    }
}

extension PlaybackState.Option {
    init(_ option: AVPlaybackUserInterfaceMediaSelectionOption) {
        self.init(
            name: option.displayName, identifier: option.identifier,
            // Minimal: the full one names the likely script too, which no author wrote (`en-Latn-GB`).
            language: option.language?.minimalIdentifier, characteristics: option.mediaCharacteristics.map(\.rawValue))
    }

    var mirrored: AVPlaybackUserInterfaceMediaSelectionOption {
        AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: name, identifier: identifier, language: language.map { Locale.Language(identifier: $0) },
            mediaCharacteristics: characteristics.map { AVMediaCharacteristic(rawValue: $0) })
    }
}

extension PlaybackState.Artwork {
    /// Creates artwork that can cross the link; `nil` for artwork without a URL.
    init?(_ artwork: AVPlaybackUserInterfaceContentArtwork) {
        guard let artwork = artwork as? AVPlaybackUserInterfaceContentURLArtwork else { return nil }
        self.init(
            url: artwork.url.absoluteString, contentType: artwork.contentType.identifier,
            width: Double(artwork.size.width), height: Double(artwork.size.height))
    }

    /// The artwork as a class; `nil` if ``url`` is invalid.
    var mirrored: AVPlaybackUserInterfaceContentArtwork? {
        guard let address = URL(string: url) else { return nil }
        return AVPlaybackUserInterfaceContentArtwork.artwork(
            url: address, contentType: UTType(contentType) ?? .image, size: CGSize(width: width, height: height))
    }
}

extension PlaybackState {
    func hasSameMetadata(as other: PlaybackState) -> Bool {
        title == other.title && subtitle == other.subtitle && artwork == other.artwork
            && presentationWidth == other.presentationWidth && presentationHeight == other.presentationHeight
    }

    var mirroredMetadata: AVPlaybackUserInterfaceContentMetadata {
        var video: AVPlaybackUserInterfaceContentMetadata.VideoProperties?
        if let presentationWidth, let presentationHeight {
            video = .init(presentationSize: CGSize(width: presentationWidth, height: presentationHeight))
        }
        return AVPlaybackUserInterfaceContentMetadata(
            videoProperties: video, title: title, subtitle: subtitle,
            artworkRepresentations: artwork.compactMap(\.mirrored))
    }

    /// The current segment; if the state has none, a primary segment that covers ``timeRange``.
    var mirroredCurrentSegment: AVPlaybackUserInterfaceTimelineSegment {
        let whole = Segment(
            timeRange: timeRange, type: AVPlaybackUserInterfaceTimelineSegmentType.primary.rawValue, isMarked: false,
            requiresLinearPlayback: false, identifier: nil)
        return (currentSegment ?? whole).mirrored
    }
}
