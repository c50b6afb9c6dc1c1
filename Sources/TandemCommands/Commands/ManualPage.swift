import Foundation

/// `tandem(1)` in mdoc, the language of manual pages that groff and mandoc read.
enum ManualPage {
    /// Options that every command takes, or nearly: described once.
    private static let common: Set<String> = ["help", "version", "state", "json"]

    static func text(of program: CommandDescription, date: Date) -> String {
        var lines = [
            ".Dd \(day(date))", ".Dt \(program.commandName.uppercased()) 1", ".Os Tandem \(TandemVersion.current)",
            ".Sh NAME",
            ".Nm \(program.commandName)", ".Nd \(text(sentence: program.abstract ?? ""))", ".Sh SYNOPSIS", ".Nm",
            ".Ar command", ".Op Ar option ...", ".Op Ar argument ...", ".Sh DESCRIPTION",
        ]
        lines += paragraphs(program.discussion)
        lines += [".Sh COMMON OPTIONS", "Most commands take these:"] + list(commonOptions(of: program))
        let shared = shared(in: program)
        if !shared.isEmpty { lines += [".Pp", "Many take these:"] + list(shared) }
        let known = Set(shared.map(key))
        lines += [".Sh COMMANDS"] + children(of: program).flatMap { command($0, below: [program.commandName], known) }
        return (lines + closing).joined(separator: "\n")
    }

    // MARK: Commands

