import Foundation

extension MediaCommand {
    /// What is played again.
    public enum RepeatMode: CaseIterable, Equatable, Hashable, Sendable {
        /// Nothing.
        case off
        /// The item.
        case one
        /// All of the collection.
        case all
    }

    /// What is played in no order.
    public enum ShuffleMode: CaseIterable, Equatable, Hashable, Sendable {
        /// Nothing.
        case off
        /// Items, such as songs.
        case items
        /// Collections, such as albums.
        case collections
    }

    /// What a person thinks of the item.
    public enum FeedbackStatus: CaseIterable, Equatable, Hashable, Sendable {
        /// Nothing was said.
        case neutral
        /// It is liked.
        case positive
        /// It is not.
        case negative
    }

    /// Plays faster or slower.
    ///
    /// - Parameters:
    ///   - supported: The rates there are.
    ///   - action: Receives the one that is wanted, one of `supported`.
    public static func changePlaybackRate(
        supported: [Float], _ action: @escaping (Float) async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.changePlaybackRate, numbers: supported.map(Double.init)), .rate(action))
    }

    /// Chooses what is played again.
    ///
    /// - Parameters:
    ///   - current: The mode now.
    ///   - supported: The modes there are; `nil`: every one.
    ///   - action: Receives the mode that is wanted.
    public static func changeRepeatMode(
        current: RepeatMode, supported: [RepeatMode]? = nil, _ action: @escaping (RepeatMode) async throws -> Void
    ) -> MediaCommand {
        let modes = (supported ?? RepeatMode.allCases).map(\.word)
        return MediaCommand(Control(.changeRepeatMode, modes: modes, current: current.word), .repeatMode(action))
    }

    /// Chooses what is played in no order; see ``changeRepeatMode(current:supported:_:)``.
    public static func changeShuffleMode(
        current: ShuffleMode, supported: [ShuffleMode]? = nil, _ action: @escaping (ShuffleMode) async throws -> Void
    ) -> MediaCommand {
        let modes = (supported ?? ShuffleMode.allCases).map(\.word)
        return MediaCommand(Control(.changeShuffleMode, modes: modes, current: current.word), .shuffleMode(action))
    }

    /// Takes what a person thinks of the item.
    ///
    /// - Parameters:
    ///   - title: What it is called, in the person's language.
    ///   - shortTitle: The same where there is little room.
    ///   - status: What was said so far.
    ///   - action: Receives what is said now.
    public static func feedback(
        title: String? = nil, shortTitle: String? = nil, status: FeedbackStatus = .neutral,
        _ action: @escaping (FeedbackStatus) async throws -> Void
    ) -> MediaCommand {
        MediaCommand(
            Control(.feedback, current: status.word, title: title, shortTitle: shortTitle), .feedback(action))
    }
}

/// A mode with its word on the bus.
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
