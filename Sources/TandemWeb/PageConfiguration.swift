package import Foundation
package import Kernel
package import QRCodes
package import Transport

/// The configuration that a role's page is started with.
package struct PageConfiguration: Sendable {
    /// Where to listen.
    package struct Place: Hashable, Sendable {
        /// An address of loopback.
        package let address: String
        /// 0 for any free one.
        package let port: Int

        /// - Throws: ``PageError/notLoopback(address:)``.
        package init(address: String, port: Int) throws(PageError) {
            guard ["127.0.0.1", "::1"].contains(address) else { throw .notLoopback(address: address) }
            self.address = address
            self.port = port
        }
    }

    /// `desktop`, `phone` or `hub`.
    package var role: String
    /// Nil: no page.
    package var place: Place?
    package var version: String
    /// The machine's platform, for example `linux`.
    package var platform: String
    /// The name of a role that has none of its own.
    package var machineName: String
    /// The page's own files; nil where they are not installed.
    package var files: URL?
    /// The files that draw the terminal; nil where they are not installed.
    package var terminalFiles: TerminalFiles?
    /// Makes codes to show; nil leaves that out.
    package var codes: (any QRCodeMaker)?
    /// Reads the code in a picture; nil leaves that out.
    package var scan: (@Sendable (_ picture: [UInt8]) async throws -> String)?
    /// The right that a method of another device needs, for those who miss it.
    package var right: @Sendable (_ method: String) -> String? = { _ in nil }
    /// Routes that features serve to the page besides.
    package var httpRoutes: [HTTPRoute] = []
    package var webSocketRoutes: [WebSocketRoute] = []
    /// Methods that do something for the browser that calls them.
    package var bindings: [BrowserBinding] = []
    /// Whether a connection comes from a program of the user whom this process belongs to.
    package var isOwn: @Sendable (LoopbackPeer) -> Bool = { $0.isOwn() }
    package var time: any TimeSource = .system

    package init(
        role: String,
        place: Place?,
        version: String,
        platform: String,
        machineName: String
    ) {
        self.role = role
        self.place = place
        self.version = version
        self.platform = platform
        self.machineName = machineName
    }
}
