/// Four bytes, written a.b.c.d.
public struct IPv4Address: Hashable, Sendable, CustomStringConvertible {
    /// The four bytes, the first of the dotted form first.
    public let bytes: [UInt8]

    public init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        bytes = [first, second, third, fourth]
    }

    /// Nil for anything but four decimal numbers: short forms, hexadecimal and leading zeros mean different
    /// addresses to different programs.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"), let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    public var description: String { bytes.map(String.init).joined(separator: ".") }

    /// 127.0.0.0/8.
    public var isLoopback: Bool { bytes[0] == 127 }
    /// 169.254.0.0/16: the addresses that a machine gives itself when no server gives it one.
    public var isLinkLocal: Bool { bytes[0] == 169 && bytes[1] == 254 }
    /// 100.64.0.0/10: carriers' own, and those that overlay networks such as Tailscale hand out.
    public var isShared: Bool { bytes[0] == 100 && (64...127).contains(bytes[1]) }

    /// The private network of RFC 1918 it belongs to, if any.
    public var privateNetwork: PrivateNetwork? {
        switch (bytes[0], bytes[1]) {
        case (192, 168): .network192
        case (10, _): .network10
        case (172, 16...31): .network172
        default: nil
        }
    }

    /// The networks of RFC 1918, the likeliest home network first.
    public enum PrivateNetwork: Int, Hashable, Sendable, Comparable {
        case network192, network10, network172

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }
}
