import ArgumentParser
import Control
import Kernel
import Pairing
import Testing

@testable import TandemCommands

@Suite("Taking the terminal back", .timeLimit(.minutes(4)))
struct DenyTests {
    private struct Outcome: Sendable {
        var keeps: Bool
        var said: [String]
        var requests: [ControlRequest]
    }

    private static let shell = Sample.wire(["id": "terminal:1", "detail": "bash"])
    private static let another = Sample.wire(["id": "terminal:2", "detail": "zsh"])
    private static let upload = Sample.wire(["id": "upload:3", "kind": "upload", "detail": "/srv/a"])

    private func table(_ activities: JSONValue...) throws -> String {
        ActivityCommand.table(try activities.map { try $0.decode(as: ActivityEntry.self) })
    }

    /// What `tandem devices deny` with these arguments asks and decides, at a computer where `activities` go on.
    private func outcome(
        of typed: [String],
        beside activities: [JSONValue],
        canAsk: Bool = true,
        answer: String?
    ) async throws -> Outcome {
        try await PreparedRole.run({ _ in ["activities": .array(activities)] }) { state, role in
            let said = Said()
            let deny = try Devices.Deny.parse(typed + ["--role", "desktop", "--state", state])
            let keeps = try await deny.keepsShells(
                of: try Grant(deny.words),
                canAsk: canAsk,
                say: { said.write($0) },
                answer: { answer }
            )
            return Outcome(keeps: keeps, said: said.all, requests: role.requests)
        }
    }

    @Test(
        "a shell stays only after n or no; every other answer ends it, also the end of input",
        arguments: [
            ("n", true), ("no", true), ("N", true), (" No ", true), ("", false), ("y", false), ("yes", false),
            ("never", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func answers(answer: String?, keeps: Bool) async throws {
        let outcome = try await outcome(of: ["ada", "terminal"], beside: [Self.shell, Self.upload], answer: answer)
        #expect(outcome.keeps == keeps)
        #expect(try outcome.said == [table(Self.shell), "End this shell too? [Y/n]"])
        #expect(outcome.requests.map(\.method) == ["activity.list"])
        #expect(outcome.requests.first?.params == ["id": "ada"])
    }

    @Test("several shells are listed and asked about together")
    func several() async throws {
        let outcome = try await outcome(
            of: ["terminal", "clipboard"],
            beside: [Self.shell, Self.another],
            answer: "no"
        )
        #expect(outcome.keeps)
        #expect(
            try outcome.said == [table(Self.shell, Self.another), "End these shells too? [Y/n]"]
        )
        // The only phone, which needs no name.
        #expect(outcome.requests.first?.params == [:])
    }

    @Test("nothing is asked where no shell runs")
    func noShell() async throws {
        let outcome = try await outcome(of: ["ada", "terminal"], beside: [Self.upload], answer: "no")
        #expect(!outcome.keeps)
        #expect(outcome.said == [])
    }

    @Test(
        "nothing is asked without a terminal, by a program, or where it was said; shells end then unless kept",
        arguments: [
            (["ada", "terminal"], false, false),
            (["ada", "terminal", "--json"], true, false),
            (["ada", "terminal", "--keep-shells"], true, true),
            (["ada", "terminal", "--keep-shells", "--json"], false, true),
            (["ada", "clipboard"], true, false),
        ] as [([String], Bool, Bool)]
    )
    func unasked(typed: [String], canAsk: Bool, keeps: Bool) async throws {
        let outcome = try await outcome(
            of: typed,
            beside: [Self.shell],
            canAsk: canAsk,
            answer: keeps ? "yes" : "no"
        )
        #expect(outcome.keeps == keeps)
        #expect(outcome.said == [])
        #expect(outcome.requests == [])
    }

    @Test(
        "the computer is told whether the shells stay",
        arguments: [("--keep-shells", true), ("--json", false)]
    )
    func told(flag: String, keeps: Bool) async throws {
        let requests = try await PreparedRole.run({ _ in throw ControlError.refused("Not now.") }) { state, role in
            let deny = try Devices.Deny.parse(["ada", "terminal", flag, "--role", "desktop", "--state", state])
            await #expect(throws: ControlError.refused("Not now.")) { try await deny.run() }
            return role.requests
        }
        #expect(requests.map(\.method) == ["devices.deny"])
        #expect(requests.first?.params == ["id": "ada", "skills": ["terminal"], "keepShells": .bool(keeps)])
    }
}
