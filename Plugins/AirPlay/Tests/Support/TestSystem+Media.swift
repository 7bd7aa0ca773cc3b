import MediaDecodingSupport
import MediaDeviceTesting

extension TestSystem {
    /// A system in which media is read in this process.
    static func readingMedia(_ makeExtension: @autoclosure () -> Extension) -> TestSystem {
        let system = TestSystem(makeExtension())
        system.mediaReaders.install { serveLocally($0, on: $1) }
        return system
    }
}
