import Foundation
import PackagePlugin

/// Makes a source of each `.frame`, with the `.listing` files that it names put in.
@main
struct AssembleListings: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let files = target.sourceFiles.map(\.url)
        let listings = files.filter { $0.pathExtension == "listing" }
        return try files.filter { $0.pathExtension == "frame" }.map { frame in
            let name = frame.deletingPathExtension().lastPathComponent + ".swift"
            let source = context.pluginWorkDirectoryURL.appending(path: name)
            return .buildCommand(
                displayName: "Assembling \(name)", executable: try context.tool(named: "ListingAssembler").url,
                arguments: [frame.path, source.path], inputFiles: [frame] + listings, outputFiles: [source])
        }
    }
}
