import Foundation

// A fault that a sanitizer must find: if it reports nothing here, its silence elsewhere means nothing.
final class Shared: @unchecked Sendable {
    var number = 0
}

#if THREAD
    let shared = Shared()
    let group = DispatchGroup()
    for _ in 0..<2 {
        group.enter()
        Thread.detachNewThread {
            for _ in 0..<1_000 {
                shared.number += 1
                usleep(10)
            }
            group.leave()
        }
    }
    group.wait()
#else
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
    bytes.initialize(repeating: 1, count: 16)
    bytes.deallocate()
    print(bytes[3])
#endif
