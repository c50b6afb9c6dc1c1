/// The limits for a picture, checked before it is decoded.
package struct PictureLimits: Hashable, Sendable {
    /// The largest file in bytes.
    package var fileBytes: Int
    /// The largest width × height × pages that the picture's header may claim.
    package var pixels: Int
    /// The longest text of a code, in bytes, that is parsed.
    package var textBytes: Int

    package init(fileBytes: Int = 64 << 20, pixels: Int = 64_000_000, textBytes: Int = 4096) {
        self.fileBytes = fileBytes
        self.pixels = pixels
        self.textBytes = textBytes
    }
}
