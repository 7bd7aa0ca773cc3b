import Foundation
import Testing

@testable import Descriptors

struct DescriptorReserveTests {
    @Test func keepsTheLastDescriptorsFree() throws {
        // All numbers below are taken while these are held, even if other tests close descriptors.
        var held: [Int32] = []
        defer { held.forEach { close($0) } }
        let limit = 128 + DescriptorReserve.size
        while (held.last ?? 0) < 128 {
            let descriptor = dup(STDERR_FILENO)
            try #require(descriptor >= 0)
            held.append(descriptor)
        }
        #expect(!DescriptorReserve.hasRoom(below: 64 + DescriptorReserve.size))
        #expect(DescriptorReserve.hasRoom(below: limit + 10_000))
    }

    @Test func raisesTheSoftLimitAndNeverLowersIt() {
        let before = DescriptorReserve.softLimit
        DescriptorReserve.raiseLimit()
        let raised = DescriptorReserve.softLimit
        #expect(raised >= before)
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        #expect(raised >= min(Int(clamping: limits.rlim_max), 65_536))
        DescriptorReserve.raiseLimit()
        #expect(DescriptorReserve.softLimit == raised)
    }
}