    private static func children(of command: CommandDescription) -> [CommandDescription] {
        (command.subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
    }

    /// - Parameter known: The ``key(_:)`` of each option that is described already.
    private static func command(_ command: CommandDescription, below path: [String], _ known: Set<String>) -> [String] {
        let path = path + [command.commandName]
        let arguments = shown(command)
        var lines = [".Ss \(path.joined(separator: " "))"]
        let children = children(of: command)
        if children.isEmpty {
            lines += [".Nm \(path.joined(separator: " "))"] + arguments.map(synopsis) + [".Pp"]
        }
        lines += paragraphs(command.abstract) + (command.discussion.map { [".Pp"] + paragraphs($0) } ?? [])
        if let implied = command.defaultSubcommand {
            lines += [".Pp", "Without a subcommand", ".Ic \(implied)", "is meant."]
        }
        return lines + list(arguments.filter { !known.contains(key($0)) })
            + children.flatMap { self.command($0, below: path, known) }
    }

    private static func shown(_ command: CommandDescription) -> [CommandDescription.Argument] {
        (command.arguments ?? []).filter { argument in
            argument.shouldDisplay && !(argument.names ?? []).contains { common.contains($0.name) }
        }
    }

    private static func commonOptions(of program: CommandDescription) -> [CommandDescription.Argument] {
        var found: [String: CommandDescription.Argument] = [:]
        var commands = [program]
        while let command = commands.popLast() {
            for argument in command.arguments ?? [] {
                for name in argument.names ?? [] where common.contains(name.name) && found[name.name] == nil {
                    found[name.name] = argument
                }
            }
            commands += children(of: command)
        }
        return common.sorted().compactMap { found[$0] }
    }

    /// Options that many commands take with the same meaning, described once, in the order of their names.
    private static func shared(in program: CommandDescription) -> [CommandDescription.Argument] {
        var found: [String: [CommandDescription.Argument]] = [:]
        var commands = [program]
        while let command = commands.popLast() {
            for argument in shown(command) where argument.kind != .positional {
                found[key(argument), default: []].append(argument)
            }
            commands += children(of: command)
        }
        return found.filter { $0.value.count >= sharing }.sorted { $0.key < $1.key }.compactMap(\.value.first)
    }

    /// Commands that have to take an option for it to be described once for all.
    private static let sharing = 6

    /// The names and the meaning of an option.
    private static func key(_ argument: CommandDescription.Argument) -> String {
        ((argument.names ?? []).map(\.name) + [argument.abstract ?? ""]).joined(separator: "\n")
    }

    // MARK: Arguments

    private static func synopsis(_ argument: CommandDescription.Argument) -> String {
        let words = tag(argument, all: false)
        let more = argument.isRepeating ? " ..." : ""
        return argument.isOptional ? ".Op \(words)\(more)" : ".\(words)\(more)"
    }

    /// - Parameter all: With every name that it has, not only the first.
    private static func tag(_ argument: CommandDescription.Argument, all: Bool) -> String {
        let value = "Ar \(word(argument.valueName ?? "value"))"
        guard argument.kind != .positional else { return value }
        let names = (argument.names ?? []).map { $0.kind == .long ? "Fl Fl \(word($0.name))" : "Fl \(word($0.name))" }
        let chosen = all ? names.joined(separator: " , ") : names.last ?? ""
        return argument.kind == .option ? "\(chosen) \(value)" : chosen
    }

    private static func list(_ arguments: [CommandDescription.Argument]) -> [String] {
        guard !arguments.isEmpty else { return [] }
        let items = arguments.flatMap { argument -> [String] in
            var lines =
                [".It \(tag(argument, all: true))"] + paragraphs(argument.abstract) + paragraphs(argument.discussion)
            if let values = argument.allValues, !values.isEmpty {
                lines.append("One of \(text(values.joined(separator: ", "))).")
            }
            if let value = argument.defaultValue, !value.isEmpty { lines.append("The default is \(text(value)).") }
            return lines
        }
        return [".Bl -tag -width Ds"] + items + [".El"]
    }

    // MARK: The end

    /// What people do most, each with what it is for.
    private static let examples = [
        ("Run a hub and this computer, with a code to pair a phone", "tandem up"),
        ("See this computer in a browser", "tandem page --open"),
        ("Show a code for a phone to scan or to type", "tandem pair show"),
        ("Allow the only paired phone files and the clipboard", "tandem devices allow file clipboard"),
        ("See who is paired, and what runs here", "tandem devices; tandem status"),
        ("Find out what does not work, and why", "tandem doctor"),
        (
            "Send a file from a phone to its computer, and fetch one",
            "tandem files put a.pdf; tandem files get Documents/b.pdf /tmp"
        ),
        ("Be told on the phone how a command ends", "tandem notify-when -- make"),
        ("Follow what a coding agent does", "tandem threads follow 019a2b3c"),
    ]

    private static let closing =
        [
            ".Sh EXAMPLES", ".Bl -tag -width Ds",
        ] + examples.flatMap { [".It \(text($0.0)):", ".Dl \(text($0.1))"] } + [
            ".El",
            ".Sh ENVIRONMENT", ".Bl -tag -width Ds", ".It Ev TANDEM_STATE", "The state folder, like", ".Fl Fl state .",
            ".It Ev XDG_STATE_HOME", "Where state folders are by default, in place of", ".Pa ~/.local/state .",
            ".It Ev TANDEM_ Ns Ar OPTION", "Any option of", ".Ic hub , desktop , phone", "and", ".Ic up",
            "in capitals, words parted by an underscore:", ".Ev TANDEM_NO_DISCOVERY=true .", ".El", ".Sh FILES",
            ".Bl -tag -width Ds", ".It Pa ~/.local/state/tandem/ Ns Ar role", "All that a role keeps.",
            ".It Pa ~/.local/state/tandem/ Ns Ar role Ns Pa /config.json",
            "The same settings as one JSON object; what is typed wins, then the environment.", ".El", ".Sh EXIT STATUS",
            ".Bl -tag -width Ds", ".It 0", "Done.", ".It 1",
            "Refused or failed, with one line that says what to do; with",
            ".Fl Fl json", "that line is an object with the member", ".Ql error .", ".It 2", "Wrong use.", ".El", ".Pp",
            "A terminal gives the status of its shell.",
        ]

    // MARK: Language

    private static func day(_ date: Date) -> String {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return "\(names[(parts.month ?? 1) - 1]) \(parts.day ?? 1), \(parts.year ?? 1970)"
    }

    /// Text of several lines. A blank one parts paragraphs; lines that are set off by spaces keep their shape.
    private static func paragraphs(_ text: String?) -> [String] {
        var lines: [String] = []
        var isLiteral = false
        for line in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
            let isSetOff = line.hasPrefix("  ")
            if isSetOff != isLiteral {
                lines.append(isSetOff ? ".Bd -literal" : ".Ed")
                isLiteral = isSetOff
            }
            if line.isEmpty {
                if let last = lines.last, last != ".Pp", last != ".Ed" { lines.append(".Pp") }
            } else {
                // Each line says something of its own, as in the help.
                if !isSetOff, let last = lines.last, ![".Pp", ".Ed"].contains(last) { lines.append(".br") }
                lines.append(self.text(String(line)))
            }
        }
        if isLiteral { lines.append(".Ed") }
        if lines.last == ".Pp" { lines.removeLast() }
        // A display brings its own space.
        return lines.enumerated().filter { index, line in
            line != ".Pp" || !(index + 1 < lines.count && lines[index + 1].hasPrefix(".Bd"))
        }.map(\.element)
    }

    /// A one-line description ends without a full stop there.
    private static func text(sentence: String) -> String {
        text(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)
    }

    /// Escapes a text: nothing in it is a request or an escape, and all of it is ASCII, which every formatter reads as it is.
    static func text(_ text: String) -> String {
        let escaped = text.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "\\" {
                text += "\\e"
            } else if scalar.isASCII {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// One argument of a macro, never a macro itself.
    private static func word(_ text: String) -> String {
        "\\&" + self.text(text).replacing("\"", with: "\\(dq").replacing(" ", with: "\\ ")
    }
}
