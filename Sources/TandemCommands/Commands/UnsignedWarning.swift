import ArgumentParser
import Foundation
import Kernel
import Pairing
import Rights

/// The warnings before and after allowing rights to a phone that neither seals nor signs.
enum UnsignedWarning {
    /// Warns, and asks where a person sits at the terminal.
    ///
    /// - Throws: ``CommandError/declined`` when the answer is no.
    static func confirm(
        _ rights: Set<Right>,
        canAsk: Bool = Running.console.isTerminal(.input),
        say: (String) -> Void = Output.complain,
        answer: () async -> String? = StandardInput.line
    ) async throws {
        let names = Live.rights.sorted(rights).map(\.rawValue).joined(separator: ", ")
        say(
            """
            Warning: nothing proves who sends these commands. Whoever is on this computer's network and pretends to be \
            this phone will be able to use \(names). Do this only on a network where you trust every device, and not behind \
            a proxy or port forwarding.
            """
        )
        guard canAsk else { return }
        say("Go on? [y/N]")
        guard ["y", "yes"].contains((await answer() ?? "").lowercased()) else { throw CommandError.declined }
    }

    /// The rights that were allowed and will be refused all the same, in words; nil when there are none.
    static func stillRefused(_ device: DeviceEntry) -> String? {
        guard let refused = device.stillRefused, !refused.isEmpty else { return nil }
        let rights = refused.map(\.rawValue).joined(separator: " ")
        return """
            \(device.name) cannot seal, so this is still refused unless it signs its commands: \(rights). To allow it unsigned on this \
            computer's own network: tandem devices allow \(TerminalText.name(device.name)) \(rights) --unsigned
            """
    }
}
