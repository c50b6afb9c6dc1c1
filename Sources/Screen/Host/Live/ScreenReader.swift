package import Pictures
package import Screen

/// A display that is read again and again. Calls block, and come one after the other.
package protocol ScreenReader: Sendable {
    /// The display's size, in pixels.
    var size: PictureDimensions { get }

    /// Waits until the display may show something else than it did at the last look, at most for so many milliseconds.
    ///
    /// - Returns: Whether it may.
    /// - Throws: ``ScreenReaderError``.
    func wait(atMost milliseconds: Int32) throws -> Bool

    /// Hands over what may be another one than at the last look; at the first look the whole display.
    ///
    /// - Returns: The pointer, which the pieces do not show; nil where there is none.
    /// - Throws: ``ScreenReaderError``.
    func look(_ take: (ScreenPiece) -> Void) throws -> ScreenPointer?

    /// A JPEG of pixels, row by row.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - isSharp: Whether colours keep every pixel, as letters need.
    /// - Returns: Nil where it has more bytes than `limit`.
    /// - Throws: ``ScreenReaderError``.
    func jpeg(
        _ pixels: UnsafeBufferPointer<UInt32>,
        _ size: PictureDimensions,
        quality: Int,
        isSharp: Bool,
        within limit: Int
    ) throws -> [UInt8]?

    /// Ends it. Nothing is called any more.
    func close()
}

/// A rectangle of a display. A pixel is `0x00RRGGBB`, whose first byte is not looked at.
package struct ScreenPiece {
    package let area: ScreenArea
    /// Row by row, with `stride` pixels from one row to the next. They hold only while they are handed over.
    package let pixels: UnsafeBufferPointer<UInt32>
    package let stride: Int

    package init(area: ScreenArea, pixels: UnsafeBufferPointer<UInt32>, stride: Int) {
        self.area = area
        self.pixels = pixels
        self.stride = stride
    }
}

/// A pointer's picture. A pixel is `0xAARRGGBB`, its colours multiplied by its opacity.
package struct ScreenPointer: Hashable, Sendable {
    /// Where it lies on the display; it may reach beyond its edges.
    package var area: ScreenArea
    package var pixels: [UInt32]

    package init(area: ScreenArea, pixels: [UInt32]) {
        self.area = area
        self.pixels = pixels
    }
}

package enum ScreenReaderError: Error, Hashable {
    /// The display has another size now, or is gone.
    case changed
    /// The window system answers no more, or has not what it takes.
    case failed
}
