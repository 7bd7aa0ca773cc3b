/// A name for a browser, from what it says it is.
enum BrowserName {
    /// - Parameter agent: The value of `User-Agent`.
    /// - Returns: For example “Firefox on Linux”.
    static func of(_ agent: String) -> String {
        func first(_ words: [(String, String)]) -> String? { words.first { agent.contains($0.0) }?.1 }
        // Each names those before it, too, to be taken for them.
        let browser = first([
            ("Edg", "Edge"), ("OPR/", "Opera"), ("Vivaldi", "Vivaldi"), ("SamsungBrowser", "Samsung Internet"),
            ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"),
            ("Epiphany", "Web"), ("Safari/", "Safari"), ("curl/", "curl"),
        ])
        let system = first([
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
            ("Windows", "Windows"),
            ("Mac OS X", "macOS"), ("Linux", "Linux"), ("X11", "X11"),
        ])
        return [browser ?? "Browser", system].compactMap(\.self).joined(separator: " on ")
    }
}
