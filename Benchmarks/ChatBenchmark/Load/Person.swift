import Foundation

/// Somebody with an account at the measured server, as `bin/benchmark chat` made it.
struct Person: Codable, Hashable {
    /// The id that others write to: `tb_7` at a hub, the part before `@` at an XMPP server.
    let id: String
    /// An access token, or a password.
    let secret: String

    /// - Parameter path: Of a JSON array.
    static func all(in path: String) throws -> [Person] {
        try JSONDecoder().decode([Person].self, from: Data(contentsOf: URL(filePath: path)))
    }
}
