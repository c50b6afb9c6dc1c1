package import Control
package import Kernel

/// The control methods of terminals, for commands and pages on a phone's device. The names and members are those that `--json` prints.
package enum TerminalControl {
    /// Shows a terminal of a computer: its input is ``Input``.
    package static let open = ControlStream<Open, Item, Outcome>(
        "terminal.open",
        summary: "Show a terminal of a paired computer, new or running."
    )

    /// The parameters of showing a terminal: a new one, or one that runs.
    package struct Open: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        package var device: String?
        /// For a new terminal, as in ``TerminalRequest/shell``.
        package var shell: String?
        /// For a new terminal, as in ``TerminalRequest/folder``.
        package var folder: String?
        /// A terminal that runs; nil for a new one.
        package var sessionID: String?
        /// The window's, as in ``TerminalSize``.
        package var columns: Int64?
        /// The window's, as ``columns``.
        package var rows: Int64?
        /// Whether the shell is ended when the command goes before the shell does.
        package var endsWithCaller: Bool?

        package init(
            device: String? = nil,
            shell: String? = nil,
            folder: String? = nil,
            sessionID: String? = nil,
            size: TerminalSize = .standard,
            endsWithCaller: Bool = false
        ) {
            self.device = device
            self.shell = shell
            self.folder = folder
            self.sessionID = sessionID
            columns = Int64(size.columns)
            rows = Int64(size.rows)
            self.endsWithCaller = endsWithCaller
        }

        enum CodingKeys: String, CodingKey {
            case device, shell
            case folder = "cwd"
            case sessionID = "sessionId"
            case columns = "cols"
            case rows, endsWithCaller
        }

        /// - Throws: `ControlError/badParameter(name:expected:)`, ``TerminalError/invalidDimensions``.
        func size() throws -> TerminalSize {
            guard let columns, let rows else {
                throw ControlError.badParameter(name: "cols and rows", expected: "1 to 1000")
            }
            return try TerminalSize(columns: columns, rows: rows)
        }
    }

    /// One thing that a command tells while a terminal is shown.
    package enum Input: Hashable, Sendable {
        case text(String)
        case resize(TerminalSize)
        /// Leaves the shell running, and ends the command.
        case detach

        /// An object with one member, named after the case.
        package var item: JSONValue {
            switch self {
            case .text(let text): ["text": .string(text)]
            case .resize(let size): ["resize": [.integer(Int64(size.columns)), .integer(Int64(size.rows))]]
            case .detach: ["detach": true]
            }
        }

        /// Nil for anything else.
        ///
        /// - Throws: `ControlError/badParameter(name:expected:)`, ``TerminalError/invalidDimensions``.
        package init?(item: JSONValue) throws {
            if let text = item["text"]?.stringValue {
                self = .text(text)
            } else if let size = item["resize"] {
                let numbers = (size.arrayValue ?? []).compactMap(\.integerValue)
                guard numbers.count == 2 else {
                    throw ControlError.badParameter(name: "cols and rows", expected: "1 to 1000")
                }
                self = .resize(try TerminalSize(columns: numbers[0], rows: numbers[1]))
            } else if item["detach"]?.boolValue == true {
                self = .detach
            } else {
                return nil
            }
        }
    }

    /// One thing that is reported while a terminal is shown.
    package enum Item: Hashable, Sendable, Codable {
        /// The output of the terminal.
        case text(String)
        /// A sentence for the person, which is not the terminal's.
        case notice(String)

        private enum CodingKeys: String, CodingKey {
            case text, notice
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            if let text = try members.decodeIfPresent(String.self, forKey: .text) {
                self = .text(text)
            } else {
                self = .notice(try members.decode(String.self, forKey: .notice))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .text(let text): try members.encode(text, forKey: .text)
            case .notice(let text): try members.encode(text, forKey: .notice)
            }
        }
    }

    /// How the showing ended.
    package enum Outcome: Hashable, Sendable, Codable {
        /// - Parameter code: Of a killed shell, 128 and the signal's number.
        case exited(sessionID: String, code: Int, signal: Int?)
        /// The shell runs on.
        case detached(sessionID: String)

        private enum CodingKeys: String, CodingKey {
            case sessionID = "sessionId"
            case exitCode, signal, detached
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let id = try members.decode(String.self, forKey: .sessionID)
            if try members.decodeIfPresent(Bool.self, forKey: .detached) == true {
                self = .detached(sessionID: id)
            } else {
                self = .exited(
                    sessionID: id,
                    code: try members.decode(Int.self, forKey: .exitCode),
                    signal: try members.decodeIfPresent(Int.self, forKey: .signal)
                )
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .exited(let id, let code, let signal):
                try members.encode(id, forKey: .sessionID)
                try members.encode(code, forKey: .exitCode)
                try members.encode(signal, forKey: .signal)
            case .detached(let id):
                try members.encode(id, forKey: .sessionID)
                try members.encode(true, forKey: .detached)
            }
        }
    }
}
