import Kernel

/// One of this computer's screens, as it lies beside the others.
package struct Display: Hashable, Sendable {
    /// 0 is the primary one; the others follow in the order the system lists them.
    package var id: Int
    /// As the system names it, for example `HDMI-1`.
    package var name: String
    package var x: Int
    package var y: Int
    /// In pixels.
    package var width: Int
    package var height: Int
    package var isPrimary: Bool

    package init(id: Int, name: String, x: Int, y: Int, width: Int, height: Int, isPrimary: Bool) {
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

    var json: JSONValue {
        let (width, height) = (JSONValue.integer(Int64(width)), JSONValue.integer(Int64(height)))
        let (x, y) = (JSONValue.integer(Int64(x)), JSONValue.integer(Int64(y)))
        return [
            "id": .integer(Int64(id)), "name": .string(name), "x": x, "y": y, "width": width, "height": height,
            "primary": .bool(isPrimary), "isPrimary": .bool(isPrimary),
            "bounds": ["x": x, "y": y, "width": width, "height": height],
        ]
    }
}
