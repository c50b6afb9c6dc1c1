package import Commands
package import Kernel
package import Rights

extension Right {
    package static let whiteboard: Right = "whiteboard"
}

extension RightDeclaration {
    package static let whiteboard = RightDeclaration(
        .whiteboard,
        "draw on this computer's whiteboard",
        risk: .mutating,
        weight: 31
    )
}

extension EventKind {
    /// A stroke was drawn now. Told to the devices that follow the board.
    package static let strokeDrawn = EventKind("whiteboard.stroke", needs: .whiteboard)
    /// The board was wiped. Kept for devices that are away.
    package static let boardWiped = EventKind("whiteboard.wiped", needs: .whiteboard)
}

/// The whiteboard's methods.
package enum WhiteboardMethods {
    /// Strokes that one answer holds at most.
    package static let pageLimit = 50

    package static let draw = Method<Draw, Stroke>(
        "whiteboard.draw",
        needs: Permission(.whiteboard),
        risk: .mutating,
        mayWait: true,
        summary: "Draws one stroke."
    )
    package static let strokes = Method<Query, Page>(
        "whiteboard.strokes",
        needs: Permission(.whiteboard),
        risk: .safe,
        isRepeatable: true,
        summary: "Reads strokes, and follows the board from now on."
    )

    package static let all = [draw.declaration, strokes.declaration]

    package struct Draw: MethodParameters, Hashable {
        /// The form of the stroke: 1 to 200 bytes.
        package var shape: String

        package init(shape: String) { self.shape = shape }
        package init(wire: RemoteParameters) throws { shape = try wire.text("shape", limit: 200) }
        package var wire: JSONValue { ["shape": .string(shape)] }
    }

    package struct Query: MethodParameters, Hashable {
        /// The epoch of the board that the reader knows; nil where it knows none.
        package var epoch: String?
        /// The number of the last stroke that the reader has, 0 for none.
        package var after: Int64

        package init(epoch: String?, after: Int64) {
            self.epoch = epoch
            self.after = after
        }

        package init(wire: RemoteParameters) throws {
            epoch = try wire.optionalText("epoch", limit: 64)
            after = try wire.optionalInteger("after", in: 0...Int64.max) ?? 0
        }

        package var wire: JSONValue {
            var members: [String: JSONValue] = ["after": .integer(after)]
            if let epoch { members["epoch"] = .string(epoch) }
            return .object(members)
        }
    }

    package struct Page: MethodAnswer, Hashable {
        /// Begins anew each time that the board is wiped.
        package var epoch: String
        /// The number behind which this part begins: 0 where the reader knew another epoch.
        package var after: Int64
        package var strokes: [Stroke]
        /// Whether there are no more strokes now.
        package var isEnd: Bool

        package init(epoch: String, after: Int64, strokes: [Stroke], isEnd: Bool) {
            self.epoch = epoch
            self.after = after
            self.strokes = strokes
            self.isEnd = isEnd
        }

        package init(wire: JSONValue) throws(RemoteError) {
            guard let epoch = wire["epoch"]?.stringValue, let after = wire["after"]?.integerValue,
                let items = wire["strokes"]?.arrayValue, let isEnd = wire["isEnd"]?.boolValue
            else { throw .malformedResult }
            var strokes: [Stroke] = []
            for item in items { strokes.append(try Stroke(wire: item)) }
            self.init(epoch: epoch, after: after, strokes: strokes, isEnd: isEnd)
        }

        package var wire: JSONValue {
            [
                "success": true, "epoch": .string(epoch), "after": .integer(after),
                "strokes": .array(strokes.map(\.wire)), "isEnd": .bool(isEnd),
            ]
        }
    }
}

/// One stroke on a board.
package struct Stroke: MethodAnswer, Hashable {
    /// Counts the strokes since the board was wiped, from 1.
    package let number: Int64
    /// The id of the caller that drew it.
    package let artist: String
    package let shape: String

    package init(number: Int64, artist: String, shape: String) {
        self.number = number
        self.artist = artist
        self.shape = shape
    }

    package init(wire: JSONValue) throws(RemoteError) {
        guard let number = wire["number"]?.integerValue, let artist = wire["artist"]?.stringValue,
            let shape = wire["shape"]?.stringValue
        else { throw .malformedResult }
        self.init(number: number, artist: artist, shape: shape)
    }

    package var wire: JSONValue {
        ["number": .integer(number), "artist": .string(artist), "shape": .string(shape)]
    }
}

/// The binary form of ``WhiteboardMethods/draw``: its byte, then the shape in UTF-8. It is answered with the byte and the stroke's number, of
/// which a byte is left; 0 says that it was refused.
package enum WhiteboardFrame {
    package static let firstByte: UInt8 = 0x03

    package static func draw(_ shape: String) -> [UInt8] { [firstByte] + Array(shape.utf8) }

    /// Nil for a frame without a shape.
    package static func shape(of frame: [UInt8]) -> String? {
        frame.count > 1 ? String(validating: frame.dropFirst(), as: UTF8.self) : nil
    }
}
