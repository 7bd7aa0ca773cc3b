/// The facts about a process that determine whether it is in the foreground.
///
/// Linux has no such notion with and without a desktop, so this type and docs/now-playing.md define it.
package struct ForegroundFacts: Sendable {
    /// Process group, and that in the foreground of its controlling terminal; `nil` without a terminal.
    package var terminal: (own: Int32, foreground: Int32)?
    /// A Boolean value that indicates whether the process has an X11 or Wayland display.
    package var hasDisplay: Bool
    /// The systemd unit of the process; `nil` if there is none.
    package var unit: String?

    package init(terminal: (own: Int32, foreground: Int32)?, hasDisplay: Bool, unit: String?) {
        self.terminal = terminal
        self.hasDisplay = hasDisplay
        self.unit = unit
    }

    /// A Boolean value that indicates whether the process is in the foreground. In a terminal it is if it gets the
    /// input; otherwise if it can have a window and isn't a service. Desktops name the units of apps `app-…`.
    package var isForeground: Bool {
        if let terminal { return terminal.own == terminal.foreground }
        let isService = unit.map { $0.hasSuffix(".service") && !$0.hasPrefix("app-") } ?? false
        return hasDisplay && !isService
    }
}
