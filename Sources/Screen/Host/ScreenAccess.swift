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
}
