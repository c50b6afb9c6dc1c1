import Control
import Foundation
import Kernel
import MigrationClient

/// Follows a move until it ends or waits for a start of the program, with one line that says how far it is, and asks the person what the wizard
/// asks.
actor MigrateDialogue {
    private let client: ControlClient
    private let global: GlobalOptions
    private let password: MigrateSecret
    private let pin: MigrateSecret
    /// Whether the person agreed beforehand.
    private let isAgreed: Bool
    /// The file that the code is drawn into; nil for none.
    private let picture: String?
    private var last: MigrationFlowState?
    private var pinsGiven = 0
    private var passwordsGiven = 0

    init(
        _ global: GlobalOptions,
        password: MigrateSecret,
        pinDescriptor: Int32? = nil,
        isAgreed: Bool = false,
        picture: String? = nil
    ) {
        client = global.client(for: .phone)
        self.global = global
        self.password = password
        pin = MigrateSecret(kind: .pin, descriptor: pinDescriptor)
        self.isAgreed = isAgreed
        self.picture = picture
    }

    /// - Returns: The last state, as it came.
    /// - Throws: `ControlError`, with what the phone says of a move that failed; ``CommandError/declined``.
    func follow() async throws -> JSONValue {
        let answer = try await client.call(MigrationControl.watch.asWire, NoControlParameters()) { item in
            try await self.take(item.decode(as: MigrationFlowState.self))
        }
        endLine()
        return answer
    }

    private func take(_ state: MigrationFlowState) async throws {
        let before = last
        last = state
        // Where the old phone listens; the new one says so below its code.
        if state.role == .oldPhone, !state.addresses.isEmpty, state.addresses != before?.addresses {
            endLine()
            Output.complain(MigrateText.listening(at: state.addresses).joined(separator: "\n"))
        }
        switch state.step {
        case .showing where state.pin != nil && state.pin != before?.pin: try await show(state)
        case .entering where before?.step != .entering: try await enter(state)
        case .agreeing where state.role == .newPhone && (before?.step != .agreeing || before?.trouble != state.trouble):
            // The sentence about a wrong password is taken back when the next one is tried.
            if before?.step != .agreeing || state.trouble != nil { try await agree(to: state) }
        default: write(MigrateText.progress(state))
        }
    }

    private func show(_ state: MigrationFlowState) async throws {
        guard let pin = state.pin, let code = state.code else { return }
        endLine()
        if let picture { try await Live.pictureMaker.write(code, toPNG: picture) }
        let lines = MigrateText.invitation(pin: pin, places: state.addresses, picture: picture)
        let below = TerminalText.block(lines.joined(separator: "\n"))
        // The result is the only thing on standard output.
        guard !global.json, picture == nil, Running.console.isTerminal(.error) else { return Output.complain(below) }
        Output.draw(
            try CodeOnTerminal.text(code, linesBelow: lines.count, below: below) { needed, given in
                """
                The code to scan needs a window of \(needed.columns) columns and \(needed.rows) lines; this one has \(given.columns)
                and \(given.rows). A picture of it: tandem migrate receive --png code.png
                """ + "\n" + below
            }
        )
    }

    private func enter(_ state: MigrationFlowState) async throws {
        endLine()
        if pinsGiven > 0 {
            let reason = state.trouble?.message ?? "The new phone did not take the PIN."
            // What was handed over is not tried twice: each try is counted.
            guard !pin.isGiven else { throw ControlError.refused(reason) }
            Output.complain(TerminalText.line(reason))
        }
        pinsGiven += 1
        let digits = try await pin.value(asking: "The PIN that the new phone shows:")
        _ = try await client.call(MigrationControl.enter, MigrationControl.Entry(pin: digits))
    }

    private func agree(to state: MigrationFlowState) async throws {
        endLine()
        if passwordsGiven > 0 {
            guard !password.isGiven else {
                throw ControlError.refused(state.trouble?.message ?? "The password is another one.")
            }
            Output.complain(TerminalText.line(state.trouble?.message ?? ""))
        } else if !isAgreed {
            let peer = TerminalText.line(state.peer ?? "The old phone")
            Output.complain(
                "\(peer) offers \(Output.size(state.totalBytes)). It takes the place of this phone's data, which is kept for seven days."
            )
            if let replaced = MigrateText.replaced(state.own) { Output.complain(replaced) }
            try await MigrateConsent.ask(client)
        }
        passwordsGiven += 1
        let text = try await password.value(asking: "The password that was set on the old phone:")
        _ = try await client.call(MigrationControl.agree, MigrationControl.Agreement(password: text))
    }

    // MARK: The line

    private var isShowingLine = false

    private func write(_ line: String) {
        guard !line.isEmpty, !global.json, Running.console.isTerminal(.error) else { return }
        isShowingLine = true
        // A line that breaks is not taken back by the next one.
        let line = Running.console.window().map { Table.cut(line, to: max(1, $0.columns - 1)) } ?? line
        // A terminal that is gone takes no progress; the result is written or fails by itself.
        try? Running.console.write(Data("\r\u{1B}[K\(line)".utf8), to: .error)
    }

    private func endLine() {
        guard isShowingLine else { return }
        isShowingLine = false
        try? Running.console.write(Data("\r\u{1B}[K".utf8), to: .error)
    }
}

/// Asks whether this phone's data may be replaced.
enum MigrateConsent {
    /// - Throws: ``CommandError/declined``, and the move is over then.
    static func ask(_ client: ControlClient) async throws {
        Output.complain("Go on? (yes/no)")
        guard await StandardInput.line()?.lowercased() == "yes" else {
            _ = try await client.call(MigrationControl.cancel, NoControlParameters())
            throw CommandError.declined
        }
    }
}
