import Foundation
import Kernel

/// A password as it is kept, in the form of PHC strings: `$scrypt$ln=16,r=8,p=2$SALT$KEY` with Base64 without padding.
struct PasswordHash: Hashable, Sendable {
    static let saltBytes = 16
    static let keyBytes = 32

    let parameters: ScryptParameters
    let salt: [UInt8]
    let key: [UInt8]

    init(parameters: ScryptParameters, salt: [UInt8], key: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.key = key
    }

    /// Nil for a text that is none, as of a row that something damaged.
    init?(text: String) {
        guard
            let match = text.wholeMatch(
                of: /\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([^$]{1,64})\$([^$]{1,64})/
            ),
            let exponent = Int(match.1), let blockSize = Int(match.2), let parallelism = Int(match.3),
            let salt = Self.decode(match.4), let key = Self.decode(match.5), key.count == Self.keyBytes
        else { return nil }
        let parameters = ScryptParameters(exponent: exponent, blockSize: blockSize, parallelism: parallelism)
        guard parameters.isWithinBounds else { return nil }
        self.init(parameters: parameters, salt: salt, key: key)
    }

    var text: String {
        let cost = "ln=\(parameters.exponent),r=\(parameters.blockSize),p=\(parameters.parallelism)"
        return "$scrypt$\(cost)$\(Self.encode(salt))$\(Self.encode(key))"
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map(Array.init)
    }
}
