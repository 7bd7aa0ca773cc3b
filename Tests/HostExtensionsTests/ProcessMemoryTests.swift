import Foundation
import Testing

@testable import HostExtensions

@Suite(.serialized) struct ProcessMemoryTests {
    /// Shared memory without another user counts like any other memory.
    @Test(arguments: [MAP_PRIVATE, MAP_SHARED]) func countsWhatIsHeld(kind: Int32) throws {
        let size = 64 << 20
        let session = ProcessSession(leader: getpid())
        let before = session.ownMemory(ofLeaderOnly: true)
        #expect(before > 0)
        let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0))
        try #require(memory != MAP_FAILED)
        memset(memory, 1, size)
        #expect(session.ownMemory(ofLeaderOnly: true) - before > Int64(size) * 3 / 4)
        munmap(memory, size)
    }
}
