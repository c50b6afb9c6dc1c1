package import ClipboardHost
package import CommandServer
package import FilesHost
package import Pictures
package import ScreenHost
package import SystemInfoHost
package import TerminalHost

/// The system's services that skills use. One that is nil leaves its skill out; phones are told that it is not served.
package struct DesktopTools: Sendable {
    package var terminals: (any PseudoTerminalFactory)?
    /// The shared folders.
    package var files: (any FileAccess)?
    package var desktop: DesktopSession?
    package var system: (any SystemInformation)?
    /// Shows that a phone begins to watch or to hold something.
    package var notifier: (any DesktopNotifier)?

    /// What belongs to somebody who sits there: both need a way to make pictures small enough to send.
    package struct DesktopSession: Sendable {
        package var clipboard: any Clipboard
        package var screen: any Screen
        package var pictures: any PictureEncoder

        package init(clipboard: any Clipboard, screen: any Screen, pictures: any PictureEncoder) {
            self.clipboard = clipboard
            self.screen = screen
            self.pictures = pictures
        }
    }

    package init(
        terminals: (any PseudoTerminalFactory)? = nil,
        files: (any FileAccess)? = nil,
        desktop: DesktopSession? = nil,
        system: (any SystemInformation)? = nil,
        notifier: (any DesktopNotifier)? = nil
    ) {
        self.terminals = terminals
        self.files = files
        self.desktop = desktop
        self.system = system
        self.notifier = notifier
    }
}
