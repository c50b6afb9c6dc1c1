import Foundation
import Kernel
import MigrationClient
import MigrationRestore

/// A move in lines for a person.
enum MigrateText {
    /// One line about what happens now.
    static func progress(_ state: MigrationFlowState) -> String {
        let percent = "\(Int((state.fraction * 100).rounded(.down))) %"
        let bytes = state.totalBytes > 0 ? " of \(Output.size(state.totalBytes))" : ""
        let left = state.timeLeft.map { ", about \(words(seconds: $0)) left" } ?? ""
        let peer = TerminalText.line(state.peer ?? "the other phone")
        if let reason = state.pausedHere { return "\(percent)\(bytes): waits here (\(TerminalText.line(reason)))" }
        if let reason = state.pausedThere { return "\(percent)\(bytes): \(peer) waits (\(TerminalText.line(reason)))" }
        if let trouble = state.trouble { return TerminalText.line(trouble.message) }
        return switch state.step {
        case .idle, .done, .failed, .ready: ""
        case .preparing where state.role == .newPhone: "\(peer) reads its data"
        case .preparing: "Reading this phone's data: \(Output.size(state.doneBytes))"
        case .writing: "Writing: \(percent)\(bytes)"
        case .showing: "Waiting for the old phone"
        case .connecting: "Connecting"
        case .entering: "The new phone shows a PIN"
        case .agreeing where state.role == .oldPhone: "\(peer) has to agree"
        case .agreeing: "This phone has to agree"
        case .sending: "Sending to \(peer): \(percent)\(bytes)\(left)"
        case .receiving: "Receiving from \(peer): \(percent)\(bytes)\(left)"
        case .restoring where state.role == .oldPhone: "\(peer) puts it together: \(percent)"
        case .restoring: "Putting it together: \(percent)\(left)"
        }
    }

    /// What stands below the new phone's code.
    ///
    /// - Parameter picture: The file that has the code; nil where it is shown above.
    static func invitation(pin: String, places: [String], picture: String? = nil) -> [String] {
        let code = picture.map { TerminalText.line($0) } ?? "this"
        guard !places.isEmpty else { return ["Scan \(code) with the old phone, or type this PIN there: \(pin)"] }
        return ["Scan \(code) with the old phone, or type there:"]
            + Self.places(places, "tandem migrate send --to") + ["and then this PIN: \(pin)"]
    }

    /// Where an old phone listens.
    static func listening(at places: [String]) -> [String] {
        ["Type on the new phone:"] + Self.places(places, "tandem migrate receive --from")
    }

    /// The command to type on the other phone: for the likeliest place in the network and, in a line of its own, for a room at a hub.
    static func places(_ places: [String], _ command: String) -> [String] {
        let isRoom = { (place: String) in place.contains("#") }
        let room = places.first(where: isRoom)
        let near = places.first { !isRoom($0) }
        let lines = [near, room].compactMap(\.self).map { "  \(command) \(TerminalText.line($0))" }
        guard near != nil, room != nil else { return lines }
        return [lines[0], "or, from another network:", lines[1]]
    }

    /// The end of a flow, and what is to be done next.
    static func end(_ state: MigrationFlowState) -> String {
        switch (state.role, state.step) {
        case (.oldPhone?, .done):
            if let path = state.path {
                return
                    "\(TerminalText.line(path)) has everything, sealed with the password. Without it nobody can open it."
            }
            return
                "Everything is on \(TerminalText.line(state.peer ?? "the new phone")). This phone is retired; nothing was deleted here."
        case (.newPhone?, .ready):
            return
                ([state.report.map(summary)].compactMap(\.self) + [
                    "Start this phone's program again to put it into place."
                ])
                .joined(separator: "\n")
        case (nil, .idle) where state.lastStart?.change == "restore":
            return ([state.report.map(summary)].compactMap(\.self) + [status(state)]).joined(separator: "\n")
        default: return status(state)
        }
    }

    /// What is under way, what can be undone, and what the last start did. Empty where there is nothing of it.
    static func status(_ state: MigrationFlowState) -> String {
        var lines: [String] = []
        let now = progress(state)
        if !now.isEmpty { lines.append(now) }
        if state.step == .ready {
            lines.append(
                state.canStartAgain && state.isAgreed
                    ? "The phone's program starts again in a moment and puts the data into place."
                    : "A start of the program puts the data into place."
            )
        }
        if let failure = state.failure { lines.append(TerminalText.line(failure.message)) }
        if let start = state.lastStart {
            lines.append(
                start.failure.map { "At the last start nothing was changed: \(TerminalText.line($0))" }
                    ?? (start.change == "undo"
                        ? "This phone went back to its earlier data." : "The data of another phone is in place.")
            )
        }
        if let undo = state.undo {
            lines.append("What it replaced is kept until \(Output.time(undo.until)): tandem migrate rollback")
            if let hidden = hidden(by: undo) { lines.append(hidden) }
        }
        return lines.joined(separator: "\n")
    }

    /// What the person is asked about before a move replaces it; nil where nobody counted it.
    static func replaced(_ own: MigrationFlowState.Own?) -> String? {
        guard let own else { return nil }
        let parts = [
            count(own.counts["stories"] ?? 0, "story", "stories"), "\(own.counts["media"] ?? 0) media",
            count(own.computers, "paired computer", "paired computers"),
        ]
        return "This phone has \(parts.joined(separator: ", "))."
    }

    /// What going back costs; nil for nothing that is known.
    static func hidden(by undo: MigrationFlowState.Undo) -> String? {
        switch undo.changes {
        case nil, 0?: nil
        case 1?: "Going back hides one change of the journal since then."
        case let count?: "Going back hides \(count) changes of the journal since then."
        }
    }

    static func summary(_ report: RestoreReport) -> String {
        var lines = [
            "\(count(report.counts["stories"] ?? 0, "story", "stories")), \(count(report.mediaFiles, "file", "files")) of media (\(Output.size(Int64(clamping: report.mediaBytes)))), all proved."
        ]
        if report.lostCount > 0 {
            lines.append("\(report.lostCount) media were missing or damaged on the old phone; their stories are here:")
            lines += report.lost.prefix(20).map {
                "  \(TerminalText.line($0.fileName)) \(TerminalText.line($0.reason))"
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func count(_ number: some BinaryInteger, _ one: String, _ several: String) -> String {
        "\(number) \(number == 1 ? one : several)"
    }

    private static func words(seconds: Int64) -> String {
        switch seconds {
        case ..<90: "\(max(1, seconds)) s"
        case ..<5400: "\((seconds + 30) / 60) min"
        default: "\((seconds + 1800) / 3600) h"
        }
    }
}
