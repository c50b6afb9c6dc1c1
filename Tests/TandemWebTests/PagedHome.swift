import CommandClient
import CommandServer
import Control
import Foundation
import HomeTesting
import Kernel
import Logging
import Pairing
import Rights
import TandemPhone
import Testing
import Transport

@testable import TandemWeb

/// A phone with its page, and a computer that it is paired with: the real compositions, and a port of loopback for the page.
enum PagedHome {
    static func run(
        _ host: [CommandFeatureMaker],
        allowing rights: Set<Right> = [],
        _ body: @escaping @Sendable (Home, PageClient, PairedDesktop) async throws -> Void
    ) async throws {
        try await Home.run(.init(host: host)) { home in
            let computer = try await home.pair(allowing: rights)
            try await home.connected(computer)
            let phone = try await home.phone
            var logger = Logger(label: "page")
            logger.logLevel = .critical
            let routes = try phone.pageRoutes()
            var configuration = PageConfiguration(
                role: "phone",
                place: try PageConfiguration.Place(address: "127.0.0.1", port: 0),
                version: "1",
                platform: "linux",
                machineName: "studio"
            )
            configuration.right = { phone.right(for: $0) }
            configuration.httpRoutes = routes.http
            configuration.webSocketRoutes = routes.webSockets
            let page = try Page(
                configuration,
                routes: phone.control.routes,
                topics: phone.topics,
                database: phone.database,
                logger: logger
            )
            let task = Task { try await page.run() }
            let result: Result<Void, any Error>
            do {
                var client = PageClient(port: try await page.boundPort())
                let link = try await page.makeLink().url
                let signedIn = try await client.ask("GET", String(link.dropFirst(client.origin.count)))
                client.cookie = signedIn.fields["set-cookie"]?.split(separator: ";").first.map(String.init)
                try await body(home, client, computer)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            task.cancel()
            _ = await task.result
            try result.get()
        }
    }

    /// With a shared folder on disk.
    static func withFolder(_ body: (_ shared: URL, _ root: URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "pw-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        let shared = root.appending(path: "home")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        try await body(shared, root)
    }
}
