import Kernel

/// Shows banners as lines of a terminal. What is printed stays, so nothing is withdrawn.
public struct TerminalPresenter: NotificationPresenter {
    private let write: @Sendable (String) async -> Void

    /// - Parameter write: Takes one line without its end, made safe for a terminal.
    public init(_ write: @escaping @Sendable (String) async -> Void) { self.write = write }

    public func present(_ banners: [NotificationBanner]) async {
        for banner in banners { await write(Self.line(banner)) }
    }

    public func withdraw(_ ids: [KeptNotification.ID]) async {}

    /// One row, whatever a program wrote.
    public static func line(_ banner: NotificationBanner) -> String {
        let place = [banner.computerName, banner.program].compactMap(\.self).joined(separator: ", ")
        let mark = banner.priority >= .high ? "! " : ""
        let body = banner.body.isEmpty ? "" : ": \(banner.body)"
        let origin = place.isEmpty ? "" : " (\(place))"
        return TerminalText.line("\(mark)\(banner.title)\(body)\(origin)")
    }
}
