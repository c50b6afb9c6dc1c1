import ArgumentParser
import Control
import Kernel
import Pairing
import RemoteInput
import Rights
import TandemWeb

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Who runs here, where it listens and what it is connected to.",
        discussion: "In short of every role that runs. All of one: tandem status --role desktop"
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var role: RoleOptions

    func run() async throws {
        if role.role == nil, !global.json {
            var texts: [String] = []
            for role in [Role.desktop, .phone, .hub] {
                if let text = await summary(of: role) { texts.append(text) }
            }
            if !texts.isEmpty { return try Output.result(texts.joined(separator: "\n")) }
        }
        let role = try await role.role(among: [.desktop, .phone, .hub], global)
        try await global.show(.status, of: role) { Output.members($0) }
    }

    /// Nil of a role that does not run, or does not answer.
    private func summary(of role: Role) async -> String? {
        let client = global.client(for: role)
        guard let status: JSONValue = await answer({ try await client.call(.status) }),
            status["role"]?.stringValue == role.rawValue
        else { return nil }
        let devices = role == .hub ? nil : await answer { try await client.call(DeviceControl.list) }
        // An older role, or one without a page, does not say where that is.
        let page = await answer { try await client.call(PageControl.place) }
        return StatusText.summary(of: role, status.forTerminal, devices?.devices ?? [], page: page?.url)
    }

    private func answer<Answer: Sendable>(_ ask: @escaping @Sendable () async throws -> Answer) async -> Answer? {
        try? await withTimeout(RoleOptions.patience, on: .system, throwing: ControlError.connectionLost) {
            try await ask()
        }
    }
}

/// A running role in a few lines, for a person.
enum StatusText {
    /// Letters of a name that stands in a line of 80 columns.
    private static let nameWidth = 28

    /// - Parameters:
    ///   - status: With every text in it safe for a terminal.
    ///   - page: The address of the role's page; nil where it has none.
    static func summary(
        of role: Role,
        _ status: JSONValue,
        _ devices: [DeviceEntry],
        page: String? = nil
    ) -> String {
        let name = status["name"]?.stringValue ?? "?"
        let version = status["version"]?.stringValue.map { ", Tandem \($0)" } ?? ""
        var lines: [String]
        switch role {
        case .desktop:
            lines = ["\(name): this computer\(version)"]
            let addresses = texts(status["addresses"]?["lan"])
            lines.append(
                addresses.isEmpty
                    ? "  it is on no network where phones reach it" : "  phones reach it at \(list(addresses))"
            )
            if let hub = status["hub"]?.stringValue { lines.append("  and over the hub \(hub)") }
            lines.append("  \(connected(devices, "phone", "tandem pair show"))")
            let activities = status["activities"]?.arrayValue ?? []
            if let control = activities.first(where: { $0["right"]?.stringValue == Right.screenControl.rawValue }) {
                let phone = String((control["name"]?.stringValue ?? "A phone").prefix(nameWidth))
                lines.append("  \(phone) controls pointer and keyboard: tandem input stop")
            }
            let count = activities.count
            if count > 0 {
                lines.append("  phones keep \(count) \(count == 1 ? "thing" : "things") going: tandem activity")
            }
        case .phone:
            lines = ["\(name): a phone\(version)", "  \(connected(devices, "computer", "tandem pair scan"))"]
        case .hub:
            lines = ["A hub at \(list(texts(status["urls"])))\(version)"]
        }
        if let page {
            lines.insert("  its page is at \(TerminalText.line(page)): tandem page --role \(role.rawValue)", at: 1)
        }
        lines += (status["servers"]?.arrayValue ?? []).compactMap { server in
            guard let reason = server["reason"]?.stringValue else { return nil }
            return
                "  not reached: \(server["name"]?.stringValue ?? server["url"]?.stringValue ?? "a server"): \(reason)"
        }
        if let end = status["lastEnd"]?.stringValue { lines.append("  \(end)") }
        return lines.joined(separator: "\n")
    }

    private static func connected(_ devices: [DeviceEntry], _ kind: String, _ command: String) -> String {
        guard !devices.isEmpty else { return "no \(kind) is paired: \(command)" }
        let here = devices.compactMap { device in
            device.path.map { "\(TerminalText.line(device.name)) (\(DeviceText.way($0)))" }
        }
        let paired = "\(devices.count) \(kind)\(devices.count == 1 ? "" : "s") paired"
        return here.isEmpty ? "\(paired), none connected" : "\(paired), connected: \(list(here))"
    }

    private static func texts(_ value: JSONValue?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }

    private static func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
}
