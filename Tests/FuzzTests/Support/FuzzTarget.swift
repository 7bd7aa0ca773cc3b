/// A parser of external input, to be given any bytes.
struct FuzzTarget: Sendable {
    /// As on the command line of `scripts/fuzz`.
    let name: String
    /// Folders of this repository whose files are inputs: recorded, made up, or found. `Corpus/NAME` beside the tests is
    /// one without being listed.
    var corpora: [String] = []
    /// Inputs that are easier made than written.
    var seeds: @Sendable () throws -> [[UInt8]] = { [] }
    /// Pieces of the language, to be put in anywhere.
    var words: [String] = []
    /// The outcomes that a run of usual length must reach: a run with nothing but refusals tests nothing.
    var outcomes: Set<String> = []
    /// The number of inputs that cost as much as 1,000 of a cheap parser.
    var usualRuns = 2_000
    /// Parses the bytes and checks the result.
    ///
    /// - Returns: The kind of outcome.
    /// - Throws: ``FuzzFailure``. Errors that the parser is meant to throw are outcomes.
    let take: @Sendable ([UInt8]) throws -> String
}

/// A rule that an input broke.
struct FuzzFailure: Error, CustomStringConvertible {
    let description: String
}

func demand(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
    guard condition else { throw FuzzFailure(description: rule()) }
}

extension FuzzTarget: CustomStringConvertible {
    var description: String { name }

    static let all: [FuzzTarget] = [
        ssdp, dns, txt, addresses, addressPolicy,
        dlnaDescription, dlnaService, dlnaAnswer, dlnaEvent, dlnaText,
        airplayConnection, airplayDatagrams, airplayPairing, airplayPropertyList, airplayChannel,
        airplayPlayback, airplayEvent, airplayRemote,
        googleCast, castStreaming, liveSamples, kodi, mpd, referenceReceiver, referenceClient, referenceMedia,
        busMessage, dataFrames, linkToHost, linkToExtension, busRecords, mediaSession, processFacts, deviceNames,
        manifest, program, extensionOutput, fileRequest, brokerMessage, mediaReading, pulseTunnel,
    ]
}
