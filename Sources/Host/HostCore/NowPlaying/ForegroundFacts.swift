/// What the system knows of a process that tells whether a person has it in front of them.
///
/// There is no such notion on Linux that holds with and without a desktop, so it is defined here and in
/// docs/now-playing.md.
package struct ForegroundFacts: Sendable {
    /// Process group, and that in the foreground of its controlling terminal; `nil` without a terminal.
    package var terminal: (own: Int32, foreground: Int32)?
    /// Whether it was given a display, of X11 or Wayland.
    package var hasDisplay: Bool
    /// The systemd unit it runs in; `nil` where there is none.
    package var unit: String?

    package init(terminal: (own: Int32, foreground: Int32)?, hasDisplay: Bool, unit: String?) {
        self.terminal = terminal
        self.hasDisplay = hasDisplay
        self.unit = unit
    }

    /// In a terminal: whether what is typed goes to it. Else: whether it can have a window, and is no service; the units
    /// desktops start apps in are called `app-…`.
    package var isForeground: Bool {
        if let terminal { return terminal.own == terminal.foreground }
        let isService = unit.map { $0.hasSuffix(".service") && !$0.hasPrefix("app-") } ?? false
        return hasDisplay && !isService
    }
}
