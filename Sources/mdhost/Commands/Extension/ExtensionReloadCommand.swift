import ArgumentParser
import HostClient
import HostInterface

extension ExtensionCommand {
    struct Reload: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reload", abstract: "Restart extensions with their current program.",
            discussion: """
                Reads the manifest again, forgets crashes and lifts a quarantine. What plays through the extension ends; \
                other extensions do not notice. One that nobody needs is launched when somebody does.
                """)

        @OptionGroup var common: CommonOptions
        @OptionGroup var extensions: ExtensionNames

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                let client = connection.client
                var reloaded: [ClientExtension] = []
                let result: Result<Void, HostError>
                do throws(HostError) {
                    try await connection.each(extensions.names, output) { one throws(HostError) in
                        try await client.reloadExtension(one.objectPath)
                        reloaded.append(one)
                    }
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                let now = try await client.extensions()
                for one in reloaded { output.tellReloaded(now.first { $0.path == one.path } ?? one) }
                await connection.close()
                try result.get()
            }
        }
    }
}

extension Output {
    fileprivate func tellReloaded(_ one: ClientExtension) {
        if isJSON {
            struct Reloaded: Encodable { var `extension`: String, reloaded: Bool, state: String, processID: Int? }
            try? json(Reloaded(extension: one.id, reloaded: true, state: one.state, processID: one.processID))
        } else {
            let name = "\(DisplayText.clean(one.name)) \(DisplayText.clean(one.version))"
            line(
                one.processID.map { "Reloaded \(name): process \($0)." }
                    ?? "Reloaded \(name); it is \(DisplayText.clean(one.state)) until somebody needs it.")
        }
    }
}
