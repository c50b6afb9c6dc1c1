import Foundation

/// Where phones find a TURN server, and the secret shared with it.
package struct TURNConfiguration: Sendable {
    /// The name or address of the TURN server, as phones reach it.
    package var host: String
    /// Shared with coturn (`static-auth-secret`). Never logged.
    package var secret: [UInt8]
    /// How long the credentials that phones are given hold.
    package var lifetime = Duration.seconds(86_400)

    package init(host: String, secret: [UInt8]) {
        self.host = host
        self.secret = secret
    }

    /// From `TANDEM_TURN_HOST` with `TANDEM_TURN_SECRET`, or `TANDEM_TURN_SECRET_FILE` naming a file; nil without a host.
    ///
    /// - Throws: ``SignalingServerError`` when there is a host and no usable secret.
    package init?(environment: [String: String]) throws(SignalingServerError) {
        guard let host = environment["TANDEM_TURN_HOST"], !host.isEmpty else { return nil }
        if let secret = environment["TANDEM_TURN_SECRET"], !secret.isEmpty {
            self.init(host: host, secret: Array(secret.utf8))
            return
        }
        guard let path = environment["TANDEM_TURN_SECRET_FILE"], !path.isEmpty else { throw .noTURNSecret(path: nil) }
        guard let file = FileManager.default.contents(atPath: path) else { throw .noTURNSecret(path: path) }
        let text = String(decoding: file, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw .noTURNSecret(path: path) }
        self.init(host: host, secret: Array(text.utf8))
    }
}
