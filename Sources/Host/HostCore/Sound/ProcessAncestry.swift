/// The processes that started a process, itself or through others.
struct ProcessAncestry: Sendable {
    /// The longest chain that is followed.
    private static let generations = 32

    /// The parent of a process; `nil` for a process that has exited.
    let parent: @Sendable (Int32) -> Int32?

    /// Returns what `find` returns for the process, or else for the nearest process that started it.
    func nearest<Found>(to process: Int32?, _ find: (Int32) -> Found?) -> Found? {
        guard var process else { return nil }
        for _ in 0..<Self.generations {
            if let found = find(process) { return found }
            guard let next = parent(process), next > 1 else { return nil }
            process = next
        }
        return nil
    }
}
