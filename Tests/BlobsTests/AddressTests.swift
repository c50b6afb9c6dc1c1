import Foundation
import Kernel
import KernelTesting
import Testing
import Transport

@testable import Blobs

@Suite("Signed addresses", .timeLimit(.minutes(2)))
final class AddressTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "addresses-\(UUID().uuidString)")
    /// Twelve minutes past the hour.
    private let clock = ManualClock(date: Date(timeIntervalSince1970: 497_223 * 3600 + 720))
    private let key: BlobKey

    init() throws {
        key = BlobKey.make(in: "chat/image", at: clock.date, fileExtension: "jpg")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func signer() throws -> (AddressSigner, AddressKeys) {
        let keys = try AddressKeys(folder, time: clock)
        return (AddressSigner(keys, time: clock), keys)
    }

    private func request(_ target: String) -> RouteRequest {
        RouteRequest(method: "GET", target: target, host: "h", clientAddress: nil)
    }

    @Test("an address opens its blob for the one it was made for until it expires, at a full hour")
    func roundTrip() throws {
        let (signer, _) = try signer()
        let address = try signer.address(of: key, for: "7", lifetime: 3600)
        #expect(address.expiresAt % 3600 == 0)
        let target = address.target(at: "/media")
        #expect(target.hasPrefix("/media/\(key)?e=\(address.expiresAt)&u=7&k=1&s="))
        #expect(try signer.check(key.description, request(target)) == "7")
        // The same address again, for as long as that hour lasts.
        clock.advance(by: .seconds(47 * 60))
        #expect(try signer.address(of: key, for: "7", lifetime: 3600) == address)
        clock.advance(by: .seconds(2 * 60))
        #expect(try signer.address(of: key, for: "7", lifetime: 3600) != address)
        let left = address.expiresAt - Int64(clock.date.timeIntervalSince1970)
        clock.advance(by: .seconds(left - 1))
        #expect(try signer.check(key.description, request(target)) == "7")
        clock.advance(by: .seconds(1))
        #expect(throws: BlobError.addressExpired) { try signer.check(key.description, request(target)) }
    }

    @Test("no address lives longer than a day", arguments: [0, 1, 3600, 86_399, 86_400, 1e9] as [TimeInterval])
    func lifetimes(lifetime: TimeInterval) throws {
        let (signer, _) = try signer()
        for _ in 0..<5 {
            clock.advance(by: .seconds(1234))
            let address = try signer.address(of: key, for: "7", lifetime: lifetime)
            let now = Int64(clock.date.timeIntervalSince1970)
            #expect(address.expiresAt > now && address.expiresAt <= now + 86_400)
            #expect(address.expiresAt >= now + Int64(min(lifetime, 82_800)))
            #expect(try signer.check(key.description, request(address.target(at: ""))) == "7")
        }
    }

    @Test("a bit that differs anywhere makes it a forgery")
    func forgedBits() throws {
        let (signer, _) = try signer()
        let address = try signer.address(of: key, for: "7")
        func check(_ key: String, e: String, u: String, k: String, s: String) throws {
            _ = try signer.check(key, request("/media/x?e=\(e)&u=\(u)&k=\(k)&s=\(s)"))
        }
        let (e, s) = ("\(address.expiresAt)", Base64URL.encode(address.signature))
        try check(key.description, e: e, u: "7", k: "1", s: s)
        for bit in 0..<256 {
            var signature = address.signature
            signature[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: BlobError.addressForged) {
                try check(key.description, e: e, u: "7", k: "1", s: Base64URL.encode(signature))
            }
        }
        let other = BlobKey.make(in: "chat/image", at: clock.date, fileExtension: "jpg").description
        let forgeries = [
            (other, e, "7", "1", s), (key.description, "\(address.expiresAt + 3600)", "7", "1", s),
            (key.description, e, "8", "1", s), (key.description, e, "7", "2", s), (key.description, e, "7", "", s),
            (key.description, "0\(e)", "7", "1", s), (key.description, "%2B\(e)", "7", "1", s),
            (key.description, "", "7", "1", s), (key.description, e, "", "1", s),
            (key.description, e, "7", "1", ""), (key.description, e, "7", "1", String(s.dropLast())),
            (key.description, e, "7", "1", s + "A"), (key.description, e, "7%0A", "1", s), ("", e, "7", "1", s),
            ("../\(key)", e, "7", "1", s), (String(repeating: "a", count: 5000), e, "7", "1", s),
        ]
        for (key, e, u, k, s) in forgeries {
            #expect(throws: BlobError.addressForged) { try check(key, e: e, u: u, k: k, s: s) }
        }
        for missing in ["u=7&k=1&s=\(s)", "e=\(e)&k=1&s=\(s)", "e=\(e)&u=7&s=\(s)", "e=\(e)&u=7&k=1", ""] {
            #expect(throws: BlobError.addressForged) {
                try signer.check(key.description, request("/media/x?\(missing)"))
            }
        }
    }

    @Test("an address that is good for more than a day is a forgery, although its signature is right")
    func tooFar() throws {
        let (signer, keys) = try signer()
        let ahead = ManualClock(date: clock.date.addingTimeInterval(7200))
        let address = try AddressSigner(keys, time: ahead).address(of: key, for: "7", lifetime: 86_400)
        #expect(throws: BlobError.addressForged) {
            try signer.check(key.description, request(address.target(at: "")))
        }
        clock.advance(by: .seconds(7200))
        #expect(try signer.check(key.description, request(address.target(at: ""))) == "7")
    }

    @Test("names are escaped, and such as are none get no address")
    func users() throws {
        let (signer, _) = try signer()
        for user in ["7", "a b&c=d#e", "\n", "用户", String(repeating: "x", count: 128)] {
            let address = try signer.address(of: key, for: user)
            #expect(try signer.check(key.description, request(address.target(at: "/m"))) == user)
        }
        for user in ["", String(repeating: "x", count: 129)] {
            #expect(throws: BlobError.self) { try signer.address(of: key, for: user) }
        }
    }

    @Test("two keys live at a time: after one rotation an address is good, after two it is a forgery")
    func rotation() async throws {
        let (signer, keys) = try signer()
        let first = try signer.address(of: key, for: "7")
        try await keys.rotate()
        let second = try signer.address(of: key, for: "7")
        #expect(first.keyID == "1" && second.keyID == "2" && first.signature != second.signature)
        // Also for the next process.
        let (next, _) = try self.signer()
        for address in [first, second] {
            #expect(try signer.check(key.description, request(address.target(at: ""))) == "7")
            #expect(try next.check(key.description, request(address.target(at: ""))) == "7")
        }
        try await keys.rotate()
        #expect(throws: BlobError.addressForged) { try signer.check(key.description, request(first.target(at: ""))) }
        #expect(try signer.check(key.description, request(second.target(at: ""))) == "7")
    }

    @Test("a key is replaced after 30 days")
    func old() async throws {
        let (_, keys) = try signer()
        clock.advance(by: .seconds(30 * 86_400))
        try await keys.rotateIfOld()
        #expect(keys.current?.id == "1")
        clock.advance(by: .seconds(3600))
        try await keys.rotateIfOld()
        #expect(keys.current?.id == "2")
    }

    @Test("the file of keys is its owner's only; keys that others could read count no more, and a damaged file is told")
    func file() throws {
        let (signer, _) = try signer()
        let address = try signer.address(of: key, for: "7")
        let path = folder.appending(path: "address-keys.json").path
        let files = FileManager.default
        func mode() throws -> Int? {
            (try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(try mode() == 0o600)
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let (next, _) = try self.signer()
        #expect(try mode() == 0o600)
        #expect(throws: BlobError.addressForged) { try next.check(key.description, request(address.target(at: ""))) }
        for text in ["", "[]x", "[{\"id\":\"1\",\"key\":\"AA\",\"madeAt\":1}]", "{}"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(throws: BlobError.self) { try AddressKeys(folder, time: clock) }
        }
    }
}
