import Foundation
import Kernel
import Sealing
import Testing

@testable import Commands

/// One way that phones write a request: a file of `Fixtures/dialects` with two messages as a phone wrote them, one without parameters and one
/// whose method needs a permission. What is recorded of a method is written like these.
/// Source: `docs/protocol.md`, "Command envelopes" and "Who may do what".
enum Dialect: String, CaseIterable, Sendable {
    /// The documented one: an object, and `auth.mobileDid`.
    case documented
    /// An object, `auth.did`, and the time beside it.
    case signaling
    /// A JSON-RPC text, signed.
    case jsonRPC = "jsonrpc"

    var form: CommandRequest.Form { self == .jsonRPC ? .text : .object }

    /// The messages' bytes as they were recorded.
    func recorded() throws -> [[UInt8]] {
        try FixtureLines.read(
            try #require(FixtureLines.files(in: "dialects").first { $0.lastPathComponent == "\(rawValue).jsonl" })
        )
    }

    /// A message for each recorded request, in the order of one conversation.
    func lines() throws -> [[UInt8]] {
        try RecordedMethod.all().enumerated().map { index, recorded in
            try envelope(recorded.method, recorded.params, number: index + 1).canonicalBytes
        }
    }

    /// The first message of each method, in their order.
    func firstLines() throws -> [[UInt8]] {
        var seen: Set<String> = []
        return try lines().filter { seen.insert(try CommandRequest(envelope: JSONValue(parsing: $0)).method).inserted }
    }

    /// Each method once, and the recorded message of each dialect whose method needs a permission: a door looks at a method and at a form, never at
    /// both together.
    static func doorLines() throws -> [[UInt8]] {
        try documented.firstLines() + allCases.flatMap { try $0.recorded().suffix(1) }
    }

    /// What the messages say, whichever dialect they are in.
    static func requests() throws -> [CommandRequest] {
        try documented.lines().map { try CommandRequest(envelope: JSONValue(parsing: $0)) }
    }

    /// A request as this dialect writes it. The id and the nonce are made of its number.
    func envelope(_ method: String, _ params: JSONValue?, number: Int) throws -> JSONValue {
        let id = "5B0C2F1E-7D41-4C0A-9E6B-" + String(format: "%012X", number)
        let time = MethodHome.date.millisecondsSince1970
        var payload: [String: JSONValue] = ["id": .string(id), "method": .string(method)]
        payload["params"] = params
        switch self {
        case .documented: payload["auth"] = ["mobileDid": .string(MethodHome.phone)]
        case .signaling:
            payload["timestamp"] = .integer(time)
            payload["auth"] = ["did": .string(MethodHome.phone)]
        case .jsonRPC:
            let nonce = "n-\(number)"
            let identity = try Identity(signingSeed: MethodHome.seed, agreementSecret: MethodHome.seed)
            let text = try #require(CommandAuth.signedTexts(method: method, timestamp: time, nonce: nonce).first)
            payload["jsonrpc"] = "2.0"
            payload["auth"] = [
                "did": .string(MethodHome.phone), "timestamp": .integer(time), "nonce": .string(nonce),
                "signature": .string(Data(try identity.sign(text)).base64EncodedString()),
            ]
        }
        let written = JSONValue.object(payload)
        return [
            "type": .string(CommandRequest.type),
            "payload": form == .text ? .string(written.canonicalText) : written,
        ]
    }
}
