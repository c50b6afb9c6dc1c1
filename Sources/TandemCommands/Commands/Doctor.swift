import ArgumentParser
import Control
import Foundation
import Kernel
import QRCodes
import SignalingServer
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
        findings += await running()
        try Output.result(["checks": .array(findings.map(\.json))], as: global.json) { _ in
            findings.map(\.line).joined(separator: "\n")
        }
        try Self.conclude(findings)
    }

    /// - Throws: The command's status when something is broken that Tandem cannot do without.
    static func conclude(_ findings: [Finding]) throws(CommandError) {
        let broken = findings.filter { !$0.works && $0.isNeeded }
        guard broken.isEmpty else { throw .broken(broken.map(\.name)) }
    }

    /// The desktop that runs here says what it sees and whether it reaches its servers; where none runs, this process looks.
    func running() async -> [Finding] {
        let client = global.client(for: .desktop)
        do {
            let checks = try await client.call("doctor")["checks"]?.arrayValue ?? []
            let status = try await client.call("status")
            return [Finding(name: "Desktop", works: true, detail: "running; the following is what it sees")]
                + checks.compactMap(Finding.init) + servers(status)
        } catch ControlError.notRunning {
            let own = await Live.toolChecks().map { Finding($0) }
            return [
                Finding(
                    name: "Desktop",
                    works: false,
                    detail: "none runs on \(global.location(of: .desktop).path); the following is what this shell sees"
                )
            ] + own
        } catch {
            return [Finding(name: "Desktop", works: false, isNeeded: true, detail: "\(error)")]
        }
    }

    /// A hub that was set and is not reached means that phones elsewhere do not reach this computer.
    private func servers(_ status: JSONValue) -> [Finding] {
        (status["servers"]?.arrayValue ?? []).map { server in
            let name = server["name"]?.stringValue ?? "server"
            let works = server["registered"]?.boolValue == true
            let address = name == "hub" ? status["hub"]?.stringValue : nil
            let reason = server["reason"]?.stringValue ?? "no connection; look at the desktop's log"
            return Finding(
                name: "Connection to \(name)",
                works: works,
                isNeeded: true,
                detail: [address, works ? "registered" : reason].compactMap(\.self).joined(separator: ": ")
            )
        }
    }

    /// Whether the desktop would start with what is set.
    func settings() -> Finding {
        do {
            let settings = try Settings(folder: StateFolder(at: global.location(of: .desktop)))
            _ = try LogOptions.parse([]).logger("tandem", settings)
            let options = try DesktopOptions.parse([])
            _ = settings.flag(options.server.metrics, "metrics")
            _ = try options.configuration(settings, state: global.location(of: .desktop))
            try settings.refuseMistakes()
            return Finding(name: "Settings", works: true, isNeeded: true, detail: "understood")
        } catch {
            return Finding(name: "Settings", works: false, isNeeded: true, detail: "\(error)")
        }
    }

    /// The folder itself need not be there yet, but the user who starts the desktop must be able to make it.
    private func stateFolder() -> Finding {
        let wanted = global.location(of: .desktop)
        var existing = wanted
        while !FileManager.default.fileExists(atPath: existing.path), existing.path != "/" {
            existing = existing.deletingLastPathComponent()
        }
        let works = FileManager.default.isWritableFile(atPath: existing.path)
        let detail = works ? wanted.path : "\(existing.path) cannot be written. Choose another folder with --state."
        return Finding(name: "State folder", works: works, isNeeded: true, detail: detail)
    }

    /// Each connection, file under way and terminal takes a descriptor. Roles raise the limit as far as they may when they start.
    static func openFiles(limit: Int) -> Finding {
        let works = limit >= 1024
        let detail =
            "\(limit) files and sockets at once" + (works ? "" : ". Raise it: LimitNOFILE= in the unit, or ulimit -Hn.")
        return Finding(name: "Open files", works: works, detail: detail)
    }

    /// Draws a code and reads it back: the same libraries that pairing uses.
    private func codes() async -> Finding {
        do {
            let text = "tandem doctor"
            let png = try await Live.pictureMaker.png(text)
            guard try await Live.reader.text(in: png) == text else {
                return Finding(
                    name: "QR codes",
                    works: false,
                    isNeeded: true,
                    detail: "a code reads as something else. Install libzbar0."
                )
            }
            return Finding(name: "QR codes", works: true, isNeeded: true, detail: "drawn and read from pictures")
        } catch {
            return Finding(name: "QR codes", works: false, isNeeded: true, detail: "\(error)")
        }
    }

    private func camera() -> Finding {
        let devices = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        let cameras = devices.filter { $0.hasPrefix("video") }.sorted()
        guard let first = cameras.first else {
            return Finding(name: "Camera", works: false, detail: "\(QRError.noCamera)")
        }
        return Finding(name: "Camera", works: true, detail: "/dev/\(first)")
    }

    private func localNetwork() -> Finding {
        guard let address = LocalAddresses.preferred(among: NetworkInterface.current()),
            LocalAddresses.isPrivateOrLoopback(address.description)
        else {
            return Finding(
                name: "Local network",
                works: false,
                detail: "this machine has no private address; phones on other machines reach it over a hub only"
            )
        }
        return Finding(name: "Local network", works: true, detail: "phones reach this machine at \(address)")
    }

    /// Asks for the system's discovery service and gives it a moment to answer.
    private func discovery() async -> Finding {
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
        case .running: return Finding(name: "Discovery", works: true, detail: "devices on the network find each other")
        case .waiting(let error): return Finding(name: "Discovery", works: false, detail: "\(error)")
        case .idle, .starting, nil:
            return Finding(name: "Discovery", works: false, detail: "no answer. Install and start avahi-daemon.")
        }
    }
}
