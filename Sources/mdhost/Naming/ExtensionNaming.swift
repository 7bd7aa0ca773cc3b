import HostClient
import HostInterface

/// Finds the extension a person means.
enum ExtensionNaming {
    /// - Throws: ``HostError`` `ambiguous-name` or `no-such-extension`, as ``NamedThings/resolve(_:)``.
    static func resolve(_ text: String, in extensions: [ClientExtension]) throws(HostError) -> ClientExtension {
        try NamedThings(
            things: extensions, id: \.id, name: \.name,
            words: .init(
                plural: "extensions", unknown: .noSuchExtension, detail: { $0.id == $0.name ? $0.path : $0.id },
                nothing: { "No extension is called “\($0)”" }, nothingAtAll: "; none is installed.")
        ).resolve(text)
    }

    /// Several at once, each once, in the order given.
    static func resolve(_ names: [String], in extensions: [ClientExtension]) throws(HostError) -> [ClientExtension] {
        var found: [ClientExtension] = []
        for name in names {
            let one = try resolve(name, in: extensions)
            if !found.contains(where: { $0.id == one.id }) { found.append(one) }
        }
        return found
    }
}
