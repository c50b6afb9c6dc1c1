import ArgumentParser
import CommandClient
import CommandServer
import Commands
import Control
import Foundation
import Kernel
import Logging
import SignalingServer
import TandemHub
import TandemPhone
import TandemWeb
import Testing

@testable import TandemCommands
@testable import TandemDesktop

/// `Tests/Page/contract.json` is what the page's types and fakes are checked against. `TANDEM_WRITE_CONTRACT=1` writes it anew.
@Suite("The contract of the methods", .timeLimit(.minutes(4)))
struct ContractTests {
    /// A control method as it was asked once: a line of `Tests/Page/control.jsonl`.
    private struct ControlRecord: Decodable {
        var method: String
        /// Nil: as every role that has the method answers it.
        var role: String?
        var params: JSONValue
        /// What it reported before its answer.
        var items: [JSONValue]?
        var answer: JSONValue

        /// For the page's people and tests: what one call looks like.
        var example: JSONValue {
            let example: JSONValue = ["params": params, "answer": answer]
            return items.map { example.adding("items", .array($0)) } ?? example
        }
    }

    /// A route of one role, and what it was recorded with.
    private struct Recorded {
        var role: String
        var route: ControlRoute
        var records: [ControlRecord]
    }

    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Page")
    /// Where the requests of phones and their answers are recorded.
    private static let requests = page.deletingLastPathComponent().appending(path: "HomeTests/Fixtures/methods")

    @Test("every control method of every role is recorded, and nothing else is")
    func complete() throws {
        try withRoles { roles, _ in
            let recorded = Set(try Self.controlRecords().map(\.method))
            let served = Set(roles.flatMap { $0.routes.map(\.name) })
            #expect(served.subtracting(recorded).sorted() == [], "not recorded")
            #expect(recorded.subtracting(served).sorted() == [], "answered by no role")
        }
    }

    @Test("what was recorded of a control method is what this version reads and writes")
    func records() throws {
        try withRoles { roles, _ in
            for one in try Self.recorded(roles) {
                let types = one.route.types
                for record in one.records {
                    let place: Comment = "\(one.route.name) of \(one.role)"
                    let params = try Self.again(types.parameters, record.params)
                    #expect(params == record.params, place)
                    let answer = try Self.again(types.answer, record.answer)
                    #expect(answer == record.answer, place)
                    for item in record.items ?? [] {
                        let type = try #require(types.item, place)
                        let again = try Self.again(type, item)
                        #expect(again == item, place)
                    }
                }
            }
        }
    }

