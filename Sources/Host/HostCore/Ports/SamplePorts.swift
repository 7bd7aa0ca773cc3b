import HostInterface

/// The delivery of live samples to extensions.
package protocol SampleDeliveries: Sendable {
    /// Begins a delivery. Nothing is read before the first ``SampleDelivery/connect()``.
    ///
    /// - Parameters:
    ///   - stream: The samples.
    ///   - format: Their format.
    ///   - whenOver: A closure that receives the end, once, unless ``SampleDelivery/end()`` was called before. Success means
    ///     that the samples have ended, and the extension took the last ones.
    /// - Throws: ``HostError`` `internal-failure` if the system has no descriptors or threads left.
    func begin(
        _ stream: OpenStream, format: SampleFormat, whenOver: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) throws(HostError) -> any SampleDelivery
}

/// A running delivery of one stream to one extension.
package protocol SampleDelivery: Sendable {
    /// Opens a socket for the extension's process, in place of an earlier one. Samples that the earlier process didn't take
    /// are lost.
    ///
    /// - Throws: ``HostError`` `internal-failure` if the system has no descriptors left.
    func connect() throws(HostError) -> DeliveredSamples
    /// While held, the extension may take no samples for any time, because playback is paused.
    func hold(_ isHeld: Bool)
    /// Ends the delivery: the extension reads no more samples, and the writer learns of it.
    func end()
}
