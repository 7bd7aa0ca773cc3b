import ArgumentParser
import HostClient
import HostInterface

extension ExtensionCommand {
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable extensions.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var extensions: ExtensionNames

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                try await connection.each(extensions.names, output) { one throws(HostError) in
                    try await connection.client.enableExtension(one.objectPath)
                    output.tell(one, isEnabled: true)
                }
                await connection.close()
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Disable extensions.",
            discussion:
                "Playback through them ends, and their devices disappear. They stay disabled when the daemon restarts.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var extensions: ExtensionNames

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                try await connection.each(extensions.names, output) { one throws(HostError) in
                    try await connection.client.disableExtension(one.objectPath)
                    output.tell(one, isEnabled: false)
                }
                await connection.close()
            }
        }
    }
}

extension Output {
    fileprivate func tell(_ one: ClientExtension, isEnabled: Bool) {
        if isJSON {
            struct Switched: Encodable { var `extension`: String, enabled: Bool }
            try? json(Switched(extension: one.id, enabled: isEnabled))
        } else {
            line("\(DisplayText.clean(one.name)) is switched \(isEnabled ? "on" : "off").")
        }
    }
}
