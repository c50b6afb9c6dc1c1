/// What a picture may cost before anything of it is decoded.
package struct PictureLimits: Hashable, Sendable {
    /// Bytes of the file.
    package var fileBytes: Int
    /// Width × height × pages that the picture's header claims.
    package var pixels: Int
    /// Bytes of text a code may hold before it is parsed.
    package var textBytes: Int

    package init(fileBytes: Int = 64 << 20, pixels: Int = 64_000_000, textBytes: Int = 4096) {
        self.fileBytes = fileBytes
        self.pixels = pixels
        self.textBytes = textBytes
    }
}
