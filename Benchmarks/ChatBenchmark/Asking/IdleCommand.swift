import ArgumentParser
import Foundation

/// Connections that do nothing, and the memory that a server has for each.
struct IdleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract: "Opens connections and prints how many bytes more the server holds for each."
    )

    @Argument(help: "The server's protocol: hub or xmpp.") var dialect: DialectName
    @Option(help: "The server's port on 127.0.0.1.") var port: UInt16
    @Option(help: "A JSON file of people.") var people: String
    @Option(help: "Connections of each of them.") var each = 16
    @Option(help: "The server's processes.") var process: [Int32]

    func run() throws {
        let people = try Person.all(in: people)
        let tree = ProcessTree(roots: process)
        var lines: [Line] = []
        func open(_ person: Person) throws {
            let line = try Line(port: port, person: person, number: lines.count)
            try dialect.type.init(line: line, run: "idle").open(port: port)
            lines.append(line)
        }
        // Half of them come before it counts: what any connection needs is there then, and room that was taken at once for many.
        for person in people { for _ in 0..<each / 2 { try open(person) } }
        Thread.sleep(forTimeInterval: 2)
        let before = (lines.count, try tree.residentBytes())
        for person in people { for _ in each / 2..<each { try open(person) } }
        Thread.sleep(forTimeInterval: 2)
        let found = IdleResult(
            connections: lines.count - before.0,
            bytesEach: Double(try tree.residentBytes() - before.1) / Double(lines.count - before.0)
        )
        try withExtendedLifetime(lines) { print(String(decoding: try JSONEncoder().encode(found), as: UTF8.self)) }
    }
}

struct IdleResult: Codable {
    let connections: Int
    let bytesEach: Double
}
