public import Commands
public import Kernel
public import Pictures

/// A query of a screen's picture. A picture that the computer cannot send as asked comes as a JPEG or smaller.
public struct ScreenshotQuery: MethodParameters, Hashable {
    /// The range of ``maxWidth``.
    public static let widths: ClosedRange<Int> = 16...16_384

    /// A ``Display/id``, 0 to 255.
    public var displayID: Int
    /// The picture's format. A PNG that does not fit into an answer comes as a JPEG.
    public var format: PictureFormat
    /// The quality of a JPEG, 1 to 100.
    public var quality: Int
    /// In pixels. Nil: as wide as the display.
    public var maxWidth: Int?
    /// 0.01 to 1, of the display's width. With ``maxWidth`` the smaller one counts.
    public var scale: Double?
    /// Whether the answer holds the picture once, so that it may be larger, instead of under every name that programs read.
    public var isCompact: Bool

    public init(
        displayID: Int = 0,
        format: PictureFormat = .png,
        quality: Int = 80,
        maxWidth: Int? = nil,
        scale: Double? = nil,
        isCompact: Bool = true
    ) {
        self.displayID = displayID
        self.format = format
        self.quality = quality
        self.maxWidth = maxWidth
        self.scale = scale
        self.isCompact = isCompact
    }

    /// Takes `jpg` for `jpeg`; absent parameters have the values that ``init(displayID:format:quality:maxWidth:scale:isCompact:)`` has, but
    /// ``isCompact`` is false.
    ///
    /// - Throws: `RemoteFailure` with -32602, naming a parameter outside of its bounds.
    public init(wire: RemoteParameters) throws {
        displayID = Int(try wire.optionalInteger("displayId", in: 0...255) ?? 0)
        format = try Self.format(wire)
        quality = Int(try wire.optionalInteger("quality", in: 1...100) ?? 80)
        let widths = Int64(Self.widths.lowerBound)...Int64(Self.widths.upperBound)
        maxWidth = try wire.optionalInteger("maxWidth", in: widths).map { Int($0) }
        scale = try wire.optionalNumber("scale", in: 0.01...1)
        isCompact = try wire.flag("compact")
    }

    private static func format(_ wire: RemoteParameters) throws(RemoteFailure) -> PictureFormat {
        if try wire.optionalText("format", limit: 8)?.lowercased() == "jpg" { return .jpeg }
        return try wire.choice("format", of: PictureFormat.self) ?? .png
    }

    /// The parameters of `display.screenshot`. Source: `docs/protocol.md`, "Screen".
    public var wire: JSONValue {
        .known([
            "displayId": .integer(Int64(displayID)), "format": .string(format.rawValue), "compact": .bool(isCompact),
            "quality": quality == 80 ? Optional.none : .integer(Int64(quality)),
            "maxWidth": maxWidth.map { .integer(Int64($0)) }, "scale": scale.map(JSONValue.number),
        ])
    }
}
