import Kernel

/// What a phone would answer about conversations: the members that a test names, and ordinary ones besides.
enum ChatSample {
    static let conversation = "si_tb_1_tb_7"

    static func row(_ members: [String: JSONValue] = [:]) -> JSONValue {
        let ordinary: [String: JSONValue] = [
            "id": "si_tb_1_tb_7", "user": "tb_7", "name": "Ada", "avatar": .null, "isOnline": false, "isPinned": false,
            "isMuted": false, "isBlocked": false, "isDeleted": false, "request": .null, "draft": .null, "unread": 0,
            "last": .null, "readByPeer": 0, "receivedByPeer": 0, "newest": 9, "read": 0, "isSealed": true,
            "isVerified": false, "trouble": .null,
        ]
        return .object(ordinary.merging(members) { $1 })
    }

    static func message(_ members: [String: JSONValue] = [:]) -> JSONValue {
        let ordinary: [String: JSONValue] = [
            "id": "5f0c2b1e-0001-4000-8000-000000000001", "conversation": "si_tb_1_tb_7", "from": "tb_7",
            "isMine": false, "kind": "text", "text": "Hello", "time": 1_790_000_000_000, "seq": 1, "status": "sent",
            "error": .null, "progress": 1, "pictures": [], "voice": .null, "quote": .null, "flash": .null,
            "isSealed": true, "trouble": .null, "isUnexpectedlyClear": false,
        ]
        return .object(ordinary.merging(members) { $1 })
    }

    /// An own one.
    static func own(_ members: [String: JSONValue] = [:]) -> JSONValue {
        message(["isMine": true, "from": "tb_1"].merging(members) { $1 })
    }

    static func standing(_ rows: [JSONValue], _ members: [String: JSONValue] = [:]) -> JSONValue {
        let ordinary: [String: JSONValue] = [
            "state": "live", "me": ["user": "tb_1", "name": "bob", "nickname": "Bob"],
            "conversations": .array(rows), "unread": 0, "requests": 0,
        ]
        return .object(ordinary.merging(members) { $1 })
    }

    static func page(_ messages: [JSONValue], notices: [JSONValue] = [], isEnd: Bool = true) -> JSONValue {
        ["messages": .array(messages), "notices": .array(notices), "isEnd": .bool(isEnd)]
    }

    /// A line of the phone behind a place.
    static func notice(_ id: Int64, after place: Int64, _ members: [String: JSONValue]) -> JSONValue {
        let ordinary: [String: JSONValue] = [
            "id": .integer(id), "conversation": "si_tb_1_tb_7", "after": .integer(place), "time": 1_790_000_000_000,
            "added": [], "removed": [], "isAnew": false,
        ]
        return .object(ordinary.merging(members) { $1 })
    }
}
