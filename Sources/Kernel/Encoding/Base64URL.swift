public import Foundation

/// Base64 with `-` and `_` and without padding (RFC 4648 section 5): safe in a URL and short in a QR code.
public enum Base64URL {
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil for anything but the alphabet above. Padding is accepted, since some encoders add it.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var standard = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        guard standard.utf8.count % 4 != 1 else { return nil }
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard).map(Array.init)
    }
}
