/// How large a picture is, in pixels; 0 where its sender does not say it.
public struct PictureDimensions: Hashable, Sendable {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
