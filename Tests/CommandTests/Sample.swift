import Kernel

/// What a role would answer or report: the members that a test names, and ordinary ones besides.
enum Sample {
    private static let ordinary: JSONValue = [
        "id": "7", "name": "Ada's phone", "platform": "android", "did": "did:key:z6MkA", "fingerprint": "ABCD-EFGH",
        "ownFingerprint": "IJKL", "endToEnd": true, "number": false, "identityChanged": false, "offers": [],
        "arrivedAt": 0, "expiresAt": 0, "payload": "{}", "code": "4829137306", "typed": true, "skills": [],
        "pairedAt": 0, "lastSeenAt": 0, "kind": "terminal", "device": "did:key:z6MkA", "right": "terminal",
        "words": "has a shell open", "detail": "",
    ]

    static func wire(_ members: JSONValue) -> JSONValue {
        (members.objectValue ?? [:]).reduce(ordinary) { $0.adding($1.key, $1.value) }
    }

    static func of<Value: Decodable>(_ members: JSONValue) throws -> Value { try wire(members).decode(as: Value.self) }
}
