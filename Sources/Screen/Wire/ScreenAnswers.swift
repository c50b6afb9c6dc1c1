public import Commands
import Foundation
public import Kernel
public import Pictures

/// A picture of one display.
public struct Screenshot: MethodAnswer, Hashable {
    /// The names under which an answer holds the picture.
    package enum Copies: Hashable, Sendable {
        /// Only `imageBase64`.
        case one
        /// `imageBase64` and `data`.
        case two
        /// `imageBase64`, `data` and `dataUrl`.
        case three
    }

    /// The picture's file.
    public var bytes: [UInt8]
    /// The picture's real format, also when another was asked for. Nil for a format that is not ours.
    public var format: PictureFormat?
    /// In pixels.
    public var dimensions: PictureDimensions
    /// The display's size, in pixels.
    public var original: PictureDimensions
    /// Whether it is in another format than was asked for, because as that it was too large to send.
    public var isConverted: Bool
    /// A ``Display/id``.
    public var displayID: Int
    /// In milliseconds since 1970. Nil from programs that do not say.
    public var timestamp: Int64?
    package var copies: Copies

    package init(
        bytes: [UInt8],
        format: PictureFormat?,
        dimensions: PictureDimensions,
        original: PictureDimensions,
        isConverted: Bool,
        displayID: Int,
        timestamp: Int64?,
        copies: Copies = .one
    ) {
        self.bytes = bytes
        self.format = format
        self.dimensions = dimensions
        self.original = original
        self.isConverted = isConverted
        self.displayID = displayID
        self.timestamp = timestamp
        self.copies = copies
    }

    /// Whether it is smaller than the display.
    public var isScaled: Bool { dimensions != original }

    /// Takes the picture from the first of `imageBase64`, `data` and `dataUrl` that is not empty; sizes that are not said are 0.
    ///
    /// - Throws: `RemoteError/malformedResult` without a picture in base64.
    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        let texts = [members.text("imageBase64"), members.text("data"), members.text("dataUrl")].compactMap(\.self)
        guard let text = texts.first(where: { !$0.isEmpty }), let bytes = [UInt8](base64OrDataURL: text), !bytes.isEmpty
        else { throw .malformedResult }
        // Width and height may be in a member of their own only.
        let size = try AnswerMembers(wire, under: "dimensions")
        let dimensions = PictureDimensions(width: size.count("width") ?? 0, height: size.count("height") ?? 0)
        self.init(
            bytes: bytes,
            format: PictureFormat(signatureOf: bytes),
            dimensions: dimensions,
            original: PictureDimensions(
                width: members.count("originalWidth") ?? dimensions.width,
                height: members.count("originalHeight") ?? dimensions.height
            ),
            isConverted: members.flag("converted") ?? false,
            displayID: members.count("displayId") ?? 0,
            timestamp: members.integer("timestamp"),
            copies: members.text("data") == nil ? .one : members.text("dataUrl") == nil ? .two : .three
        )
    }

    /// The documented members and those of existing programs.
    public var wire: JSONValue {
        let text = Data(bytes).base64EncodedString()
        let (width, height) = (JSONValue.integer(Int64(dimensions.width)), JSONValue.integer(Int64(dimensions.height)))
        var members: [String: JSONValue] = [
            "success": true, "saved": false, "displayId": .integer(Int64(displayID)), "imageBase64": .string(text),
            "format": format.map { .string($0.rawValue) } ?? .null, "width": width, "height": height,
            "dimensions": ["width": width, "height": height], "size": .integer(Int64(bytes.count)),
            "scaled": .bool(isScaled), "converted": .bool(isConverted),
            "originalWidth": .integer(Int64(original.width)), "originalHeight": .integer(Int64(original.height)),
        ]
        if let timestamp { members["timestamp"] = .integer(timestamp) }
        if copies != .one { members["data"] = .string(text) }
        if copies == .three, let format { members["dataUrl"] = .string("data:\(format.mimeType);base64,\(text)") }
        return .object(members)
    }
}

/// A computer's displays, the primary one first.
package struct Displays: MethodAnswer, Hashable {
    package var displays: [Display]

    package init(_ displays: [Display]) { self.displays = displays }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let list = try AnswerMembers(wire).list("displays", limit: 256) else { throw .malformedResult }
        displays = list.compactMap(Display.init)
    }

    package var wire: JSONValue {
        [
            "success": true, "displays": .array(displays.map(\.wire)), "total": .integer(Int64(displays.count)),
        ]
    }
}
