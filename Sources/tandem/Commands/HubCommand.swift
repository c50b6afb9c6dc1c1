import ArgumentParser
import Control
import Foundation
import Kernel
import SignalingServer
import TandemHub
import Transport

struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Run a hub: where devices meet that share no network. It sees who, when and how much, never what."
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var server: ServerOptions

    func run() async throws {
        let folder = try global.folder(role: .hub)
        let settings = try await Settings(folder: folder)
        let logger = log.logger("tandem.hub")
        let metrics = settings.flag(server.metrics, "metrics") ? Live.metrics() : nil
        let hub = try Hub(
            folder: folder,
            server: try server.configuration(settings, defaultAddress: "0.0.0.0:9001"),
            version: TandemVersion.current,
            metrics: metrics,
            logger: logger
        )
        try await Roles.run(
            [hub],
            announcing: { try await hub.control.handle(.init(id: 0, method: "status"), report: { _ in }) },
            as: global.json,
            reloading: { try hub.server.reloadCertificates() },
            logger: logger
        ) { status in
            "A hub is listening on \(status["url"]?.stringValue ?? ""). Point computers to it with: "
                + "tandem desktop --hub \(status["url"]?.stringValue ?? "")"
        }
    }
}