    @Test("the contract says what the roles and the records say")
    func contract() throws {
        try withRoles { roles, declarations in
            let contract = try Self.text(control: Self.control(roles), methods: Self.methods(declarations))
            let file = Self.page.appending(path: "contract.json")
            if ProcessInfo.processInfo.environment["TANDEM_WRITE_CONTRACT"] != nil {
                try Data(contract.utf8).write(to: file)
            }
            // By lines, of which each is one method: what differs is seen.
            let written = Set(String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n"))
            let current = Set(contract.split(separator: "\n"))
            #expect(current.subtracting(written).sorted() == [], "not in contract.json: TANDEM_WRITE_CONTRACT=1")
            #expect(written.subtracting(current).sorted() == [], "only in contract.json: TANDEM_WRITE_CONTRACT=1")
        }
    }

    // MARK: The roles

    private typealias Roles = [(name: String, routes: [ControlRoute])]

    /// The roles as this program makes them, with their pages. None of them runs.
    private func withRoles(_ body: (_ roles: Roles, _ methods: [MethodDeclaration]) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let values = PageOptions.Values()
        let folder = try StateFolder(root.appending(path: "desktop"))
        let desktop = try DesktopOptions.parse([])
            .desktop(folder: folder, settings: Settings(folder: folder, environment: [:]), logger: logger)
        let phone = try PhoneCommand.phone(
            folder: StateFolder(root.appending(path: "phone")),
            name: "phone",
            hub: nil,
            browser: nil,
            logger: logger
        )
        let hub = try Hub(
            folder: StateFolder(root.appending(path: "hub")),
            server: SignalingServerConfiguration(),
            features: Live.hubFeatures,
            version: "1",
            logger: logger
        ) { parts in
            try Pages.page(of: parts, values, logger: logger).table
        }
        let roles: Roles = [
            ("desktop", try Pages.page(of: desktop, values, logger: logger).table.routes),
            ("hub", hub.control.routes),
            ("phone", try Pages.page(of: phone, values, logger: logger).table.routes),
        ]
        try body(roles, desktop.features.methods.map(\.declaration) + [MethodDeclaration.registryList])
    }

    // MARK: The records

    private static func lines(_ file: URL) throws -> [JSONValue] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: $0) }
    }

    private static func controlRecords() throws -> [ControlRecord] {
        try lines(page.appending(path: "control.jsonl")).map { try $0.decode(as: ControlRecord.self) }
    }

    private static func recorded(_ roles: Roles) throws -> [Recorded] {
        let records = Dictionary(grouping: try controlRecords(), by: \.method)
        return roles.flatMap { role in
            role.routes.map { route in
                let own = records[route.name, default: []].filter { $0.role == nil || $0.role == role.name }
                return Recorded(role: role.name, route: route, records: own)
            }
        }
    }

    private static func again<Value: Codable>(_ type: Value.Type, _ json: JSONValue) throws -> JSONValue {
        try JSONValue(encoding: json.decode(as: type))
    }

    // MARK: The contract

    /// Reads all records as their types. A type has the shape of all that was read as it, whichever method has it.
    private static func control(_ roles: Roles) throws -> [String: JSONValue] {
        let (all, types) = (try recorded(roles), ReadTypes())
        for shape in ControlShapeTests.shapes { _ = try types.read(shape.type, from: shape.json) }
        for one in all {
            for record in one.records {
                _ = try types.read(one.route.types.parameters, from: record.params)
                _ = try types.read(one.route.types.answer, from: record.answer)
                guard let item = one.route.types.item else { continue }
                for value in record.items ?? [] { _ = try types.read(item, from: value) }
            }
        }
        return Dictionary(grouping: all, by: \.route.name).compactMapValues { method(recorded: $0, types) }
    }

    /// One method as it stands in the contract; nil without a record.
    private static func method(recorded all: [Recorded], _ types: ReadTypes) -> JSONValue? {
        // A role without records of its own answers nothing: a phone keeps no audit.
        let told = all.filter { !$0.records.isEmpty }
        guard let first = told.first, let example = first.records.first?.example else { return nil }
        var (params, answer, items) = (ContractShape.unknown, ContractShape.unknown, ContractShape.unknown)
        for one in told {
            let own = one.route.types
            params = params.merged(types.shape(of: own.parameters))
            // The answers of a computer's methods stand with those.
            let answers = own.parameters == MethodCall.self ? [] : one.records.map(\.answer)
            answer = answer.merged(shape(own.answer, types, answers))
            guard let item = own.item else { continue }
            items = items.merged(shape(item, types, one.records.flatMap { $0.items ?? [] }))
        }
        let method: JSONValue = [
            "kind": .string(first.route.needs.rawValue), "roles": .array(all.map { .string($0.role) }),
            "params": params.json, "answer": answer.json, "recorded": example,
        ]
        return first.route.types.item == nil ? method : method.adding("items", items.json)
    }

    /// The shape of a type; of one that may be anything, that of what was recorded.
    private static func shape(_ type: Any.Type, _ types: ReadTypes, _ recorded: [JSONValue]) -> ContractShape {
        let known = types.shape(of: type)
        guard known == .any, !recorded.isEmpty else { return known }
        return recorded.reduce(ContractShape.unknown) { $0.merged(ContractShape(of: $1)) }
    }

    /// What computers answer phones, by the names that were recorded. `Tests/HomeTests` sees that all that are served are among them.
    private static func methods(_ declarations: [MethodDeclaration]) throws -> [String: JSONValue] {
        let catalogue = MethodCatalogue(declarations + [Method.askForRight.declaration])
        let files = try FileManager.default.contentsOfDirectory(at: requests, includingPropertiesForKeys: nil)
        var all: [String: (params: [JSONValue], answers: [JSONValue])] = [:]
        // A method stands in one file, its feature's.
        for line in try files.filter({ $0.pathExtension == "jsonl" }).flatMap(lines) {
            guard let name = line["method"]?.stringValue, let result = line["result"] else { continue }
            all[name, default: ([], [])].params.append(line["params"] ?? [:])
            all[name, default: ([], [])].answers.append(result)
        }
        // What our own phones and pages ask besides.
        for line in try lines(page.appending(path: "methods.jsonl")) {
            let name = try #require(line["method"]?.stringValue)
            guard all[name] != nil else {
                Issue.record("\(name) is not recorded")
                continue
            }
            all[name]?.params.append(line["params"] ?? [:])
        }
        var methods: [String: JSONValue] = [:]
        for (name, recorded) in all {
            let check = try #require(catalogue[name], "\(name) is served by no feature").check
            for params in recorded.params { #expect(throws: Never.self, "\(name)") { try check(params) } }
            let params = ContractShape(ofParameters: recorded.params) { member in
                recorded.params.allSatisfy { $0[member] != nil && (try? check($0.removing(member))) == nil }
            }
            let answer = recorded.answers.reduce(ContractShape.unknown) { $0.merged(ContractShape(of: $1)) }
            let example: JSONValue = [
                "params": recorded.params.first ?? [:], "answer": recorded.answers.first ?? .null,
            ]
            let method: JSONValue = ["params": params.json, "answer": answer.json, "recorded": example]
            methods[name] = method
        }
        return methods
    }

    /// Sorted, and a line for each method.
    private static func text(control: [String: JSONValue], methods: [String: JSONValue]) -> String {
        func table(_ title: String, _ methods: [String: JSONValue]) -> String {
            let lines = methods.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.canonicalText)" }
            return "\"\(title)\":{\n" + lines.joined(separator: ",\n") + "\n}"
        }
        return "{\n" + table("control", control) + ",\n" + table("methods", methods) + "\n}\n"
    }
}
