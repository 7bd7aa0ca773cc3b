import Foundation
import PrivateFolders

/// The environment an extension is started with, and the folder it may write to.
enum ExtensionEnvironment {
    /// The link's descriptor in the child.
    static let linkDescriptor: Int32 = 3

    private static let inherited: Set<String> = [
        "PATH", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ",
        // Where a firewall has to know the ports that devices send to.
        "MDHOST_UDP_PORTS",
    ]

    /// Returns the environment of an extension. Only a short list and the `LC_` family are inherited, so that secrets
    /// in the host's environment stay there.
    static func make(
        from host: [String: String], infoPath: String, stateDirectory: String, additional: [String: String] = [:]
    ) -> [String: String] {
        var environment = host.filter { inherited.contains($0.key) || $0.key.hasPrefix("LC_") }
        // The person's own home and runtime folder are out of reach, and libraries keep what they like in these.
        environment["HOME"] = stateDirectory
        environment["TMPDIR"] = temporaryDirectory(in: stateDirectory)
        environment["PATH"] = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        environment.merge(additional) { $1 }
        environment["MDHOST_EXTENSION_LINK"] = "\(linkDescriptor)"
        environment["MDHOST_INFO_PLIST"] = infoPath
        environment["MDHOST_STATE_DIRECTORY"] = stateDirectory
        return environment
    }

    /// Returns the environment of a program of this project that works for the daemon.
    static func ofHelper(_ host: [String: String]) -> [String: String] {
        host.filter { ["PATH", "LANG", "LANGUAGE", "TZ"].contains($0.key) || $0.key.hasPrefix("LC_") }
    }

    /// Returns the extension's folder for temporary files.
    static func temporaryDirectory(in stateDirectory: String) -> String { stateDirectory + "/tmp" }

    /// Creates the folder with mode 0700 and its parents, or sets the mode of an existing one, and recreates its
    /// temporary folder.
    ///
    /// - Throws: ``SpawnedChild/Failure``, also if the path is something else, such as a symbolic link.
    static func prepareStateDirectory(_ path: String) throws(SpawnedChild.Failure) {
        do {
            try PrivateFolder.make(path)
        } catch {
            throw SpawnedChild.Failure(code: error.code)
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SpawnedChild.Failure(code: errno) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o700) == 0 else { throw SpawnedChild.Failure(code: errno) }
        let temporary = temporaryDirectory(in: path)
        let name = (temporary as NSString).lastPathComponent
        // An earlier process may have left a folder or a file here, and a program that it started may still run.
        _ = FolderRemoval.remove(name, in: descriptor)
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else { throw SpawnedChild.Failure(code: errno) }
    }
}
