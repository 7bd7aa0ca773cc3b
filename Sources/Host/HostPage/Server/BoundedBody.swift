import HTTPTypes
import HummingbirdCore
import NIOCore

/// Reads the body of a request with a limit of size and time. A body can be read once.
enum BoundedBody {
    enum Failure: Error, Sendable, Hashable {
        /// Its announced length is too large; nothing of it was read.
        case announcedTooLarge
        case tooLarge, tooSlow, broken
    }

    static func read(_ request: Request, atMost limit: Int, within time: Duration) async throws(Failure) -> [UInt8] {
        if let length = request.headers[.contentLength] {
            guard let length = Int(length), length <= limit else { throw .announcedTooLarge }
        }
        let body = request.body
        let result = await withTaskGroup(of: Result<[UInt8], Failure>.self) { group in
            group.addTask {
                var bytes: [UInt8] = []
                do {
                    for try await part in body {
                        guard bytes.count + part.readableBytes <= limit else { return .failure(.tooLarge) }
                        bytes += part.readableBytesView
                    }
                } catch {
                    return .failure(.broken)
                }
                return .success(bytes)
            }
            group.addTask {
                try? await Task.sleep(for: time)
                return .failure(.tooSlow)
            }
            let first = await group.next() ?? .failure(.broken)
            group.cancelAll()
            return first
        }
        return try result.get()
    }
}
