import Foundation
import HostInterface

extension MediaCommand {
    /// The media that repeats.
    public enum RepeatMode: CaseIterable, Equatable, Hashable, Sendable {
        /// Nothing.
        case off
        /// The current item.
        case one
        /// The whole collection.
        case all
    }

    /// The media that plays in random order.
    public enum ShuffleMode: CaseIterable, Equatable, Hashable, Sendable {
        /// Nothing.
        case off
        /// Items, such as songs.
        case items
        /// Collections, such as albums.
        case collections
    }

    /// A person's opinion of the item.
    public enum FeedbackStatus: CaseIterable, Equatable, Hashable, Sendable {
        /// No opinion.
        case neutral
        /// The person likes the item.
        case positive
        /// The person dislikes the item.
        case negative
    }

    /// Changes the playback rate.
    ///
    /// - Parameters:
    ///   - supported: The rates that a person can choose.
    ///   - action: A closure that receives the chosen rate, one of `supported`.
    public static func changePlaybackRate(
        supported: [Float], _ action: @escaping (Float) async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.changePlaybackRate, numbers: supported.map(Double.init)), .rate(action))
    }

    /// Changes the repeat mode.
    ///
    /// - Parameters:
    ///   - current: The current mode. Offer a new command when it changes.
    ///   - supported: The modes that a person can choose; `nil` for all.
    ///   - action: A closure that receives the chosen mode.
    public static func changeRepeatMode(
        current: RepeatMode, supported: [RepeatMode]? = nil, _ action: @escaping (RepeatMode) async throws -> Void
    ) -> MediaCommand {
        let modes = (supported ?? RepeatMode.allCases).map(\.word)
        return MediaCommand(Control(.changeRepeatMode, modes: modes, current: current.word), .repeatMode(action))
    }

    /// Changes the shuffle mode. The parameters are those of ``changeRepeatMode(current:supported:_:)``.
    public static func changeShuffleMode(
        current: ShuffleMode, supported: [ShuffleMode]? = nil, _ action: @escaping (ShuffleMode) async throws -> Void
    ) -> MediaCommand {
        let modes = (supported ?? ShuffleMode.allCases).map(\.word)
        return MediaCommand(Control(.changeShuffleMode, modes: modes, current: current.word), .shuffleMode(action))
    }

    /// Records a person's opinion of the item.
    ///
    /// - Parameters:
    ///   - title: The title of the control, in the person's language.
    ///   - shortTitle: A shorter title for small surfaces.
    ///   - status: The current opinion.
    ///   - action: A closure that receives the new opinion.
    public static func feedback(
        title: String? = nil, shortTitle: String? = nil, status: FeedbackStatus = .neutral,
        _ action: @escaping (FeedbackStatus) async throws -> Void
    ) -> MediaCommand {
        MediaCommand(
            Control(.feedback, current: status.word, title: title, shortTitle: shortTitle), .feedback(action))
    }
}

/// A mode and its value on D-Bus.
protocol BusWord: CaseIterable, Equatable {
    var word: String { get }
}

extension BusWord {
    init?(word: String?) {
        guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }
}

extension MediaCommand.RepeatMode: BusWord {
    var word: String {
        switch self {
        case .off: "off"
        case .one: "one"
        case .all: "all"
        }
    }
}

extension MediaCommand.ShuffleMode: BusWord {
    var word: String {
        switch self {
        case .off: "off"
        case .items: "items"
        case .collections: "collections"
        }
    }
}

extension MediaCommand.FeedbackStatus: BusWord {
    var word: String {
        switch self {
        case .neutral: "neutral"
        case .positive: "positive"
        case .negative: "negative"
        }
    }
}
