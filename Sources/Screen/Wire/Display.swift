import Commands
import Kernel

/// One of a computer's screens, as it lies beside the others.
public struct Display: Hashable, Sendable {
    /// 0 is the primary one; the others follow in the order the system lists them.
    public var id: Int
    /// The system's name of it, for example `HDMI-1`.
    public var name: String
    /// From the left edge of the whole, in pixels; below 0 where the primary display is not the leftmost.
    public var x: Int
    /// From the upper edge, as ``x``.
    public var y: Int
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// Whether the system calls it the main one. Where a program does not say it, the one with the id 0 is.
    public var isPrimary: Bool

    public init(id: Int, name: String, x: Int, y: Int, width: Int, height: Int, isPrimary: Bool) {
        self.id = id
        self.name = name
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.isPrimary = isPrimary
    }

    /// Puts the primary display first, or the first one when none says so, and numbers them.
    package static func numbered(_ displays: [Display]) -> [Display] {
        let primary = displays.firstIndex(where: \.isPrimary) ?? 0
        let order = displays.indices.sorted { ($0 == primary ? -1 : $0) < ($1 == primary ? -1 : $1) }
        return order.enumerated().map { id, index in
            var display = displays[index]
            display.id = id
            display.isPrimary = index == primary
            return display
        }
    }

    /// Nil when it does not say which one it is.
    init?(_ wire: JSONValue) {
        guard let members = try? AnswerMembers(wire, under: "bounds"),
            let id = (try? AnswerMembers(wire))?.count("id")
        else { return nil }
        self.init(
            id: id,
            name: members.text("name") ?? "",
            x: members.integer("x").flatMap(Int.init(exactly:)) ?? 0,
            y: members.integer("y").flatMap(Int.init(exactly:)) ?? 0,
            width: members.count("width") ?? 0,
            height: members.count("height") ?? 0,
            isPrimary: members.flag("primary", "isPrimary") ?? (id == 0)
        )
    }

    /// The documented members and those of existing programs.
    var wire: JSONValue {
        let (width, height) = (JSONValue.integer(Int64(width)), JSONValue.integer(Int64(height)))
        let (x, y) = (JSONValue.integer(Int64(x)), JSONValue.integer(Int64(y)))
        return [
            "id": .integer(Int64(id)), "name": .string(name), "x": x, "y": y, "width": width, "height": height,
            "primary": .bool(isPrimary), "isPrimary": .bool(isPrimary),
            "bounds": ["x": x, "y": y, "width": width, "height": height],
        ]
    }
}
