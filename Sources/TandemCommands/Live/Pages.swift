import CommandClient
import Control
import Foundation
import Kernel
import Logging
import Notifications
import Pairing
import PortForwarding
import QRCodes
import TandemDesktop
import TandemHub
import TandemPhone
import TandemWeb
import Transport

/// The pages of the roles, with the adapters of this machine.
enum Pages {
    static func page(
        of desktop: Desktop,
        _ values: PageOptions.Values,
        after lastRun: LastRun? = nil,
        logger: Logger
    ) throws -> Page {
        let made = try configuration(.desktop, values, desktop.pageRoutes())
        let routes = saying(desktop.control.routes, lastRun)
        return try Page(made, routes: routes, topics: desktop.topics, database: desktop.database, logger: logger)
    }

    static func page(
        of phone: Phone,
        _ values: PageOptions.Values,
        after lastRun: LastRun? = nil,
        logger: Logger
    ) throws -> Page {
        var made = try configuration(.phone, values, phone.pageRoutes())
        made.right = { phone.right(for: $0) }
        made.bindings = [push, ports]
        let routes = saying(phone.control.routes, lastRun)
        return try Page(made, routes: routes, topics: phone.topics, database: phone.database, logger: logger)
    }

    static func page(
        of hub: Hub.Parts,
        _ values: PageOptions.Values,
        after lastRun: LastRun? = nil,
        logger: Logger
    ) throws -> Page {
        let made = configuration(.hub, values, hub.pageRoutes)
        let routes = saying(hub.routes, lastRun)
        return try Page(made, routes: routes, topics: hub.topics, database: hub.database, logger: logger)
    }

    /// The role's routes, of which its status also says how the run before ended, where that needs a word.
    private static func saying(_ routes: [ControlRoute], _ lastRun: LastRun?) -> [ControlRoute] {
        guard let words = lastRun?.end?.words else { return routes }
        let status = ControlMethod<NoControlParameters, RoleStatus>.status.name
        return routes.map { $0.name == status ? $0.adding("lastEnd", .string(words)) : $0 }
    }

    private static func configuration(
        _ role: Role,
        _ values: PageOptions.Values,
        _ routes: RouteSet
    ) -> PageConfiguration {
        var configuration = PageConfiguration(
            role: role.rawValue,
            place: values.place,
            version: TandemVersion.current,
            platform: Live.platform.rawValue,
            machineName: Live.machineName
        )
        configuration.files = values.files
        configuration.terminalFiles = values.terminalFiles
        configuration.codes = Live.pictureMaker.maker
        // A hub pairs with nothing.
        configuration.scan = role == .hub ? nil : scan
        configuration.httpRoutes = routes.http
        configuration.webSocketRoutes = routes.webSockets
        return configuration
    }

    /// A phone is woken through one browser, until that one is signed out.
    static let push = BrowserBinding(
        NotificationsControl.push.name,
        ending: ["subscription": .null]
    ) { params in
        params["subscription"].map { $0 != .null } ?? false
    }

    /// Ports of computers are open for a browser, until that one is signed out.
    static let ports = BrowserBinding(PortsControl.enter.name, ending: [:]) { params in
        params["port"].map { $0 != .null } ?? false
    }

    private static let scan: @Sendable ([UInt8]) async throws -> String = { picture in
        try await Live.reader.text(in: picture)
    }

    // MARK: What is said of them

    /// A role's status with where its page is; on a terminal, where a person sees it at once, with a link into it.
    static func adding(_ pages: [Page], to status: JSONValue) async throws -> JSONValue {
        var status = status
        for page in pages {
            do {
                var place: JSONValue = ["url": .string(try await page.url())]
                if Running.console.isTerminal(.output) {
                    place = place.adding("link", .string(try await page.makeLink().url))
                }
                status = status.adding("page", place)
            } catch let error as PageError {
                // Said in the log, too, where it is one that something can be done about.
                status = status.adding("page", ["error": .string("\(error)")])
            }
        }
        return status
    }

    /// The lines about the page below a role's own line: empty where there is no page.
    static func line(_ status: JSONValue, of role: Role) -> String {
        guard let url = status["page"]?["url"]?.stringValue else { return "" }
        let later = "tandem page --role \(role.rawValue)"
        guard let link = status["page"]?["link"]?.stringValue else {
            return "\nThe \(role.rawValue)'s page is at \(url). Sign in with: \(later)"
        }
        // Alone at the left edge, where it fits 80 columns: a terminal that breaks it opens the half that was clicked.
        return "\nThe \(role.rawValue)'s page, for one browser within two minutes:\n\(link)\nFor a new link: \(later)"
    }
}
