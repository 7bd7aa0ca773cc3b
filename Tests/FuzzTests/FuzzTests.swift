import Testing

/// Every parser of input from the network, from extensions or from installed files, with arbitrary input.
///
/// `scripts/fuzz` searches for longer, guided by code coverage; its findings stay in `Corpus`.
@Suite(.timeLimit(.minutes(10))) struct FuzzTests {
    @Test(arguments: FuzzTarget.all) func takesAnything(_ target: FuzzTarget) async throws {
        let corpus = try target.corpus()
        try #require(!corpus.isEmpty)
        var run = FuzzRun(target.name, usual: target.usualRuns)
        try await run.perform(corpus: corpus, words: target.words) { try target.take($0) }
        if run.isUsual { #expect(target.outcomes.isSubset(of: run.outcomes.keys), "\(run.outcomes)") }
    }
}
