import Kernel

/// The address at which a push service takes messages for one subscription (RFC 8030 section 5). It is a secret: a sender that has it can write to the
/// device. So its description is the origin alone.
package struct PushEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The longest address that is taken, in bytes.
    package static let largestLength = 2048

    /// The whole address, for keeping it.
    package let text: String
    package let origin: PushOrigin
    /// The path with the query, as it stands in the address.
    let requestTarget: String

    /// - Parameters:
    ///   - text: The address that the device was given by its push service.
    ///   - allowing: Origins that may have another port or a local name: push services of the owner's own.
    /// - Throws: ``PushError/malformed(_:rule:)`` unless it is an https address of at most ``largestLength`` bytes with a DNS name, without user
    ///   information and fragment; ``PushError/originNotAllowed(_:)``.
    package init(_ text: String, allowing: Set<PushOrigin> = []) throws(PushError) {
        guard text.utf8.count <= Self.largestLength else {
            throw .malformed(.endpoint, rule: "at most \(Self.largestLength) bytes long")
        }
        guard text.hasOnlyLettersAndDigits(or: Self.marks), text.prefix(8).lowercased() == "https://" else {
            throw .malformed(.endpoint, rule: "an https address, without a fragment")
        }
        let rest = text.dropFirst(8)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // User information has an @, which is in no name.
        guard let origin = PushOrigin(authority: authority) else {
            throw .malformed(.endpoint, rule: "an https address with a DNS name, and nothing before the name")
        }
        guard origin.isOrdinary || allowing.contains(origin) else { throw .originNotAllowed(origin) }
        self.text = text
        self.origin = origin
        let target = rest[authority.endIndex...]
        requestTarget = target.hasPrefix("/") ? String(target) : "/\(target)"
    }

    package var description: String { "\(origin)/…" }

    /// What RFC 3986 lets stand in an address beside letters and digits; # and the brackets of IPv6 addresses are left out.
    private static let marks = "-._~%!$&'()*+,;=:@/?"
}
