/// What a picture may cost before anything of it is decoded.
public struct PictureLimits: Hashable, Sendable {
    /// Bytes of the file.
    public var fileBytes: Int
    /// Width × height × pages that the picture's header claims.
    public var pixels: Int
    /// Bytes of text a code may hold before it is parsed.
    public var textBytes: Int

    public init(fileBytes: Int = 64 << 20, pixels: Int = 64_000_000, textBytes: Int = 4096) {
        self.fileBytes = fileBytes
        self.pixels = pixels
        self.textBytes = textBytes
    }
}
