/// The name of an object's file in the cache: its key with every "/" as "_". Source: rule M2.
///
/// Two keys may have one name ("a/b_c" and "a_b/c"): our server makes no keys with "_".
public struct MediaName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// - Throws: ``ChatError/badObjectKey`` for an empty key, one of more than ``ChatLimits/objectKey`` bytes, one with "..", a control
    ///   character or a backslash, and one that begins with a dot: none of them can leave the folder or hide in it.
    public init(objectKey: String) throws(ChatError) {
        let bytes = objectKey.utf8
        guard !bytes.isEmpty, bytes.count <= ChatLimits.objectKey, bytes.first != UInt8(ascii: "."),
            !objectKey.contains(".."), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
        else { throw .badObjectKey }
        text = objectKey.replacing("/", with: "_")
    }

    public var description: String { text }
}
