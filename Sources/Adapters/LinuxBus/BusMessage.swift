import CSystemd
import DesktopNotifications

/// A message from the bus, read from its beginning to its end. Belongs to the queue of its connection.
package final class BusMessage {
    package enum Kind {
        case call, answer, failure, signal
    }

    /// Bytes of an entry's name.
    private static let entryNameLimit = 64

    let raw: OpaquePointer

    /// - Parameter raw: A reference, which this object gives back.
    init(taking raw: OpaquePointer) { self.raw = raw }

    deinit { sd_bus_message_unref(raw) }

    package var kind: Kind? {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(raw, &type) >= 0 else { return nil }
        return switch Int(type) {
        case Int(SD_BUS_MESSAGE_METHOD_CALL): .call
        case Int(SD_BUS_MESSAGE_METHOD_RETURN): .answer
        case Int(SD_BUS_MESSAGE_METHOD_ERROR): .failure
        case Int(SD_BUS_MESSAGE_SIGNAL): .signal
        default: nil
        }
    }

    // The bus bounds names to 255 bytes and checks them.
    package var sender: String? { sd_bus_message_get_sender(raw).map { String(cString: $0) } }
    package var destination: String? { sd_bus_message_get_destination(raw).map { String(cString: $0) } }
    package var interface: String? { sd_bus_message_get_interface(raw).map { String(cString: $0) } }
    /// The object that it is for, or that a signal comes from.
    package var path: String? { sd_bus_message_get_path(raw).map { String(cString: $0) } }
    package var member: String? { sd_bus_message_get_member(raw).map { String(cString: $0) } }

    package var cookie: UInt64? {
        var cookie: UInt64 = 0
        return sd_bus_message_get_cookie(raw, &cookie) >= 0 ? cookie : nil
    }

    package var replyCookie: UInt64? {
        var cookie: UInt64 = 0
        return sd_bus_message_get_reply_cookie(raw, &cookie) >= 0 ? cookie : nil
    }

    package var expectsReply: Bool { sd_bus_message_get_expect_reply(raw) > 0 }

    /// The name and the sentence of an error.
    package var failure: (name: String, sentence: String)? {
        guard let error = sd_bus_message_get_error(raw) else { return nil }
        let name = error.pointee.name.map { BoundedText.line(String(cString: $0), limit: 256) } ?? ""
        let sentence = error.pointee.message.map { Self.text($0, limit: 1024) } ?? ""
        return (name, BoundedText.line(sentence, limit: 256))
    }

    package func has(signature: String) -> Bool { sd_bus_message_has_signature(raw, signature) > 0 }

    /// - Returns: At most `limit` bytes of a text; nil where none stands there.
    package func text(limit: Int) -> String? {
        var start: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(raw, BusArgument.letter("s"), &start) > 0, let start else { return nil }
        return Self.text(start, limit: limit)
    }

    /// - Returns: At most `limit` bytes of an object's path; nil where none stands there.
    package func path(limit: Int) -> String? {
        var start: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(raw, BusArgument.letter("o"), &start) > 0, let start else { return nil }
        return Self.text(start, limit: limit)
    }

    package func unsigned() -> UInt32? { number("u", UInt32.self) }
    package func signed() -> Int32? { number("i", Int32.self) }

    /// The elements of an array of texts.
    ///
    /// - Parameter count: More than that are skipped.
    package func texts(count: Int, limit: Int) -> [String]? {
        guard enter("a", "s") else { return nil }
        var texts: [String] = []
        while let text = text(limit: texts.count < count ? limit : 0) {
            if texts.count < count { texts.append(text) }
        }
        return leave() ? texts : nil
    }

    package func number<Number: FixedWidthInteger>(_ type: Unicode.Scalar, _: Number.Type) -> Number? {
        var number: Number = 0
        return sd_bus_message_read_basic(raw, BusArgument.letter(type), &number) > 0 ? number : nil
    }

    /// - Returns: False at the end of the outer container, too.
    package func enter(_ type: Unicode.Scalar, _ contents: String) -> Bool {
        sd_bus_message_enter_container(raw, BusArgument.letter(type), contents) > 0
    }

    package func leave() -> Bool { sd_bus_message_exit_container(raw) >= 0 }

    /// Whether the container that was entered holds no more.
    package var isAtEnd: Bool { sd_bus_message_at_end(raw, 0) != 0 }

    package func skip(_ types: String) -> Bool { sd_bus_message_skip(raw, types) >= 0 }

    /// The contents of the variant that comes next.
    package func variant() -> String? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(raw, &type, &contents) > 0, type == BusArgument.letter("v") else { return nil }
        return contents.map { String(cString: $0) }
    }

    /// The entries of a dictionary from texts to variants, a name and the type of its contents each.
    ///
    /// - Parameters:
    ///   - limit: More than that are skipped.
    ///   - take: Reads or skips the variant; its false says that the message is damaged.
    /// - Returns: False where the message is damaged.
    package func eachEntry(upTo limit: Int, _ take: (String, String) -> Bool) -> Bool {
        guard enter("a", "{sv}") else { return false }
        var count = 0
        while count < limit, enter("e", "sv") {
            count += 1
            guard let name = text(limit: Self.entryNameLimit), let contents = variant(), take(name, contents), leave()
            else { return false }
        }
        while !isAtEnd { guard skip("{sv}") else { return false } }
        return leave()
    }

    /// Reads the variant that comes next with `read`.
    package func inVariant<Value>(_ contents: String, _ read: (BusMessage) -> Value?) -> Value? {
        guard enter("v", contents), let value = read(self), leave() else { return nil }
        return value
    }

    /// Valid until the message goes.
    package func bytes() -> UnsafeRawBufferPointer? {
        var start: UnsafeRawPointer?
        var count = 0
        guard sd_bus_message_read_array(raw, BusArgument.letter("y"), &start, &count) >= 0 else { return nil }
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    private static func text(_ start: UnsafePointer<CChar>, limit: Int) -> String {
        let bytes = UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self)
        var count = 0
        while count < limit, bytes[count] != 0 { count += 1 }
        return BoundedText.decoded(UnsafeBufferPointer(start: bytes, count: count), isCut: bytes[count] != 0)
    }
}
