import Foundation

extension [UInt8] {
    /// Bytes as programs send those of pictures: base64, also behind the beginning of a data URL. Nil for anything else.
    package init?(base64OrDataURL text: String) {
        let base64 = text.hasPrefix("data:image/") ? text.drop { $0 != "," }.dropFirst() : text[...]
        guard let data = Data(base64Encoded: String(base64)) else { return nil }
        self.init(data)
    }
}
