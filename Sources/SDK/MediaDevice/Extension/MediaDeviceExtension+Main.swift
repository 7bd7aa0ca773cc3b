import ExtensionFoundation

extension MediaDeviceExtension {
    /// Serves the host over the link that it passed, until the host closes it; then the process exits with 0.
    ///
    /// Without a host, as when the program is started by hand, it tells what to do and exits with 64. Exit codes follow
    /// `sysexits.h`: 64 no link, 76 the host does not understand the extension, or the other way round.
    @MainActor
    public static func main() throws {
        ExtensionProcess.run { Self() }
    }
}
