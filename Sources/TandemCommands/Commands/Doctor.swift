import ArgumentParser
import Capabilities
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
        var findings = [stateFolder(), settings()] + databases()
        let running = await running()
        // The findings of a running desktop count: it may have other limits, libraries and devices than this shell.
        if !running.contains(where: { $0.name == MachineChecks.openFilesName }) {
            findings += await MachineChecks.all(page: pageValues())
        }
        findings += running.filter { !findings.contains($0) }
        findings += await phone().filter { !findings.contains($0) }
        try Output.result(JSONValue(encoding: DoctorReport(findings)), as: global.json) { (report: DoctorReport) in
            DoctorText.text(report.checks)
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
            // An older one does not tell of its servers here.
            let connections = (try await client.call(.status) as DesktopStatus).connectionChecks
            let names = Set(report.checks.map(\.name))
            return [DoctorCheck(name: "Desktop", works: true, detail: "running; the following is what it sees")]
                + report.checks + connections.filter { !names.contains($0.name) }
        } catch ControlError.notRunning {
            return [
                DoctorCheck(
                    name: "Desktop",
                    works: false,
                    detail: "none runs on \(global.location(of: .desktop).path); the following is what this shell sees",
                    mend: start
                )
            ] + (await Live.toolChecks())
        } catch {
            return [DoctorCheck(name: "Desktop", isNeeded: true, failure: error)]
        }
    }

    /// The findings of a phone that runs here, such as how it reaches its account's hub.
    private func phone() async -> [DoctorCheck] {
        // Most computers run none, and an older one does not tell.
        (try? await global.client(for: .phone).call(.doctor))?.checks ?? []
    }

    /// The command that starts the desktop that is meant.
    private var start: String {
        let state = global.chosenState() == nil ? nil : TerminalText.name(global.location(of: .desktop).path)
        return "tandem desktop" + (state.map { " --state \($0)" } ?? "")
    }

    /// Whether the desktop would start with what is set.
    func settings() -> DoctorCheck {
        do {
            try global.settings(of: .desktop).refuseMistakes()
            return DoctorCheck(name: "Settings", works: true, isNeeded: true, detail: "understood")
        } catch {
            return DoctorCheck(name: "Settings", isNeeded: true, failure: error)
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
        do {
            let reports = try roles.map { try StateDatabase.check(url, schema: schema(of: $0, at: url)) }
            // The schema that fits best is its role's: roles have some tables in common.
            let report = reports.max { ($0.applied.count, $1.missing.count) < ($1.applied.count, $0.missing.count) }
            guard let report else { throw StateDatabaseError.cannotOpen(path: url.path, reason: "no role keeps it") }
            return report.doctorCheck(of: url.path)
        } catch {
            return DoctorCheck(name: DatabaseReport.checkName, isNeeded: true, failure: error)
        }
    }

    private static func schema(of role: Role, at url: URL) throws -> Schema {
        switch role {
        case .hub: return .hub(with: Live.hubFeatures)
        case .phone: return .phone(with: .standard)
        case .desktop:
            let state = url.deletingLastPathComponent()
            return .desktop(
                with: try Live.features(sharing: [], sharesHidden: false, keepsClipboardHistory: false, state: state),
                serving: Live.hubFeatures
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

    /// The page settings of a desktop that is started from here; nil when a setting is wrong, which is said with the settings.
    private func pageValues() -> PageOptions.Values? {
        guard let settings = try? Settings(folder: StateFolder(at: global.location(of: .desktop))) else { return nil }
        return try? PageOptions.parse([]).values(settings, for: .desktop)
    }
}
