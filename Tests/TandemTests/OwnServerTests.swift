import Foundation
import Kernel
import Logging
import Pairing
import Sealing
import Signaling
import SignalingServer
import Testing
import Transport

@testable import TandemDesktop

@Suite("A computer and its own server", .timeLimit(.minutes(4)))
struct OwnServerTests {
    private static var fixtures: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "SignalingServerTests/Fixtures/tls")
    }

    /// A computer that runs for the length of `body`.
    private func withDesktop(
        _ change: (inout DesktopConfiguration) -> Void,
        folder: URL? = nil,
        _ body: (Desktop) async throws -> Void
    ) async throws {
        let root = folder ?? FileManager.default.temporaryDirectory.appending(path: "to-\(UUID().uuidString.prefix(8))")
        defer { if folder == nil { try? FileManager.default.removeItem(at: root) } }  // a test's leftovers harm nobody
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = DesktopConfiguration(
            device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
            version: "1",
            server: SignalingServerConfiguration()
        )
        configuration.server.address = "127.0.0.1"
        configuration.server.port = 0
        change(&configuration)
        let desktop = try Desktop(folder: StateFolder(root), configuration: configuration, logger: logger)
        let task = Task { try await desktop.run() }
        let result: Result<Void, any Error>
        do {
            _ = try await desktop.boundPort()
            try await body(desktop)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        task.cancel()
        _ = await task.result
        try result.get()
    }

    @Test(
        "with a certificate for its name on the internet, a computer reaches its own server and shows typed codes, also after a reload"
    )
    func ownCertificate() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a test's leftovers harm nobody
        let files = TLSFiles(certificate: folder.appending(path: "c.pem"), key: folder.appending(path: "k.pem"))
        func install(_ name: String) throws {
            for (part, target) in [("cert", files.certificate), ("key", files.key)] {
                try Data(contentsOf: Self.fixtures.appending(path: "\(name)-\(part).pem")).write(to: target)
            }
        }
        try install("named")
        try await withDesktop({ $0.server.tls = files }) { desktop in
            while !Task.isCancelled, desktop.network.states().contains(where: { $0.state.presence == nil }) {
                await Task.yield()
            }
            #expect(try await desktop.pairing.makeCode().typed != nil)
            try install("second")
            try desktop.reloadCertificates()
            #expect(try await desktop.pairing.makeCode().typed != nil)
        }
    }

    @Test("a new computer's id is made from its key; one that has an id keeps it")
    func certifiedID() async throws {
        try await withDesktop({ _ in }) { desktop in
            let did = try DID(desktop.device.identity.did.text)
            #expect(desktop.device.deviceID == DeviceID.certified(by: did))
            #expect(DeviceID.isCertified(desktop.device.deviceID))
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "to-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: folder) }  // a test's leftovers harm nobody
        let old = UUID().uuidString.lowercased()
        try StateFolder(folder).writeKey("device-id", Array(old.utf8))
        try await withDesktop({ _ in }, folder: folder) { desktop in
            #expect(desktop.device.deviceID == old)
        }
    }

    @Test("its server keeps mail for the computer and its paired phones alone")
    func keepsMail() {
        let (own, phone) = (Identity().did, Identity().did)
        let keys = UnmeteredKeys(own: own)
        keys.set([phone])
        #expect(keys.keepsMail("pc-77", deviceID: "pc-77"))
        #expect(keys.keepsMail(phone.text, deviceID: "pc-77"))
        #expect(!keys.keepsMail(Identity().did.text, deviceID: "pc-77"))
        #expect(!keys.keepsMail("other", deviceID: "pc-77"))
    }
}
