import Foundation
import Kernel
import Testing

@testable import Commands

/// One way that phones write a request: a file with one message a line, in the order of one conversation.
/// Source: `docs/protocol.md`, "Command envelopes" and "Who may do what".
enum Dialect: String, CaseIterable, Sendable {
    /// The documented one: an object, and `auth.mobileDid`.
    case documented
    /// An object, `auth.did`, and the time beside it.
    case signaling
    /// A JSON-RPC text, signed.
    case jsonRPC = "jsonrpc"

    var form: CommandRequest.Form { self == .jsonRPC ? .text : .object }

    /// The messages' bytes.
    func lines() throws -> [[UInt8]] { try Self.lines(of: rawValue) }

    /// The first message of each method, in their order.
    func firstLines() throws -> [[UInt8]] {
        var seen: Set<String> = []
        return try lines().filter { seen.insert(try CommandRequest(envelope: JSONValue(parsing: $0)).method).inserted }
    }

    /// Each method once, and the third message of each dialect, whose method needs a permission: a door looks at a method and at a form, never at
    /// both together.
    static func doorLines() throws -> [[UInt8]] {
        try documented.firstLines() + allCases.flatMap { try $0.lines().dropFirst(2).prefix(1) }
    }

    /// What each of the messages is answered, the same in every dialect.
    static func answers() throws -> [JSONValue] { try lines(of: "answers").map { try JSONValue(parsing: $0) } }

    /// What the messages say, whichever dialect they are in.
    static func requests() throws -> [CommandRequest] {
        try documented.lines().map { try CommandRequest(envelope: JSONValue(parsing: $0)) }
    }

    private static func lines(of name: String) throws -> [[UInt8]] {
        let folder = "Fixtures/methods"
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "jsonl", subdirectory: folder))
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
}
