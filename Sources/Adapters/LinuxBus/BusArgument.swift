import CSystemd
import Glibc

/// A value in a message on the bus.
package indirect enum BusArgument: Hashable, Sendable {
    case text(String)
    case unsigned(UInt32)
    case signed(Int32)
    case byte(UInt8)
    case double(Double)
    case flag(Bool)
    case texts([String])
    /// The path of an object.
    case path(String)
    /// An array of structures that have the members of `signature`, for example `su`.
    case structures(of: String, [[BusArgument]])
    case dictionary([Entry])
    case variant(BusArgument)
    /// Width, height, row stride, alpha, bits per sample, channels and data of a picture: `(iiibiiay)`.
    case picture(Picture)

    package struct Entry: Hashable, Sendable {
        package let key: String
        package let value: BusArgument

        package init(_ key: String, _ value: BusArgument) {
            self.key = key
            self.value = value
        }
    }

    package struct Picture: Hashable, Sendable {
        package let numbers: [Int32]
        package let hasAlpha: Bool
        package let bytes: [UInt8]

        /// - Parameter numbers: Width, height, row stride, bits per sample and channels.
        package init(numbers: [Int32], hasAlpha: Bool, bytes: [UInt8]) {
            self.numbers = numbers
            self.hasAlpha = hasAlpha
            self.bytes = bytes
        }
    }

    var signature: String {
        switch self {
        case .text: "s"
        case .unsigned: "u"
        case .signed: "i"
        case .byte: "y"
        case .double: "d"
        case .flag: "b"
        case .texts: "as"
        case .path: "o"
        case .structures(let members, _): "a(\(members))"
        case .dictionary: "a{sv}"
        case .variant: "v"
        case .picture: "(iiibiiay)"
        }
    }

    /// - Returns: A negative errno where the message does not take it.
    func append(to message: OpaquePointer) -> Int32 {
        switch self {
        case .text(let text): Self.basic(message, "s", text)
        case .unsigned(let number): Self.basic(message, "u", number)
        case .signed(let number): Self.basic(message, "i", number)
        case .byte(let byte): Self.basic(message, "y", byte)
        case .double(let number): Self.basic(message, "d", number)
        case .flag(let flag): Self.basic(message, "b", Int32(flag ? 1 : 0))
        case .texts(let texts):
            Self.container(message, "a", "s") {
                for text in texts where Self.basic(message, "s", text) < 0 { return -EINVAL }
                return 0
            }
        case .path(let path): Self.basic(message, "o", path)
        case .structures(let members, let rows):
            Self.container(message, "a", "(\(members))") {
                for row in rows {
                    let status = Self.container(message, "r", members) {
                        for member in row where member.append(to: message) < 0 { return -EINVAL }
                        return 0
                    }
                    guard status >= 0 else { return status }
                }
                return 0
            }
        case .dictionary(let entries):
            Self.container(message, "a", "{sv}") {
                for entry in entries {
                    let status = Self.container(message, "e", "sv") {
                        guard Self.basic(message, "s", entry.key) >= 0 else { return -EINVAL }
                        return Self.container(message, "v", entry.value.signature) { entry.value.append(to: message) }
                    }
                    guard status >= 0 else { return status }
                }
                return 0
            }
        case .variant(let value): Self.container(message, "v", value.signature) { value.append(to: message) }
        case .picture(let picture):
            Self.container(message, "r", "iiibiiay") {
                for (index, number) in picture.numbers.enumerated() {
                    if index == 3 { _ = Self.basic(message, "b", Int32(picture.hasAlpha ? 1 : 0)) }
                    guard Self.basic(message, "i", number) >= 0 else { return -EINVAL }
                }
                return picture.bytes.withUnsafeBytes {
                    sd_bus_message_append_array(message, Self.letter("y"), $0.baseAddress, $0.count)
                }
            }
        }
    }

    static func letter(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }

    private static func basic(_ message: OpaquePointer, _ type: Unicode.Scalar, _ text: String) -> Int32 {
        text.withCString { sd_bus_message_append_basic(message, letter(type), $0) }
    }

    private static func basic<Number: BitwiseCopyable>(
        _ message: OpaquePointer,
        _ type: Unicode.Scalar,
        _ number: Number
    ) -> Int32 {
        withUnsafePointer(to: number) { sd_bus_message_append_basic(message, letter(type), $0) }
    }

    private static func container(
        _ message: OpaquePointer,
        _ type: Unicode.Scalar,
        _ contents: String,
        _ fill: () -> Int32
    ) -> Int32 {
        let opened = sd_bus_message_open_container(message, letter(type), contents)
        guard opened >= 0 else { return opened }
        let filled = fill()
        guard filled >= 0 else { return filled }
        return sd_bus_message_close_container(message)
    }
}
