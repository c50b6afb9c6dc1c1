import Conversations
import Foundation
import Kernel

/// A CODEX_HOME with sessions like people's: most are short, a few are long, and most of their bytes are what tools printed.
struct GeneratedHome: Sendable {
    private static let folders = 40
    private static let vocabulary = 20_000
    private static let syllables = [
        "ba", "ko", "mi", "ra", "te", "su", "lo", "ne", "vi", "du", "fa", "go", "hi", "ja", "pe", "qu", "xo", "zy",
        "ti", "mu",
    ]

    /// `CODEX_HOME`.
    let root: String

    static func folder(_ number: Int) -> String { "/home/ada/project-\(number % folders)" }

    /// Few words are frequent, as in any language.
    static func word(_ generator: inout some RandomNumberGenerator) -> String {
        let uniform = Double.random(in: 0..<1, using: &generator)
        var number = Int(pow(Double(vocabulary), uniform))
        var word = ""
        repeat {
            word += syllables[number % syllables.count]
            number /= syllables.count
        } while number > 0
        return word
    }

    private static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "0199a1b2-c3d4-7e5f-8a9b-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    static func thread(_ number: Int) -> ThreadReference { ThreadReference(agent: .codex, id: id(number)) }

    func path(_ number: Int) -> String {
        let month = String(format: "%02d", number / 28 % 12 + 1)
        let day = String(format: "%02d", number % 28 + 1)
        return "\(root)/sessions/2026/\(month)/\(day)/rollout-2026-\(month)-\(day)T05-04-05-\(Self.id(number)).jsonl"
    }

    func write(sessions: Int, bytes: Int) throws {
        var generator = Generator(state: 42)
        let instructions = text(2500, &generator)
        let outputs = (0..<200).map { _ in text(Int.random(in: 20...1500, using: &generator), &generator) }
        let words = (0..<400).map { _ in text(Int.random(in: 5...120, using: &generator), &generator) }
        // A quarter of the sessions has most of the bytes.
        let weights = (0..<sessions).map { _ in pow(Double.random(in: 0.02..<1, using: &generator), -0.9) }
        let sum = weights.reduce(0, +)
        for number in 0..<sessions {
            let wanted = Int(Double(bytes) * weights[number] / sum)
            var lines = meta(number, instructions: number % 3 == 0 ? instructions : String(instructions.prefix(800)))
            var second = 10
            repeat {
                lines += message("user_message", words.randomElement(using: &generator) ?? "", second)
                for _ in 0..<6 where lines.utf8.count < wanted {
                    let command = words.randomElement(using: &generator)?.prefix(60) ?? ""
                    let arguments = #"{\"command\":[\"bash\",\"-lc\",\"\#(command)\"]}"#
                    lines += item(
                        #""type":"function_call","name":"shell","call_id":"c\#(second)","arguments":"\#(arguments)""#,
                        second
                    )
                    let output = outputs.randomElement(using: &generator) ?? ""
                    lines += item(
                        #""type":"function_call_output","call_id":"c\#(second)","output":"\#(output)""#,
                        second + 1
                    )
                    second += 2
                }
                let said = words.randomElement(using: &generator) ?? ""
                // Every message is written twice.
                lines += item(
                    #""type":"message","role":"assistant","content":[{"type":"output_text","text":"\#(said)"}]"#,
                    second
                )
                lines += message("agent_message", said, second)
                second += 1
            } while lines.utf8.count < wanted
            try save(lines, path(number))
        }
    }

    /// A rollout with a hole of zeros: one line of gigabytes in its middle.
    func writeLarge(bytes: Int64) throws -> ThreadReference {
        var generator = Generator(state: 7)
        let file = path(1)
        try save(meta(1, instructions: "x") + message("user_message", "opening words", 10), file)
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.seek(toOffset: UInt64(bytes))
        var end = "\n"
        for second in 0..<500 { end += message("agent_message", text(50, &generator), 100 + second) }
        try handle.write(contentsOf: Data(end.utf8))
        try handle.close()
        return Self.thread(1)
    }

    func append(to path: String, _ number: Int) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(message("agent_message", "appended \(number)", 3000 + number).utf8))
        try handle.close()
    }

    // MARK: Records

    private func meta(_ number: Int, instructions: String) -> String {
        line(
            "session_meta",
            #""id":"\#(Self.id(number))","timestamp":"2026-01-02T03:04:05.000Z","originator":"codex_tui","#
                + #""cwd":"\#(Self.folder(number))","cli_version":"0.140.0","source":"cli","base_instructions":{"text":"\#(instructions)"}"#,
            0
        )
    }

    private func message(_ type: String, _ text: String, _ second: Int) -> String {
        line("event_msg", #""type":"\#(type)","message":"\#(text)""#, second)
    }

    private func item(_ members: String, _ second: Int) -> String { line("response_item", members, second) }

    private func line(_ type: String, _ members: String, _ second: Int) -> String {
        let time = String(format: "2026-01-02T%02d:%02d:%02d.000Z", second / 3600 % 24, second / 60 % 60, second % 60)
        return #"{"timestamp":"\#(time)","type":"\#(type)","payload":{\#(members)}}"# + "\n"
    }

    private func text(_ count: Int, _ generator: inout Generator) -> String {
        (0..<count).map { _ in Self.word(&generator) }.joined(separator: " ")
    }

    private func save(_ lines: String, _ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data(lines.utf8).write(to: URL(filePath: path))
    }

    /// The same home in every run.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            // SplitMix64.
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
