import FeatureTesting
import Foundation
import Kernel
import Logging
import Pairing
import SignalingServer
import SystemInfoHost
import TandemDesktop
import Testing

/// What `docs/library.md` promises to somebody who writes an app.
@Suite("The library as its page shows it", .timeLimit(.minutes(4)))
struct LibraryTests {
    @Test("the page shows the lines that this test compiles")
    func page() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let page = try String(contentsOf: here.appending(path: "../../docs/library.md"), encoding: .utf8)
        let code = try String(contentsOf: here.appending(path: "PairAndAsk.swift"), encoding: .utf8)
        #expect(page.contains("```swift\n\(code)```"))
        #expect(code.split(separator: "\n").count <= 30)
    }

    @Test("an app can import what the page speaks of")
    func modules() throws {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let manifest = try String(contentsOf: here.appending(path: "../../Package.swift"), encoding: .utf8)
        let product = try #require(manifest.firstMatch(of: /name: "TandemPhone",\s+targets: \[([^\]]*)\]/)?.1)
        for module in [
            "TandemPhone", "Kernel", "Pairing", "Clipboard", "Screen", "Files", "Terminal", "Notifications", "Bridge",
        ] { #expect(product.contains("\"\(module)\""), "\(module)") }
    }

    @Test("these lines pair with a computer and call it")
    func pairs() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var server = SignalingServerConfiguration()
        (server.address, server.port) = ("127.0.0.1", 0)
        let desktop = try Desktop(
            folder: StateFolder(root.appending(path: "desktop")),
            configuration: DesktopConfiguration(
                device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
                version: "1",
                server: server,
                acceptsEverybody: true,
                features: [SystemSkill.maker(information: InMemorySystem())]
            ),
            logger: logger
        )
        let running = Task { try await desktop.run() }
        _ = try await desktop.boundPort()
        let said = await Result {
            try await pairAndAsk(
                code: desktop.pairing.makeCode().qrText,
                folder: root.appending(path: "phone")
            )
        }
        running.cancel()
        _ = await running.result
        #expect(try said.get().hasPrefix("studio-pc has been up for "))
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
