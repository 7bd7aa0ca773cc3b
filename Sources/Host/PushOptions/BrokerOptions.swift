package import ArgumentParser
import Foundation
package import HostInterface
import MQTT

/// How a command goes to a broker.
package struct BrokerOptions: ParsableArguments {
    @Option(help: "PEM file of the authorities that may vouch for the broker (default: those of the system).")
    package var authority: String?

    @Option(help: "File with the broker's password, which nobody else may read.")
    package var passwordFile: String?

    @Option(help: "PEM file of the certificate by which the broker knows this side, with --key.")
    package var certificate: String?

    @Option(help: "PEM file of its key.")
    package var key: String?

    package init() {}

    package func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together.")
        }
    }

    /// - Throws: ``HostError`` where a file cannot be used.
    package func settings(_ address: String) throws(HostError) -> BrokerSettings {
        guard MQTTAddress(address) != nil else {
            throw HostError(.invalidArgument, "“\(address)” is no broker: it has the form mqtts://name@host:8883.")
        }
        return BrokerSettings(
            address: address, password: try passwordFile.map { path throws(HostError) in try Self.password(path) },
            authority: authority.map(Self.absolute), certificate: certificate.map(Self.absolute),
            key: key.map(Self.absolute))
    }

    /// The daemon is at home elsewhere.
    private static func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

    /// The first line of a file that is its owner's alone.
    package static func password(_ path: String) throws(HostError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw HostError(.fileNotFound, "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0 else {
            throw HostError(.invalidArgument, "\(path) can be read by others: `chmod 600 \(path)`.")
        }
        let data = (try? file.read(upToCount: 4096)) ?? Data()
        let line = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !line.isEmpty else { throw HostError(.invalidArgument, "\(path) is empty.") }
        return line
    }
}
