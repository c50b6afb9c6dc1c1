import Crypto

/// A hash by which a package is known again.
enum SHA256Sum {
    static func of(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
