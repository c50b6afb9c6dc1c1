import ArgumentParser
import Foundation
import Kernel
import QRCodes
import Remote
import Transport

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What works on this machine, what is missing, and the package that brings it."
    )

    @OptionGroup var global: GlobalOptions

    private struct Finding {
        var name: String
        var works: Bool
        var detail: String

        var json: JSONValue { ["name": .string(name), "works": .bool(works), "detail": .string(detail)] }
    }

    func run() async throws {
        let findings =
            [
                stateFolder(), await codes(), camera(), localNetwork(), await discovery(),
            ] + (await Live.toolChecks()).map { Finding(name: $0.name, works: $0.works, detail: $0.detail) }
        Output.result(["checks": .array(findings.map(\.json))], as: global.json) { _ in
            findings.map { "\($0.works ? "ok     " : "missing")  \($0.name): \($0.detail)" }.joined(separator: "\n")
        }
    }

    /// The folder itself need not be there yet, but whoever starts the desktop must be able to make it.
    private func stateFolder() -> Finding {
        let wanted = global.location(of: .desktop)
        var existing = wanted
        while !FileManager.default.fileExists(atPath: existing.path), existing.path != "/" {
            existing = existing.deletingLastPathComponent()
        }
        let works = FileManager.default.isWritableFile(atPath: existing.path)
        let detail = works ? wanted.path : "\(existing.path) cannot be written. Choose another folder with --state."
        return Finding(name: "State folder", works: works, detail: detail)
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
                    detail: "a code reads as something else. Install libzbar0."
                )
            }
            return Finding(name: "QR codes", works: true, detail: "drawn and read from pictures")
        } catch {
            return Finding(name: "QR codes", works: false, detail: "\(error)")
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
