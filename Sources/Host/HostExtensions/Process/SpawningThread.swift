import Foundation
import Synchronization

/// The thread that starts every child, which lives as long as this process.
///
/// For the kernel, the parent of a child ends with the *thread* that started it. The threads of the concurrency runtime
/// come and go, so a child that should end with this process would end with one of those.
final class SpawningThread: Sendable {
    static let shared = SpawningThread()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let news = DispatchSemaphore(value: 0)

    private init() {
        let thread = Thread { [self] in
            while true {
                news.wait()
                let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                job?()
            }
        }
        thread.name = "mdhost.spawn"
        thread.stackSize = 256 << 10
        thread.start()
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SpawnedChild.Failure) -> Value
    ) async throws(SpawnedChild.Failure) -> Value {
        let result: Result<Value, SpawnedChild.Failure> = await withCheckedContinuation { continuation in
            jobs.withLock {
                $0.append {
                    do throws(SpawnedChild.Failure) {
                        continuation.resume(returning: .success(try body()))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
            news.signal()
        }
        return try result.get()
    }
}
