import Chat
import Foundation
import Kernel
import Push
import Testing

@testable import ChatHub

@Suite("The hub's key of Web Push", .timeLimit(.minutes(1)))
struct WebPushesTests {
    private static func make(in folder: URL) throws -> WebPushes {
        try WebPushes(folder, time: .system, logger: OutboxRig.logger) { WebPushConfiguration(key: $0, contact: nil) }
    }

    @Test("browsers bind to it, so it lasts; nobody else can read it")
    func lasts() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wp-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = try Self.make(in: folder).publicKey
        #expect(Base64URL.decode(key)?.count == 65)
        #expect(try Self.make(in: folder).publicKey == key)
        let file = folder.appending(path: "keys/push").path
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test("a subscription is checked before it is kept: its address, its keys and a key of the device's own")
    func check() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wp-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: folder) }
        let pushes = try Self.make(in: folder)
        let device = Base64URL.encode(VAPIDKey().publicKey)
        let secret = Base64URL.encode([UInt8](repeating: 7, count: 16))
        func subscription(_ endpoint: String, key: String? = nil) -> RegisterPush.Subscription {
            .init(endpoint: endpoint, publicKey: device, secret: secret, applicationKey: key)
        }
        let own = Base64URL.encode(VAPIDKey().rawRepresentation)
        #expect(throws: Never.self) { try pushes.check(subscription("https://push.example.org/x")) }
        #expect(throws: Never.self) { try pushes.check(subscription("https://push.example.org/x", key: own)) }
        for endpoint in ["http://push.example.org/x", "https://127.0.0.1/x", "https://localhost/x", ""] {
            #expect(throws: PushError.self) { try pushes.check(subscription(endpoint)) }
        }
        #expect(throws: PushError.self) { try pushes.check(subscription("https://push.example.org/x", key: "AAAA")) }
    }
}
