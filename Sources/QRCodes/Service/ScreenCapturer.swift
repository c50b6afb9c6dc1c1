/// Takes a picture of the screen.
package protocol ScreenCapturer: Sendable {
    /// The bytes of a PNG of the whole screen.
    ///
    /// - Throws: ``QRError`` that says what is missing, `CancellationError` when the caller is cancelled.
    func capture() async throws -> [UInt8]
}
