package import Screen

/// The screens of this computer's graphical session.
package protocol ScreenAccess: Sendable {
    /// Numbered as ``Display/numbered(_:)`` does.
    ///
    /// - Throws: ``ToolError``.
    func displays() async throws -> [Display]

    /// - Parameter display: Nil for everything there is, where displays cannot be listed.
    /// - Returns: A PNG.
    /// - Throws: ``ToolError``.
    func capture(_ display: Display?) async throws -> [UInt8]

    /// Opens a display to be read again and again.
    ///
    /// - Parameter display: Nil for everything there is, where displays cannot be listed.
    /// - Throws: ``ScreenError/notLive(reason:)`` where this screen can be pictured only.
    func open(_ display: Display?) async throws -> any ScreenReader
}
