/// An app on one Apple device, as Apple's push service knows it. Messages for it are sent by the app's own server, which has the key that Apple
/// gave to the app's maker.
package struct APNsDevice: Hashable, Sendable, CustomStringConvertible {
    /// Apple has one service for apps from its store and one for apps under development.
    package enum Environment: String, Hashable, Sendable { case production, development }

    /// The device token. Its length is Apple's to choose.
    package let token: [UInt8]
    /// The app's bundle identifier.
    package let bundle: String
    package let environment: Environment

    /// - Throws: ``PushError/malformed(_:rule:)`` for a token that is empty or longer than 256 bytes, and for a bundle identifier with other
    ///   characters than Apple's or more than 155 of them.
    package init(token: [UInt8], bundle: String, environment: Environment) throws(PushError) {
        guard (1...256).contains(token.count) else { throw .malformed(.token, rule: "1 to 256 bytes") }
        guard (1...155).contains(bundle.utf8.count), bundle.utf8.allSatisfy(Self.isAllowed) else {
            throw .malformed(.bundle, rule: "1 to 155 letters, digits, dots and dashes")
        }
        self.token = token
        self.bundle = bundle
        self.environment = environment
    }

    /// Nothing secret: for logs and errors.
    package var description: String { "\(bundle) (\(environment.rawValue))" }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
