import Foundation
import HostCore
import HostInterface
import Reachability

/// The media a person wants to play: an address the device opens itself, or a file on this machine.
enum MediaSource {
    /// - Parameter isDeviceHere: `true` if the device is on this machine, so that it can use `localhost`.
    /// - Throws: ``HostError`` `file-not-found`, or `invalid-argument` for an address no device could open.
    static func url(_ text: String, isDeviceHere: Bool = false) throws(HostError) -> URL {
        guard text.contains("://") else { return try file(text) }
        let noAddress = HostError(.invalidArgument, "“\(text)” isn't an address.")
        guard let url = URL(string: text) ?? encoded(text) else { throw noAddress }
        if url.isFileURL { return try file(url.path) }
        guard let host = url.host(percentEncoded: false), !host.isEmpty, !host.contains(" ") else { throw noAddress }
        if isLoopback(host.lowercased()), !isDeviceHere {
            throw HostError(
                .invalidArgument,
                "The device would look for \(host) on itself. Use this machine's own address, or the path of the file.")
        }
        return url
    }

    /// Returns whether a device with these endpoints, as ``EndpointText`` reads them, is on this machine: each must be
    /// one of the machine's addresses. A device without a numeric endpoint may be anywhere.
    ///
    /// - Parameter own: The machine's addresses besides loopback, numeric and without scope.
    static func isHere(_ endpoints: [String], own: Set<String> = ownAddresses) -> Bool {
        let addresses = endpoints.compactMap { endpoint in
            EndpointText.numericAddress(endpoint)?.split(separator: "%").first.map(String.init)
        }
        return !addresses.isEmpty && addresses.allSatisfy { isLoopback($0) || own.contains($0) }
    }

    static var ownAddresses: Set<String> { Set(((try? InterfaceAddress.all()) ?? []).map(\.text)) }

    /// Addresses and the name that mean the machine that opens them.
    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "localhost.", "::1", "[::1]", "0.0.0.0", "::", "[::]"].contains(host)
            || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
    }

    private static func file(_ path: String) throws(HostError) -> URL {
        guard !path.isEmpty else { throw HostError(.invalidArgument, "Name a file or an address to play.") }
        let url = URL(filePath: UserFolders().expand(path)).standardizedFileURL
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw HostError(.fileNotFound, "There is no file “\(path)”.")
        }
        guard !isFolder.boolValue else { throw HostError(.invalidArgument, "“\(path)” is a folder. Name a file.") }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw HostError(
                .fileNotFound, "The file “\(path)” cannot be read: you don't have permission.",
                remedy: "If it is yours, `chmod u+r` makes it readable.")
        }
        guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile != false else {
            throw HostError(
                .invalidArgument, "“\(path)” isn't a regular file.",
                remedy: "To play the output of another program, pipe it to `mdhost stream`.")
        }
        return url
    }

    /// People paste addresses with spaces in them.
    private static func encoded(_ text: String) -> URL? {
        text.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed.union(["#", "%"]))
            .flatMap(URL.init(string:))
    }
}
