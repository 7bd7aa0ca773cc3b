import CProcess
import CProgramMemory
import Foundation
import MediaDecoding
import MediaReading

/// Reads and decodes one medium for an extension or the daemon, and ends. Started by the daemon for each, confined as an
/// extension is: what a server's answer or a file does to the code that decodes it, it does here.
@main struct ReaderProgram {
    /// The request and the extension's socket come here. The end of it is the end of the daemon.
    private static let link: Int32 = 3
    /// The time after which a medium is open and its codec set up, in seconds.
    private static let start = 5.0

    static func main() {
        guard let (request, socket) = receiveRequest() else {
            try? FileHandle.standardError.write(contentsOf: Data("mdhost-reader: started by mdhost alone\n".utf8))
            exit(64)
        }
        let server = DecodingServer(request, on: socket)
        Thread.detachNewThread {
            server.takeOrders()
            // Without the handlers of `exit`, which would run while the other thread decodes, or beside its own.
            _exit(0)
        }
        // Most of what the 150 libraries take is read by the dynamic loader alone.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: start)
            program_memory_release()
        }
        server.run()
        exit(0)
    }

    private static func receiveRequest() -> (ReaderRequest, Int32)? {
        var bytes = [UInt8](repeating: 0, count: ReaderRequest.longest)
        var socket: Int32 = -1
        var sender: pid_t = 0
        let count = process_receive_descriptor(link, &bytes, bytes.count, &socket, &sender)
        guard count > 0, socket >= 0, let request = ReaderRequest(Array(bytes[..<count])) else { return nil }
        return (request, socket)
    }
}
