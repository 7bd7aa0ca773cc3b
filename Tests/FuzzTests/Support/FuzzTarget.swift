/// A parser of what others send, to be given any bytes.
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
    /// What a run of usual length comes to at least: one that only ever reaches refusals tests nothing.
    var outcomes: Set<String> = []
    /// How many inputs cost what 1,000 of a cheap parser do.
    var usualRuns = 2_000
    /// Takes the bytes in, and looks at what became of them.
    ///
    /// - Returns: What kind of outcome it was.
    /// - Throws: ``FuzzFailure``. Errors that the parser is there to throw are outcomes.
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
        busMessage, linkToHost, linkToExtension, busRecords, mediaSession, processFacts, deviceNames,
        manifest, program, extensionOutput, fileRequest, brokerMessage,
    ]
}
