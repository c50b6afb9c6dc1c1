import Clipboard
import CommandClient
import Files
import Foundation
import Rights
import Screen
import SystemInfo
import TandemPhone
import Terminal
import Testing
import Threads

@Suite("The catalogue of rights", .timeLimit(.minutes(4)))
struct RightTests {
    /// Those of the features that an app has.
    private let catalogue = [PeerFeatureMaker].standard.rights

    @Test("the features' rights are listed by how much they give, and the terminal gives the most")
    func order() {
        let names = [
            "system.info", "notification", "power.wake", "power", "clipboard", "notification.all", "display",
            "notification.act", "threads.read", "file.read", "ports.open", "file.write", "commands", "system.logs",
            "threads.write", "screen.control", "terminal",
        ]
        #expect(catalogue.declarations.map(\.right.rawValue) == names)
        #expect(catalogue.sorted(names.reversed().map { Right(rawValue: $0) } + ["history"]).map(\.rawValue) == names)
        #expect(catalogue.all == Set(names.map { Right(rawValue: $0) }))
        #expect(catalogue.highest == .terminal)
    }

    @Test("a new phone may see how the computer is and be told things, and nothing else")
    func initial() {
        #expect(catalogue.initial == [.systemInformation, .notification])
    }

    @Test("all of a computer's notifications are given with notifications, and taken back with them")
    func partsOfOthers() {
        #expect(catalogue.given([.notificationAll, .clipboard]) == [.notificationAll, .notification, .clipboard])
        #expect(catalogue.takenBack([.notification]) == [.notification, .notificationAll])
        #expect(catalogue.takenBack([.notificationAll, .terminal]) == [.notificationAll, .terminal])
    }

    @Test("a preset follows from what the rights are declared to be, and holds what every phone has")
    func presets() {
        #expect(
            catalogue.rights(of: .look) == [
                .systemInformation, .notification, .display, .threadsRead, .fileRead,
            ]
        )
        #expect(catalogue.rights(of: .all) == catalogue.all)
    }

    @Test("names are read one by one, with commas between, and file stands for both rights over files")
    func names() throws {
        #expect(try catalogue.list(["clipboard,display", "terminal"]) == [.clipboard, .display, .terminal])
        #expect(try catalogue.list(["file"]) == [.fileRead, .fileWrite])
        #expect(try catalogue.list(["file.read", "file.read,"]) == [.fileRead])
        for right in catalogue.all { #expect(try catalogue.list([right.rawValue]) == [right]) }
    }

    @Test(
        "a list with anything that is no right is refused whole, and the refusal names it and lists all rights",
        arguments: ["files-write", "rm", "TERMINAL", "history", "terminal;", "*", "all"]
    )
    func unknown(name: String) throws {
        let error = try #require(throws: RightsError.self) { try catalogue.list(["terminal", name]) }
        #expect(error == .unknown(name, known: Self.names))
        #expect(error.description.contains(name))
        for right in catalogue.all { #expect(error.description.contains(right.rawValue)) }
    }

    @Test("no name at all is refused too", arguments: [[], [""], [" , "]])
    func none(texts: [String]) {
        #expect(throws: RightsError.none(known: Self.names)) { try catalogue.list(texts) }
    }

    @Test("a name of any length costs a short refusal")
    func longNames() throws {
        let error = try #require(throws: RightsError.self) {
            try catalogue.list([String(repeating: "x", count: 1 << 20)])
        }
        #expect(error.description.utf8.count < 400)
    }

    @Test(
        "records of before keep what is still a right, and values of other versions give nothing but are kept for them"
    )
    func stored() {
        let stored = Right.stored(["file", "history", "terminal", "everything"])
        #expect(stored.intersection(catalogue.all) == [.fileRead, .fileWrite, .terminal])
        #expect(stored.subtracting(catalogue.all) == ["history", "everything"])
        #expect(Right.stored(["system"]) == [.systemLogs])
    }

    @Test(
        "what cannot be a right's name is left out of a record",
        arguments: ["rm -rf /", "", "Terminal", "terminal ", "file/read", "é", String(repeating: "x", count: 65)]
    )
    func notStored(name: String) {
        #expect(Right.stored([name, "terminal"]) == [.terminal])
    }

    @Test("each right says what it amounts to, and no two say the same")
    func meanings() {
        #expect(Set(catalogue.declarations.map(\.meaning)).count == catalogue.all.count)
        #expect(catalogue.sorted(catalogue.all) == catalogue.declarations.map(\.right))
    }

    @Test("a right and a group of rights are found by their names, and nothing else is")
    func named() {
        #expect(catalogue.named("file") == [.fileRead, .fileWrite])
        #expect(catalogue.named("system") == [.systemLogs])
        for right in catalogue.all { #expect(catalogue.named(right.rawValue) == [right]) }
        for name in ["", "files", "history", "Terminal", "*"] { #expect(catalogue.named(name) == nil) }
    }

    @Test("what a relay could misuse is not part of what the first yes to an unsealed pairing allows")
    func inTheClear() {
        #expect(
            catalogue.initialInTheClear
                == [.systemInformation, .notification, .notificationAll, .clipboard, .display, .fileRead]
        )
    }

    @Test("of two declarations of one right the first holds, and a catalogue of none allows none")
    func catalogues() {
        let first = RightDeclaration(.terminal, "one", risk: .safe, weight: 1)
        let catalogue = RightsCatalogue([first, RightDeclaration(.terminal, "two", risk: .privileged, weight: 2)])
        #expect(catalogue.declarations == [first])
        #expect(catalogue[.terminal] == first)
        let empty = RightsCatalogue([])
        #expect(empty.all == [] && empty.initial == [] && empty.highest == nil)
        #expect(empty.sorted([.terminal]) == [] && empty[.terminal] == nil && empty.named("terminal") == nil)
        #expect(throws: RightsError.unknown("terminal", known: [])) { try empty.list(["terminal"]) }
    }

    /// What a refusal lists: the rights, then the groups.
    private static let names = [
        "system.info", "notification", "power.wake", "power", "clipboard", "notification.all", "display",
        "notification.act", "threads.read", "file.read", "ports.open", "file.write", "commands", "system.logs",
        "threads.write", "screen.control", "terminal",
        "file", "system", "threads",
    ]
}
