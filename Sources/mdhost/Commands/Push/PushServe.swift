import ArgumentParser
import HostClient
import PushOptions

struct PushServe: AsyncParsableCommand {
    static let configuration = GatewayOptions.configuration

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: GatewayOptions

    func run() async throws {
        try await common.perform { _ in throw PushProgram.become() }
    }
}

struct PushKeys: AsyncParsableCommand {
    static let configuration = KeyOptions.configuration

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: KeyOptions

    func run() async throws {
        try await common.perform { _ in throw PushProgram.become() }
    }
}
