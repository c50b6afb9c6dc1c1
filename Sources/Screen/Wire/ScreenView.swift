package import Commands
package import Kernel
package import Pictures

/// The parameters of opening a live view of a display.
package struct ScreenViewQuery: MethodParameters, Hashable {
    /// The range of ``maxWidth``.
    package static let widths: ClosedRange<Int> = 160...4096

    package var view: ScreenViewID
    /// A ``Display/id``, 0 to 255.
    package var displayID: Int
    /// In pixels; a display that is no wider is shown as it is.
    package var maxWidth: Int

    package init(view: ScreenViewID, displayID: Int = 0, maxWidth: Int = 1280) {
        self.view = view
        self.displayID = displayID
        self.maxWidth = maxWidth
    }

    package init(wire: RemoteParameters) throws {
        view = try Self.view(wire)
        displayID = Int(try wire.optionalInteger("displayId", in: 0...255) ?? 0)
        let widths = Int64(Self.widths.lowerBound)...Int64(Self.widths.upperBound)
        maxWidth = Int(try wire.optionalInteger("maxWidth", in: widths) ?? 1280)
    }

    package var wire: JSONValue {
        [
            "viewId": .string(view.text), "displayId": .integer(Int64(displayID)),
            "maxWidth": .integer(Int64(maxWidth)),
        ]
    }

    static func view(_ wire: RemoteParameters) throws -> ScreenViewID {
        guard let view = ScreenViewID(text: try wire.text("viewId", limit: 16)) else {
            throw RemoteFailure.badParameter("viewId", "16 hexadecimal digits")
        }
        return view
    }
}

/// A view that was opened.
package struct ScreenViewChoice: MethodParameters, Hashable {
    package var view: ScreenViewID

    package init(_ view: ScreenViewID) { self.view = view }

    package init(wire: RemoteParameters) throws { view = try ScreenViewQuery.view(wire) }

    package var wire: JSONValue { ["viewId": .string(view.text)] }
}

/// A view that was opened: its pictures come as frames.
package struct ScreenViewOpened: MethodAnswer, Hashable {
    /// The size of its pictures, in pixels.
    package var dimensions: PictureDimensions
    /// The display's size, in pixels.
    package var original: PictureDimensions

    package init(dimensions: PictureDimensions, original: PictureDimensions) {
        self.dimensions = dimensions
        self.original = original
    }

    /// - Throws: `RemoteError/malformedResult` without a size from 1 to what could be asked for, 16384 high.
    package init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        func size(_ width: String, _ height: String, _ widths: ClosedRange<Int>) throws(RemoteError)
            -> PictureDimensions
        {
            guard let width = members.count(width), let height = members.count(height), widths.contains(width),
                (1...16_384).contains(height)
            else { throw .malformedResult }
            return PictureDimensions(width: width, height: height)
        }
        dimensions = try size("width", "height", 1...ScreenViewQuery.widths.upperBound)
        original = try size("originalWidth", "originalHeight", 1...65_535)
    }

    package var wire: JSONValue {
        [
            "width": .integer(Int64(dimensions.width)), "height": .integer(Int64(dimensions.height)),
            "originalWidth": .integer(Int64(original.width)), "originalHeight": .integer(Int64(original.height)),
        ]
    }
}
