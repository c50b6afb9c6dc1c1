import Foundation
package import Kernel
package import Transfers

/// The wire's form of files. Members are emitted under the documented and the observed names. Source: `docs/protocol.md`, "Files".
package enum FileAnswer {
    /// What an answer may hold so that its message stays below 700,000 bytes, also as a JSON text inside a JSON text.
    package static let budget = 640_000

    package static func entry(name: [UInt8], path: String, status: FileStatus, isFolder: Bool) -> JSONValue {
        let text = FileNameText.text(name)
        var members: [String: JSONValue] = [
            "name": .string(text), "path": .string(path), "type": .string(status.kind.documentedType),
            "isDirectory": .bool(isFolder), "size": .integer(status.size),
            "modifiedTime": .integer(milliseconds(status.modifiedNanoseconds)),
            "modified": .integer(milliseconds(status.modifiedNanoseconds)),
            "createdTime": .integer(milliseconds(status.createdNanoseconds ?? status.modifiedNanoseconds)),
            "accessedTime": .integer(milliseconds(status.accessedNanoseconds)),
            "isHidden": .bool(name.first == UInt8(ascii: ".")),
            "isReadOnly": .bool(status.permissions & 0o222 == 0),
            "kind": .string(status.kind.rawValue), "permissions": .integer(Int64(status.permissions)),
        ]
        if FileNameText.isEscaped(text) { members["nameBytes"] = .string(Data(name).base64EncodedString()) }
        return .object(members)
    }

    /// `f 644 1024 1790000000000 name/`: kind, octal permissions, size, modified, and the name up to the slash no name can hold.
    package static func appendCompact(name: [UInt8], status: FileStatus, to bytes: inout [UInt8]) {
        bytes.append(letter(status.kind))
        for number in [Int64(status.permissions), status.size, milliseconds(status.modifiedNanoseconds)].enumerated() {
            bytes.append(UInt8(ascii: " "))
            bytes += String(number.element, radix: number.offset == 0 ? 8 : 10).utf8
        }
        bytes.append(UInt8(ascii: " "))
        bytes += FileNameText.text(name).utf8
        bytes.append(UInt8(ascii: "/"))
    }

    package static func milliseconds(_ nanoseconds: Int64) -> Int64 {
        (Double(nanoseconds) / 1_000_000).rounded(.down) < 0
            ? -((-nanoseconds + 999_999) / 1_000_000) : nanoseconds / 1_000_000
    }

    /// The bytes of `text` in a JSON text that is itself a text in a message: the longest form an asker may want.
    package static func cost(_ text: some Sequence<UInt8>) -> Int {
        text.reduce(0) { $0 + cost(of: $1) }
    }

    package static func cost(of byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): 4
        case 0x09, 0x0A, 0x0D: 3
        case 0..<0x20: 7
        default: 1
        }
    }

    private static func letter(_ kind: FileKind) -> UInt8 {
        switch kind {
        case .file: UInt8(ascii: "f")
        case .folder: UInt8(ascii: "d")
        case .link: UInt8(ascii: "l")
        case .fifo: UInt8(ascii: "p")
        case .socket: UInt8(ascii: "s")
        case .characterDevice: UInt8(ascii: "c")
        case .blockDevice: UInt8(ascii: "b")
        case .kernel: UInt8(ascii: "k")
        }
    }
}
