import Crypto
import Foundation
import Kernel
import WebClient

/// Where an app's backend is told, and the secret by which it knows that this hub tells it.
package struct WebhookTarget: Hashable, Sendable {
    /// Bytes of a secret.
    static let secretLengths = 16...1024

    let url: WebURL
    private let secret: String

    /// - Throws: ``ChatHubError/malformed(_:)`` with the setting's name: the address is no web address, or the secret is missing, too short or too
    ///   long. An address of a private network is taken: whoever runs the hub chose it.
    package init(url text: String, secret: String?) throws(ChatHubError) {
        guard let url = try? WebURL(text) else { throw .malformed("chatWebhook") }
        guard let secret, Self.secretLengths.contains(secret.utf8.count) else {
            throw .malformed("chatWebhookSecret")
        }
        self.url = url
        self.secret = secret
    }

    /// HMAC-SHA256 over the time in seconds, a dot and the body, in hexadecimal digits.
    func signature(of body: [UInt8], at seconds: Int64) -> String {
        let message = Data("\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: Data(secret.utf8)))
        return Hexadecimal.encode(Array(code))
    }
}
