import Foundation

/// The password of a package, in the form that is the same on every device: Unicode's NFKC, so that a keyboard's way to write a letter does
/// not matter. Source: `docs/protocol.md` 2.13.
public struct MigrationPassword: Equatable, Sendable {
    public static let minimumLength = 10
    /// Enough for any sentence; a longer one is refused before it is normalised.
    public static let maximumByteCount = 1024
    private static let minimumBits = 40.0

    let bytes: [UInt8]

    /// Takes what a person typed to open a package.
    ///
    /// - Throws: ``ContainerError/wrongPassword`` for an empty one or one beyond the bound: no package has such a password.
    public init(toOpen text: String) throws(ContainerError) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount else { throw .wrongPassword }
        bytes = Array(text.precomposedStringWithCompatibilityMapping.utf8)
    }

    /// Takes what a person chose for a new package.
    ///
    /// - Throws: ``ContainerError/weakPassword``, ``ContainerError/invalidArgument(_:)`` beyond ``maximumByteCount``.
    public init(new text: String) throws(ContainerError) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .invalidArgument("password") }
        let normal = text.precomposedStringWithCompatibilityMapping
        guard normal.count >= Self.minimumLength || Self.estimatedBits(normal) >= Self.minimumBits else {
            throw .weakPassword
        }
        bytes = Array(normal.utf8)
    }

    /// An upper estimate: each different character counts as drawn from the classes that appear.
    static func estimatedBits(_ text: String) -> Double {
        var alphabet = 0.0
        let scalars = text.unicodeScalars
        if scalars.contains(where: { ("a"..."z").contains($0) }) { alphabet += 26 }
        if scalars.contains(where: { ("A"..."Z").contains($0) }) { alphabet += 26 }
        if scalars.contains(where: { ("0"..."9").contains($0) }) { alphabet += 10 }
        if scalars.contains(where: { $0.isASCII && !$0.properties.isAlphabetic && !("0"..."9").contains($0) }) {
            alphabet += 33
        }
        // Letters beyond ASCII: a thousand of them is what a person of any one script uses.
        if scalars.contains(where: { !$0.isASCII }) { alphabet += 1000 }
        guard alphabet > 1 else { return 0 }
        return Double(Set(text).count) * log2(alphabet)
    }

    /// 30 random digits (99 bits) in groups of five.
    public static func randomDigits(using generator: inout some RandomNumberGenerator) -> String {
        (0..<6).map { _ in (0..<5).map { _ in String(Int.random(in: 0..<10, using: &generator)) }.joined() }
            .joined(separator: " ")
    }
}
