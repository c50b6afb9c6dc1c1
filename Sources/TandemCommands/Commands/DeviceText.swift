import Control
import Foundation
import Kernel
import Pairing
import Rights

/// Paired devices as a person reads them.
enum DeviceText {
    /// How a device is reached.
    ///
    /// - Parameter path: As in `LinkKind`.
    static func way(_ path: String) -> String {
        switch path {
        case "lan": "direct"
        case "relay": "over the hub"
        default: TerminalText.line(path)
        }
    }

    /// A row for each of the paired devices.
    ///
    /// - Parameter ids: Whether whole ids stand there on a terminal, too.
    static func list(_ devices: [DeviceEntry], of role: Role, ids: Bool) -> String {
        let isTerminal = Running.console.isTerminal(.output)
        // On a terminal an id takes the room of what is read, and is needed only where a name is not one device's.
        let hasIDs = ids || !isTerminal || Set(devices.map(\.name)).count < devices.count
        return Output.table(
            ["NAME", "PLATFORM", "PATH", "SEALED", "LAST SEEN"] + (hasIDs ? ["ID"] : [])
                + (role == .phone ? ["ALLOWED"] : []),
            devices.map {
                [
                    $0.name, $0.platform.rawValue, $0.path ?? "away", $0.endToEnd ? "yes" : "NO, insecure",
                    Output.when($0.lastSeenAt),
                ] + (hasIDs ? [ids || !isTerminal ? $0.id : TypedDevice.short($0.id)] : [])
                    // A phone shows what each computer allows it, as far as that one said.
                    + (role == .phone ? [allowed($0)] : [])
            }
        )
    }

    private static func allowed(_ computer: DeviceEntry) -> String {
        guard let rights = computer.allowed?.wrappedValue else { return "not known" }
        return names(rights, of: computer)
    }

    /// Rights with what those have left that end.
    private static func names(_ rights: [Right], of device: DeviceEntry) -> String {
        names(rights.map { $0.rawValue + Devices.left($0, of: device) })
    }

    private static func names(_ names: [String]) -> String { names.isEmpty ? "nothing" : names.joined(separator: ", ") }

    /// All that is known of one device, a row for each thing. What is not known is left out.
    ///
    /// - Parameters:
    ///   - device: With every text in it safe for a terminal.
    ///   - width: The window's columns; nil where there is none, and no row is broken.
    static func all(of device: DeviceEntry, at role: Role, width: Int? = Output.width) -> String {
        let isPhone = role == .desktop
        let reached = device.path.map { "here, \(way($0))" } ?? "away, last seen \(Output.when(device.lastSeenAt))"
        var rows: [(name: String, value: String?)] = [
            ("platform", device.platform.rawValue), ("reached", reached), ("paired", Output.time(device.pairedAt)),
            ("sealed", device.endToEnd ? "end to end" : "NO, insecure"), ("its key", device.fingerprint),
            ("key here", device.ownFingerprint),
        ]
        if isPhone {
            rows += [
                ("may", names(device.skills, of: device)),
                ("unsigned", device.unsigned.flatMap { $0.isEmpty ? nil : names($0.map(\.rawValue)) }),
                ("refused", device.stillRefused.flatMap { $0.isEmpty ? nil : names($0.map(\.rawValue)) }),
            ]
        } else {
            rows += [
                ("allowed", allowed(device)),
                ("in clear", device.endToEnd ? nil : names(device.skills.map(\.rawValue))),
                ("not confirmed", device.confirmed == false ? "the computer has not said yes" : nil),
                ("in the LAN", device.lanSignalingUrl?.wrappedValue), ("over", device.relayUrl?.wrappedValue),
            ]
        }
        rows += [
            ("id", device.id), ("device id", device.deviceId),
            ("key id", device.did.flatMap { $0 == device.id ? nil : $0 }),
        ]
        let shown = rows.compactMap { row in row.value.map { (row.name, $0) } }
        let column = (shown.map(\.0.count).max() ?? 0) + 4
        let lines = shown.map { name, value in
            TerminalText.padded("  \(name)", to: column)
                + TerminalText.rows(value, width: width, from: column, indent: column)
        }
        let advice = device.notAllowed?.wrappedValue.map {
            ["  " + TerminalText.rows($0, width: width, from: 2, indent: 2)]
        }
        return ([Style().bold(device.name)] + lines + (advice ?? [])).joined(separator: "\n")
    }
}
