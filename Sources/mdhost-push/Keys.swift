import ArgumentParser
import Foundation
import PushGateway
import PushOptions

struct Keys: AsyncParsableCommand {
    static let configuration = KeyOptions.configuration

    @OptionGroup var output: OutputOptions
    @OptionGroup var options: KeyOptions

    func run() async throws {
        try await output.perform {
            let keys = GatewayKeys(folder: try PushGatewayProgram.folder(nil))
            if let remove = options.remove { try keys.remove(remove) }
            if options.new { _ = try keys.make(now: PushGatewayProgram.now) }
            let all = try keys.all().map { Key($0, keys) }
            if output.json { return try output.print(json: all) }
            guard !all.isEmpty else {
                let notice = "There is no key yet: `mdhost push serve` makes the first.\n"
                try? FileHandle.standardError.write(contentsOf: Data(notice.utf8))
                return
            }
            // Both identifiers have ten characters.
            try output.print("KEY ID      TEAM ID     FILE FOR THE SERVER")
            for key in all { try output.print("\(key.id)  \(key.team)  \(key.file ?? "moved away")") }
        }
    }

    private struct Key: Encodable {
        var id: String
        var team: String
        /// `nil` where it was moved away.
        var file: String?

        init(_ key: ProviderKey, _ keys: GatewayKeys) {
            id = key.id
            team = key.team
            let path = keys.privateKeyPath(key.id)
            file = FileManager.default.fileExists(atPath: path) ? path : nil
        }
    }
}
