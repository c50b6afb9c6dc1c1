public import Remote

/// The system's services that skills use. One that is nil leaves its skill out; phones are told that it is not served.
public struct DesktopTools: Sendable {
    public var terminals: (any PseudoTerminalFactory)?
    /// The shared folders.
    public var files: (any FileAccess)?
    public var desktop: DesktopSession?
    public var system: (any SystemInformation)?
    /// Shows that a phone begins to watch or to hold something.
    public var notifier: (any DesktopNotifier)?

    /// What belongs to somebody who sits there: both need a way to make pictures small enough to send.
    public struct DesktopSession: Sendable {
        public var clipboard: any Clipboard
        public var screen: any Screen
        public var pictures: any PictureEncoder

        public init(clipboard: any Clipboard, screen: any Screen, pictures: any PictureEncoder) {
            self.clipboard = clipboard
            self.screen = screen
            self.pictures = pictures
        }
    }

    public init(
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
