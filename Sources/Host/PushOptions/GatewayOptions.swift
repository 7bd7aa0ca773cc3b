package import ArgumentParser

/// The options of `push serve`, in `mdhost` and in the gateway's own program.
package struct GatewayOptions: ParsableArguments {
    @Option(help: "Numeric address to listen on; 0.0.0.0 for all.")
    package var address = "127.0.0.1"

    @Option(help: "TCP port; 0 lets the system choose.")
    package var port = 2197

    @Option(
        parsing: .upToNextOption,
        help: "Further names and addresses servers reach it by; the certificate is made out to them.")
    package var name: [String] = []

    @Option(help: "Deliver over this MQTT broker to the computers that joined it: mqtts://name@host:8883.")
    package var broker: String?

    @OptionGroup(title: "The broker") package var options: BrokerOptions

    @Option(help: "Folder of the keys and the authority; several gateways may have copies of one.")
    package var folder: String?

    package init() {}

    package func validate() throws {
        guard 0...65_535 ~= port else { throw ValidationError("A port is 0 to 65535.") }
    }

    package static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Receive pushes from servers for this computer or, with --broker, for others.",
        discussion: """
            Runs until interrupted, and listens on this computer alone unless told otherwise. The first run makes a key \
            for the server and a certificate authority; both stay. What it refuses, and what could not be applied, is in \
            what it prints.
            """)
}
