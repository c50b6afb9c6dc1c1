import ArgumentParser
import CommandServer
import Control
import Foundation
import Kernel
import QRCodes
import SignalingServer
import Storage
import TandemDesktop
import TandemHub
import TandemPhone
import TandemWeb
import Transport

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What works on this machine, what is missing, and the package that brings it.",
        discussion: "Ends with status 1 when something is broken that Tandem cannot do without."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        var findings = [
            stateFolder(), settings(), Self.openFiles(limit: DescriptorLimit.raise()), await codes(), camera(),
            localNetwork(), await discovery(),
        ]
        findings += databases()
        findings += page()
        findings += await running()
        try Output.result(JSONValue(encoding: DoctorReport(findings)), as: global.json) { (report: DoctorReport) in
            report.checks.map(\.line).joined(separator: "\n")
        }
        try Self.conclude(findings)
    }

    /// - Throws: The command's status when something is broken that Tandem cannot do without.
    static func conclude(_ findings: [DoctorCheck]) throws(CommandError) {
        let broken = findings.filter { !$0.works && $0.isNeeded }
        guard broken.isEmpty else { throw .broken(broken.map(\.name)) }
    }

    /// The desktop that runs here says what it sees and whether it reaches its servers; where none runs, this process looks.
    func running() async -> [DoctorCheck] {
        let client = global.client(for: .desktop)
        do {
            let report = try await client.call(.doctor)
            return [DoctorCheck(name: "Desktop", works: true, detail: "running; the following is what it sees")]
                + report.checks + servers(try await client.call(.status))
        } catch ControlError.notRunning {
            return [
                DoctorCheck(
                    name: "Desktop",
                    works: false,
                    detail: "none runs on \(global.location(of: .desktop).path); the following is what this shell sees"
                )
            ] + (await Live.toolChecks())
        } catch {
            return [DoctorCheck(name: "Desktop", works: false, isNeeded: true, detail: "\(error)")]
        }
    }

    /// A hub that was set and is not reached means that phones elsewhere do not reach this computer.
    private func servers(_ status: DesktopStatus) -> [DoctorCheck] {
        status.servers.map { server in
            let reason = server.reason ?? "no connection; look at the desktop's log"
            let words = [server.name == "hub" ? status.hub : nil, server.registered ? "registered" : reason]
            return DoctorCheck(
                name: "Connection to \(server.name)",
                works: server.registered,
                isNeeded: true,
                detail: words.compactMap(\.self).joined(separator: ": ")
            )
        }
    }

    /// Whether the desktop would start with what is set.
    func settings() -> DoctorCheck {
        do {
            let settings = try Settings(folder: StateFolder(at: global.location(of: .desktop)))
            _ = try LogOptions.parse([]).logger("tandem", settings)
            let options = try DesktopOptions.parse([])
            _ = settings.flag(options.server.metrics, "metrics")
            _ = try options.configuration(settings, state: global.location(of: .desktop))
            try settings.refuseMistakes()
            return DoctorCheck(name: "Settings", works: true, isNeeded: true, detail: "understood")
        } catch {
            return DoctorCheck(name: "Settings", works: false, isNeeded: true, detail: "\(error)")
        }
    }

    /// Whether the roles' databases are whole and of this version. They are only read, so a role that runs goes on.
    func databases() -> [DoctorCheck] {
        let roles = Dictionary(grouping: Role.allCases) { StateFolder(at: global.location(of: $0)).databaseURL }
        return roles.filter { FileManager.default.fileExists(atPath: $0.key.path) }
            .sorted { $0.key.path < $1.key.path }
            .map { Self.database(at: $0, of: $1) }
    }

    /// - Parameter roles: Those that may keep it: a folder that was named can be any role's.
    private static func database(at url: URL, of roles: [Role]) -> DoctorCheck {
        func check(_ detail: String, works: Bool = false) -> DoctorCheck {
            DoctorCheck(name: "Database", works: works, isNeeded: true, detail: detail)
        }
        do {
            let reports = try roles.map { try StateDatabase.check(url, schema: schema(of: $0, at: url)) }
            // The schema that fits best is its role's: roles have some tables in common.
            let report = reports.max { ($0.applied.count, $1.missing.count) < ($1.applied.count, $0.missing.count) }
            if let damage = report?.damage.first {
                return check("\(url.path) is damaged (\(damage)). Check the disk, and restore the file from a backup.")
            }
            if let newer = report?.unknown, !newer.isEmpty {
                return check("\(StateDatabaseError.newer(path: url.path, identifiers: newer))")
            }
            return check("\(url.path) is whole", works: true)
        } catch {
            return check("\(error)")
        }
    }

    private static func schema(of role: Role, at url: URL) throws -> Schema {
        switch role {
        case .hub: return .hub
        case .phone: return .phone(with: .standard)
        case .desktop:
            let state = url.deletingLastPathComponent()
            return .desktop(
                with: try Live.features(sharing: [], sharesHidden: false, keepsClipboardHistory: false, state: state)
            )
        }
    }

    /// The folder itself need not be there yet, but the user who starts the desktop must be able to make it.
    private func stateFolder() -> DoctorCheck {
        let wanted = global.location(of: .desktop)
        var existing = wanted
        while !FileManager.default.fileExists(atPath: existing.path), existing.path != "/" {
            existing = existing.deletingLastPathComponent()
        }
        let works = FileManager.default.isWritableFile(atPath: existing.path)
        let detail = works ? wanted.path : "\(existing.path) cannot be written. Choose another folder with --state."
        return DoctorCheck(name: "State folder", works: works, isNeeded: true, detail: detail)
    }

    /// Each connection, file under way and terminal takes a descriptor. Roles raise the limit as far as they may when they start.
    static func openFiles(limit: Int) -> DoctorCheck {
        let works = limit >= 1024
        let detail =
            "\(limit) files and sockets at once" + (works ? "" : ". Raise it: LimitNOFILE= in the unit, or ulimit -Hn.")
        return DoctorCheck(name: "Open files", works: works, detail: detail)
    }

    /// Draws a code and reads it back: the same libraries that pairing uses.
    private func codes() async -> DoctorCheck {
        do {
            let text = "tandem doctor"
            let png = try await Live.pictureMaker.png(text)
            guard try await Live.reader.text(in: png) == text else {
                return DoctorCheck(
                    name: "QR codes",
                    works: false,
                    isNeeded: true,
                    detail: "a code reads as something else. Install libzbar0."
                )
            }
            return DoctorCheck(name: "QR codes", works: true, isNeeded: true, detail: "drawn and read from pictures")
        } catch {
            return DoctorCheck(name: "QR codes", works: false, isNeeded: true, detail: "\(error)")
        }
    }

    /// What the page is made of, as a role that is started from here would find it.
    private func page() -> [DoctorCheck] {
        guard let settings = try? Settings(folder: StateFolder(at: global.location(of: .desktop))),
            let values = try? PageOptions.parse([]).values(settings, for: .desktop)
        else { return [] }  // said with the settings
        return [
            DoctorCheck(
                name: "Page",
                works: values.files != nil,
                detail: values.files?.path
                    ?? "its files are not installed. Run bin/install, or set TANDEM_PAGE_FILES=DIR."
            ),
            DoctorCheck(
                name: "Page's terminal",
                works: values.terminalFiles != nil,
                detail: values.terminalFiles?.script.path
                    ?? "xterm.js is not installed. Run bin/setup, or set TANDEM_PAGE_TERMINAL=DIR to a folder that holds it."
            ),
        ]
    }

    private func camera() -> DoctorCheck {
        let devices = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        let cameras = devices.filter { $0.hasPrefix("video") }.sorted()
        guard let first = cameras.first else {
            return DoctorCheck(name: "Camera", works: false, detail: "\(QRError.noCamera)")
        }
        return DoctorCheck(name: "Camera", works: true, detail: "/dev/\(first)")
    }

    private func localNetwork() -> DoctorCheck {
        guard let address = LocalAddresses.preferred(among: NetworkInterface.current()),
            LocalAddresses.isPrivateOrLoopback(address.description)
        else {
            return DoctorCheck(
                name: "Local network",
                works: false,
                detail: "this machine has no private address; phones on other machines reach it over a hub only"
            )
        }
        return DoctorCheck(name: "Local network", works: true, detail: "phones reach this machine at \(address)")
    }

    /// Asks for the system's discovery service and gives it a moment to answer.
    private func discovery() async -> DoctorCheck {
        let browser = Live.browser()
        let state = await withTaskGroup(of: DiscoveryState?.self) { group in
            group.addTask {
                await browser.browse()
                return nil
            }
            group.addTask {
                for await snapshot in browser.snapshots() {
                    switch snapshot.state {
                    case .idle, .starting: continue
                    case .waiting, .running: return snapshot.state
                    }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(2))  // cancelled once there is an answer
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        switch state {
        case .running:
            return DoctorCheck(name: "Discovery", works: true, detail: "devices on the network find each other")
        case .waiting(let error): return DoctorCheck(name: "Discovery", works: false, detail: "\(error)")
        case .idle, .starting, nil:
            return DoctorCheck(name: "Discovery", works: false, detail: "no answer. Install and start avahi-daemon.")
        }
    }
}
