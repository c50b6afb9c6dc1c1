import Transport

/// DNS names as they stand in an address: lower case, letters, digits and dashes.
enum HostName {
    /// Whether `name` is a name of the Internet's DNS: at least two labels, the last one no number, none that only a local network gives out.
    static func isPublic(_ name: String) -> Bool {
        guard isName(name), !LocalAddresses.isLocal(name) else { return false }
        let labels = name.split(separator: ".")
        // Resolvers read a name whose last label is a number as an IPv4 address, in many spellings.
        guard labels.count > 1, let last = labels.last?.utf8.first, isLetter(last) else { return false }
        return !name.hasSuffix(".internal")
    }

    /// Whether `name` is written like a DNS name: labels of 1 to 63 characters, at most 253 in all (RFC 1035 section 2.3).
    static func isName(_ name: String) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.first != dash && label.utf8.last != dash
                && label.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == dash }
        }
    }

    private static let dash = UInt8(ascii: "-")
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
