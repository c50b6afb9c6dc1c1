/// A camera that looks for codes.
package protocol QRCamera: Sendable {
    /// The text of the first code the camera sees alone. The camera runs until then, or until the caller is cancelled.
    ///
    /// - Throws: ``QRError`` when there is no camera or it fails, `CancellationError` when the caller is cancelled.
    func nextText() async throws -> String
}
