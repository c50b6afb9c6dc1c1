import ArgumentParser
import CBenchmarkIO
import Foundation

/// One request to a hub again and again, printed as JSON.
struct AskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Posts requests to a hub one after the other; prints how long answers took."
    )

    @Option(help: "The hub's port on 127.0.0.1.") var port: UInt16
    @Option(help: "The path.") var path: String
    @Option(help: "The access token.") var token: String
    @Option(help: "A file with a body in each line; they are taken in turn.") var bodies: String
    @Option(help: "Requests that count, after a tenth of them.") var times = 1000
    @Flag(help: "A new connection for each request, whose opening counts.") var anew = false

    func run() throws {
        let lines = try String(contentsOfFile: bodies, encoding: .utf8).split(separator: "\n").map(String.init)
        guard !lines.isEmpty, times > 0 else {
            throw ValidationError("Without a body or a request nothing is measured.")
        }
        let person = Person(id: "asker", secret: token)
        var latencies = Latencies()
        var bytes = 0
        var line: Line?
        for number in -(times / 10)..<times {
            let body = lines[(number + times) % lines.count]
            let start = benchmark_nanoseconds()
            let asked = try line ?? Line(port: port, person: person, number: 0)
            let answer = try ask(asked, body)
            if number >= 0 {
                latencies.add(benchmark_nanoseconds() - start)
                bytes = max(bytes, answer)
            }
            line = anew ? nil : asked
        }
        let found = AskResult(
            median: latencies.milliseconds(0.5),
            tail: latencies.milliseconds(0.99),
            bytes: bytes
        )
        print(String(decoding: try JSONEncoder().encode(found), as: UTF8.self))
    }

    /// - Returns: Bytes of the answer's body.
    private func ask(_ line: Line, _ body: String) throws -> Int {
        try line.exchange(
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\ntoken: \(token)\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)",
            until: "HTTP/1.1 200"
        )
        let head = String(decoding: try line.read(through: "\r\n\r\n"), as: UTF8.self)
        guard let length = head.lowercased().firstMatch(of: /content-length: *(\d+)/).flatMap({ Int($0.1) }) else {
            throw LoadError.refused(person: "the asker", answer: head)
        }
        let answer = try line.read(length)
        guard String(decoding: answer, as: UTF8.self).contains(#""errCode":0"#) else {
            throw LoadError.refused(person: "the asker", answer: String(decoding: answer.prefix(400), as: UTF8.self))
        }
        return length
    }
}

/// Milliseconds, and the size of the largest answer.
struct AskResult: Codable {
    let median: Double?
    let tail: Double?
    let bytes: Int
}
