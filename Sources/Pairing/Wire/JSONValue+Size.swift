import Kernel

extension JSONValue {
    /// Whether its JSON text has at most `limit` bytes; escapes are not counted. Counting ends at the limit, since a peer's
    /// message may be as large as a frame.
    func fits(within limit: Int) -> Bool {
        var room = limit
        return take(from: &room)
    }

    /// - Returns: False once nothing is left of `room`.
    private func take(from room: inout Int) -> Bool {
        switch self {
        case .null: room -= 4
        case .bool(let value): room -= value ? 4 : 5
        case .integer(let value): room -= String(value).utf8.count
        case .number(let value): room -= String(value).utf8.count
        case .string(let value): room -= value.utf8.count + 2
        case .array(let values):
            // The brackets and the commas between elements.
            room -= max(2, values.count + 1)
            for value in values {
                guard room >= 0, value.take(from: &room) else { return false }
            }
        case .object(let members):
            room -= max(2, members.count + 1)
            for (key, value) in members {
                // The quotes and the colon.
                room -= key.utf8.count + 3
                guard room >= 0, value.take(from: &room) else { return false }
            }
        }
        return room >= 0
    }
}
