import Foundation
import Kernel
import Logging
import Rights
import Testing

@testable import ClipboardHost
@testable import CommandServer
@testable import Commands
@testable import SystemInfoHost

@Suite("The skill registry", .timeLimit(.minutes(4)))
struct RegistryTests {
    private let caller = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, rights: [])

    @Test("every entry of the built-in list fits the others and finds its own methods again")
    func builtIn() throws {
        let registry = RemoteSkillRegistry.builtIn
        let entries = registry.entries
        #expect(Set(entries.map(\.namespace)).count == entries.count)
        let names = entries.flatMap { $0.methods.map(\.name) }
        #expect(Set(names).count == names.count, "a method belongs to one skill")
        for entry in entries {
            #expect(registry[entry.namespace] == entry)
            #expect(entry.methodCount >= entry.methods.count, "\(entry.namespace)")
            #expect(entry.requiresApproval == (entry.risk == .privileged), "\(entry.namespace)")
            #expect((entry.transport == .browserExtension) == (entry.namespace == "extension"))
            #expect(!entry.displayName.isEmpty && entry.description.hasSuffix("."), "\(entry.namespace)")
            for method in entry.methods {
                #expect(registry.entry(ofMethod: method.name)?.namespace == entry.namespace, "\(method.name)")
            }
        }
        // What is written down for other programs stays readable by them and by us.
        #expect(try JSONValue(encoding: entries).decode(as: [RemoteSkillEntry].self) == entries)
    }

    @Test("approval: the method's word, then its own risk, then the skill's; an unknown skill needs it")
    func approval() {
        let registry = RemoteSkillRegistry([
            RemoteSkillEntry(
                "a",
                "A",
                "A.",
                category: "data",
                risk: .privileged,
                methodCount: 4,
                methods: [
                    SkillMethod(
                        name: "a.said",
                        description: "",
                        parameterCount: 0,
                        riskOverride: .privileged,
                        requiresApprovalOverride: false
                    ),
                    SkillMethod(name: "a.safe", description: "", parameterCount: 0, riskOverride: .safe),
                    SkillMethod(name: "a.plain", description: "", parameterCount: 0),
                ]
            ),
            RemoteSkillEntry(
                "b",
                "B",
                "B.",
                category: "data",
                risk: .mutating,
                methodCount: 2,
                methods: [
                    SkillMethod(name: "b.risky", description: "", parameterCount: 0, riskOverride: .privileged),
                    SkillMethod(
                        name: "b.asks",
                        description: "",
                        parameterCount: 0,
                        riskOverride: .safe,
                        requiresApprovalOverride: true
                    ),
                ]
            ),
        ])
        let expected = [
            "a.said": false, "a.safe": false, "a.plain": true, "a.unlisted": true, "b.risky": true, "b.asks": true,
            "b.unlisted": false, "c.anything": true, "": true,
        ]
        for (method, needed) in expected { #expect(registry.requiresApproval(method) == needed, "\(method)") }
    }

    @Test("the list counts what the router really serves")
    func truthful() async throws {
        let served =
            PingSkill(version: "1").methods + [
                RemoteMethod("clipboard.get", risk: .safe) { _, _ in [:] },
                RemoteMethod("sysinfo.getCPU", needs: "system.info", risk: .safe) { _, _ in [:] },
                RemoteMethod("system.info", needs: "system.info", risk: .safe) { _, _ in [:] },
                RemoteMethod("terminal.create", risk: .privileged) { _, _ in [:] },
            ]
        let registry = RegistryMethods(serving: served)
        let router = CommandRouter(methods: served + registry.methods, logger: Logger(label: "test"))
        for (index, name) in ["registry.list", "skill.list"].enumerated() {
            let outcome = await router.answer(CommandRequest(id: "\(index)", method: name), from: caller).outcome
            let list = try outcome.get()
            let skills = try #require(list["skills"]?.arrayValue)
            #expect(list["total"] == 24)
            #expect(skills.count == 24)
            let methods = skills.reduce(into: [String: [String]]()) { methods, skill in
                methods[skill["namespace"]?.stringValue ?? ""] = skill["methods"]?.arrayValue?.compactMap {
                    $0["name"]?.stringValue
                }
            }
            let servedSkills = [
                "system": ["system.ping"], "clipboard": ["clipboard.get"],
                "system.info": ["sysinfo.getCPU", "system.info"], "terminal": ["terminal.create"],
            ]
            for skill in skills {
                let namespace = try #require(skill["namespace"]?.stringValue)
                #expect(methods[namespace] == servedSkills[namespace, default: []], "\(namespace)")
                #expect(skill["served"] == .bool(servedSkills[namespace] != nil), "\(namespace)")
                #expect(skill["methodCount"] == .integer(Int64(servedSkills[namespace]?.count ?? 0)), "\(namespace)")
            }
        }
        let one = await router.answer(
            CommandRequest(id: "c", method: "registry.list", params: ["namespace": "clipboard"]),
            from: caller
        )
        #expect(
            try one.outcome.get()
                == [
                    "success": true, "total": 1,
                    "skills": [
                        [
                            "namespace": "clipboard", "displayName": "Clipboard",
                            "description": "Reads and sets what was copied.",
                            "category": "ui", "risk": "Mutating", "requiresApproval": false, "transport": "handler-rpc",
                            "served": true, "methodCount": 1, "documentedMethodCount": 9,
                            "methods": [
                                [
                                    "name": "clipboard.get", "description": "What was copied.", "paramCount": 1,
                                    "paramSummary": "type", "risk": "Safe", "riskOverride": "Safe",
                                    "requiresApproval": true,
                                    "permission": "clipboard",
                                ]
                            ],
                        ]
                    ],
                ]
        )
        let wrong = await router.answer(
            CommandRequest(id: "w", method: "registry.list", params: ["namespace": "no"]),
            from: caller
        )
        #expect(throws: RemoteFailure.badParameter("namespace", "one that registry.list lists, not no")) {
            try wrong.outcome.get()
        }
    }

    @Test(
        "every known method that is not served says so, for every skill and every name",
        arguments: RemoteSkillRegistry.builtIn.entries.map(\.namespace)
    )
    func unsupported(namespace: String) async throws {
        let router = CommandRouter(methods: PingSkill(version: "1").methods, logger: Logger(label: "test"))
        let entry = try #require(RemoteSkillRegistry.builtIn[namespace])
        for name in entry.methods.map(\.name) + (namespace == "system" ? [] : ["\(namespace).anything"])
        where name != "system.ping" {
            let offer =
                namespace == "system"
                ? "offers System, but not \(name)" : "does not offer \(entry.displayName) (\(name))"
            #expect(
                await router.answer(CommandRequest(id: name, method: name), from: caller).outcome
                    == .failure(
                        RemoteFailure(
                            code: -32006,
                            message: "This computer \(offer). registry.list says what it offers."
                        )
                    )
            )
        }
    }

    @Test("a stored registry replaces the built-in one; empty, missing or damaged it does not")
    func stored() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }  // a leftover in the temporary folder harms nobody
        let logger = Logger(label: "test")
        let builtIn = RemoteSkillRegistry.builtIn.entries
        #expect(RemoteSkillRegistry.load(from: file, logger: logger).entries == builtIn)
        for text in ["[]", "{", #"{"skills":[]}"#, #"[{"namespace":"x"}]"#, ""] {
            try Data(text.utf8).write(to: file)
            #expect(RemoteSkillRegistry.load(from: file, logger: logger).entries == builtIn, "\(text)")
        }
        let entry = """
            {"namespace":"x","displayName":"X","description":"X.","category":"new","risk":"Privileged","transport":"handler-rpc",
            "nativeSourceFile":"x.js","methodCount":2,"later":1,"methods":[{"name":"x.do","description":"","paramCount":1,
            "riskOverride":"Safe"}]}
            """
        for text in ["[\(entry)]", #"{"skills":[\#(entry)]}"#] {
            try Data(text.utf8).write(to: file)
            let registry = RemoteSkillRegistry.load(from: file, logger: logger)
            #expect(registry.entries.map(\.namespace) == ["x"])
            #expect(registry["x"]?.category == "new")
            #expect(registry["x"]?.nativeSourceFile == "x.js")
            #expect(registry.requiresApproval("x.do") == false)
            #expect(registry.requiresApproval("x.other"))
            let again = try JSONValue(encoding: registry.entries).decode(as: [RemoteSkillEntry].self)
            #expect(again == registry.entries)
        }
    }
}
