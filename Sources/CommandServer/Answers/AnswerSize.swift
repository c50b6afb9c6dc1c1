package import Kernel

/// The size limit of one answer. Source: `docs/protocol.md`, "Clipboard, screen and system".
package enum AnswerSize {
    /// An envelope of 700,000 bytes, less what it holds beside the result.
    package static let byteLimit = 690_000

    /// The bytes `result` takes in the form that needs more: as a text it is quoted once again.
    package static func bytes(of result: JSONValue) -> Int {
        result.canonicalBytes.reduce(0) { count, byte in
            count + (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 2 : 1)
        }
    }

    package static func fits(_ result: JSONValue) -> Bool { bytes(of: result) <= byteLimit }

    /// The leading items that fit into one answer together, where each is `copies` times.
    package static func fitting<Items: Sequence>(
        _ items: Items,
        copies: Int = 1,
        _ wire: (Items.Element) -> JSONValue
    ) -> [Items.Element] {
        var size = 0
        return items.prefix { item in
            size += copies * (bytes(of: wire(item)) + 1)
            return size < byteLimit - 1024
        }
    }

    /// Bytes of a picture whose base64 is in an answer `copies` times.
    package static func pictureBytes(copies: Int) -> Int {
        let besideThePicture = 4096
        return (byteLimit - besideThePicture) / copies / 4 * 3
    }
}
