/// A browser that may use the page.
package struct PageBrowser: Sendable, Hashable, Codable, Identifiable {
    /// Eight hexadecimal digits.
    package var id: String
    /// The name for people, such as “Firefox on Linux”.
    package var name: String
    package var role: PageRole
    /// The SHA-256 hash of its cookie, in hexadecimal.
    var cookieHash: String
    /// When it entered, in seconds since 1970.
    package var entered: Double
    /// When it was last seen, in seconds since 1970, to the hour.
    package var seen: Double
}

/// An app whose picker the page is, for one browser.
package struct PagePicker: Sendable, Hashable, Codable {
    /// The identifier of the app.
    package var application: String
    /// The name of the app.
    package var name: String

    package init(application: String, name: String) {
        self.application = application
        self.name = name
    }
}
