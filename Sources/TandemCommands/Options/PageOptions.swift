import ArgumentParser
import Foundation
import TandemWeb

/// Where a role is shown in a browser, and what the page is made of.
struct PageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Where a browser on this machine sees this role: an address of loopback with a port, 0 for any free one, or off. \
            Default: 127.0.0.1 with port 8700 of a computer, 8701 of a phone, 8702 of a hub.
            """,
            valueName: "addr:port"
        )
    )
    var page: String?

    /// The page's values from the settings.
    struct Values: Hashable {
        /// Nil: off.
        var place: PageConfiguration.Place?
        var files: URL?
        var terminalFiles: TerminalFiles?

        /// The values for a second role in the same process: the next port, or any where any was chosen.
        func besides() throws -> Values {
            guard let place else { return self }
            let port = place.port == 0 || place.port == 65535 ? 0 : place.port + 1
            var values = self
            values.place = try PageConfiguration.Place(address: place.address, port: port)
            return values
        }
    }

    /// - Throws: ``SettingsError/badPage(value:reason:)``.
    func values(_ settings: Settings, for role: Role) throws(SettingsError) -> Values {
        let value = settings.text(page, "page", default: Self.standard(role))
        return Values(
            place: try Self.place(value),
            files: Self.files(settings),
            terminalFiles: Self.terminalFiles(settings)
        )
    }

    /// The page's own files; nil where they are not installed.
    static func files(_ settings: Settings) -> URL? {
        settings.text(nil, "pageFiles").map { Live.path(typed: $0) } ?? PageFiles.folder()
    }

    /// The files that draw its terminal; nil where they are not installed.
    static func terminalFiles(_ settings: Settings) -> TerminalFiles? {
        TerminalFiles.find(
            in: settings.text(nil, "pageTerminal").map { [Live.path(typed: $0)] } ?? Self.assetFolders
        )
    }

    static func standard(_ role: Role) -> String {
        switch role {
        case .desktop: "127.0.0.1:8700"
        case .phone: "127.0.0.1:8701"
        case .hub: "127.0.0.1:8702"
        }
    }

    private static func place(_ value: String) throws(SettingsError) -> PageConfiguration.Place? {
        guard value != "off" else { return nil }
        guard let endpoint = Endpoint(value) else {
            throw .badPage(value: value, reason: "It is off, or ADDRESS:PORT, for example 127.0.0.1:8700.")
        }
        do {
            // The name that people write for this machine.
            let host = endpoint.host == "localhost" ? "127.0.0.1" : endpoint.host
            return try PageConfiguration.Place(address: host, port: endpoint.port)
        } catch {
            throw .badPage(value: value, reason: "\(error)")
        }
    }

    /// Where a bundle of the page for phones may be.
    static var phoneBundles: [URL] { assetFolders.map { $0.appending(path: "phone") } }

    /// Where set-up, installation and packages put xterm.js and the bundle of the page for phones.
    static var assetFolders: [URL] {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        // A program that was built here stands in .build/<system>/<configuration>.
        let built = program?.deletingLastPathComponent().deletingLastPathComponent().appending(path: "page-assets")
        let installed = program?.deletingLastPathComponent().appending(path: "share/tandem/page-assets")
        let system = ["/usr/local/share/tandem/page-assets", "/usr/share/tandem/page-assets"]
        return [built, installed].compactMap(\.self) + system.map { URL(fileURLWithPath: $0) }
    }
}
