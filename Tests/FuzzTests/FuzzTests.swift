import Testing

/// Every parser of what comes from the network, from extensions or from installed files: what it is given may be anything.
///
/// `scripts/fuzz` searches for longer, led by what of the code an input reaches; what it finds stays in `Corpus`.
@Suite(.timeLimit(.minutes(10))) struct FuzzTests {
    @Test(arguments: FuzzTarget.all) func takesAnything(_ target: FuzzTarget) async throws {
        let corpus = try target.corpus()
        try #require(!corpus.isEmpty)
        var run = FuzzRun(target.name, usual: target.usualRuns)
        try await run.perform(corpus: corpus, words: target.words) { try target.take($0) }
        if run.isUsual { #expect(target.outcomes.isSubset(of: run.outcomes.keys), "\(run.outcomes)") }
    }
}
