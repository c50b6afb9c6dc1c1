/// Shows short messages to the person who sits at this computer.
package protocol DesktopNotifier: Sendable {
    /// - Parameters:
    ///   - title: One line of plain text.
    ///   - body: Plain text.
    /// - Throws: When there is no desktop session to show it on.
    func notify(_ title: String, _ body: String) async throws
}
