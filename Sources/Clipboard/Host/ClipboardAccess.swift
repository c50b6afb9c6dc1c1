package import Clipboard

/// The clipboard of this computer's graphical session.
package protocol ClipboardAccess: Sendable {
    /// The formats that its owner can give, by the names the window system uses: MIME types, or X11's targets. Empty when it is empty.
    ///
    /// - Throws: ``ToolError``.
    func offers() async throws -> [String]

    /// Whether it may be looked at again and again, without a person being disturbed.
    ///
    /// - Throws: ``ToolError``, with the reason where it may not.
    func checkWatching() async throws

    /// The window system's own word that something was copied, from now on: one element for a copy, or for several that follow each other. It
    /// ends when the system tells nothing more.
    ///
    /// - Returns: Nil where the system tells nothing: then the clipboard has to be looked at again and again.
    func notices() async -> (any AsyncSequence<Void, Never> & Sendable)?

    /// - Parameter offer: Exactly one of ``offers()``. The owner may have changed meanwhile: then it is empty.
    /// - Throws: ``ToolError``, among them ``ToolError/outputTooLarge(tool:limit:)``.
    func read(_ offer: String, limit: Int) async throws -> [UInt8]

    /// Replaces what is there. Returns once others can read it.
    ///
    /// - Parameter bytes: UTF-8 of text and HTML; of an image a PNG.
    /// - Throws: ``ToolError``, among them ``ToolError/unsupported(purpose:)``.
    func write(_ bytes: [UInt8], as kind: ClipboardKind) async throws
}

extension ClipboardAccess {
    package func checkWatching() async throws {}

    package func notices() async -> (any AsyncSequence<Void, Never> & Sendable)? { nil }
}
