import Capabilities
import Foundation
import Kernel
import LinuxPictures
import QRCodes
import SignalingServer
import TandemWeb
import Transport

/// The checks of this machine, whatever runs: for `tandem doctor` and for a running desktop that is asked for them.
enum MachineChecks {
    static let openFilesName = "Open files"

    /// - Parameters:
    ///   - page: What the page is made of; nil where that is not known.
    ///   - discovers: Whether devices on the network are looked for.
    static func all(page values: PageOptions.Values?, discovers: Bool = true) async -> [DoctorCheck] {
        var checks = [
            openFiles(limit: DescriptorLimit.raise()), await Live.pictures.check(), await codes(), camera(),
            localNetwork(),
        ]
        if discovers { checks.append(await discovery()) }
        guard let values else { return checks }
        return await checks + page(values) + phonePage(values.files)
    }

    /// Each connection, file under way and terminal takes a descriptor. Roles raise the limit as far as they may when they start.
    static func openFiles(limit: Int) -> DoctorCheck {
        let works = limit >= 1024
        let detail =
            "\(limit) files and sockets at once" + (works ? "" : ". Raise it: LimitNOFILE= in the unit, or ulimit -Hn.")
        return DoctorCheck(name: openFilesName, works: works, detail: detail)
            .saying(works ? "openFiles" : "openFilesFew", ["count": .integer(Int64(limit))])
    }

    /// Draws a code and reads it back: the same libraries that pairing uses.
    private static func codes() async -> DoctorCheck {
        do {
            let text = "tandem doctor"
            let png = try await Live.pictureMaker.png(text)
            guard try await Live.reader.text(in: png) == text else {
                return DoctorCheck(
                    name: "QR codes",
                    works: false,
                    isNeeded: true,
                    detail: "a code reads as something else. Install libzbar0.",
                    mend: "sudo apt install libzbar0"
                )
                .saying("codesWrong")
            }
            return DoctorCheck(name: "QR codes", works: true, isNeeded: true, detail: "drawn and read from pictures")
                .saying("codesWork")
        } catch {
            return DoctorCheck(name: "QR codes", isNeeded: true, failure: error)
        }
    }

    /// The checks of the files that the page is made of.
    private static func page(_ values: PageOptions.Values) -> [DoctorCheck] {
        let files = [
            DoctorCheck(
                name: "Page",
                works: values.files != nil,
                detail: values.files?.path
                    ?? "its files are not installed. Run bin/install, or set TANDEM_PAGE_FILES=DIR.",
                mend: values.files == nil ? "bin/install" : nil
            ),
            DoctorCheck(
                name: "Page's terminal",
                works: values.terminalFiles != nil,
                detail: values.terminalFiles?.script.path
                    ?? "xterm.js is not installed. Run bin/setup, or set TANDEM_PAGE_TERMINAL=DIR to a folder that holds it.",
                mend: values.terminalFiles == nil ? "bin/setup" : nil
            ),
        ]
        // Where they are found, the detail is their path.
        return zip(files, ["pageMissing", "pageTerminalMissing"]).map { $0.works ? $0 : $0.saying($1) }
    }

    /// Whether telephones get the page in few files. Nothing is missing where they get its modules: it takes longer.
    private static func phonePage(_ files: URL?) async -> [DoctorCheck] {
        guard let files else { return [] }
        let isBundled = await PhonePageHash.isBundled(files: files, in: PageOptions.phoneBundles)
        let detail =
            isBundled
            ? "served as a bundle of few files"
            : "served as its many modules, which a telephone fetches more slowly. A bundle of these files is made by bin/page-bundle."
        return [
            DoctorCheck(name: "Page for phones", works: true, detail: detail)
                .saying(isBundled ? "phonePageBundled" : "phonePageModules")
        ]
    }

    private static func camera() -> DoctorCheck {
        let devices = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        let cameras = devices.filter { $0.hasPrefix("video") }.sorted()
        guard let first = cameras.first else {
            return DoctorCheck(name: "Camera", works: false, detail: "\(QRError.noCamera)").saying("noCamera")
        }
        return DoctorCheck(name: "Camera", works: true, detail: "/dev/\(first)")
    }

    private static func localNetwork() -> DoctorCheck {
        let interfaces = NetworkInterface.current()
        let addresses = LocalAddresses.reachable(among: interfaces) + LocalAddresses.lastResort(among: interfaces)
        guard let address = addresses.map(\.description).first(where: LocalAddresses.isPrivateOrLoopback) else {
            if let address = LocalAddresses.uniqueLocal(among: IPv6Interface.current()).first?.address {
                let detail =
                    "by IPv6 only: phones reach this machine at \(address) where its program was started with --listen [::]:9001"
                return DoctorCheck(name: "Local network", works: true, detail: detail)
                    .saying("reachedByIPv6", ["address": .string(address)])
            }
            return DoctorCheck(
                name: "Local network",
                works: false,
                detail: "this machine has no private address; phones on other machines reach it over a hub only"
            )
            .saying("noPrivateAddress")
        }
        return DoctorCheck(name: "Local network", works: true, detail: "phones reach this machine at \(address)")
            .saying("reachedAt", ["address": .string(address)])
    }

    /// Asks for the system's discovery service and gives it a moment to answer.
    private static func discovery() async -> DoctorCheck {
        let browser = Live.browser()
        let deadline = ContinuousClock.now + .seconds(2)
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
                try? await Task.sleep(until: deadline)  // cancelled once there is an answer
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        switch state {
        case .running:
            return DoctorCheck(name: "Discovery", works: true, detail: "devices on the network find each other")
                .saying("discovers")
        case .waiting(let error):
            let check = DoctorCheck(name: "Discovery", works: false, detail: "\(error)", mend: mend(error))
            return mend(error) == nil ? check : check.saying("noDiscovery")
        case .idle, .starting, nil:
            return DoctorCheck(
                name: "Discovery",
                works: false,
                detail: "no answer. Install and start avahi-daemon.",
                mend: mend(.daemonNotRunning)
            )
            .saying("noDiscovery")
        }
    }

    private static func mend(_ error: DiscoveryError) -> String? {
        switch error {
        case .daemonNotRunning: "sudo apt install avahi-daemon && sudo systemctl start avahi-daemon"
        case .systemBusMissing: "sudo apt install dbus avahi-daemon"
        default: nil
        }
    }
}
