import Conversations
import Foundation
import KernelTesting
import Testing

@testable import AgentHistory

@Suite struct SecretFoldingTests {
    // Put together here, so that the repository itself holds nothing that looks like a key.
    private static let letters = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d"

    @Test(
        "keys of known shapes are replaced, wherever in a word they begin",
        arguments: [
            "sk-" + letters, "sk-ant-api03-" + letters, "ghp" + "_" + letters, "github_" + "pat_" + letters,
            "AKI" + "A" + "IOSFODNN7EXAMPLE", "xox" + "b-" + letters,
        ]
    )
    func keys(key: String) {
        for (before, after) in [("", ""), ("KEY=", "\n"), ("\"token\":\"", "\","), ("a/b/", " end"), ("-", "")] {
            let (text, count) = SecretFolding.fold(before + key + after)
            #expect(text == before + SecretFolding.secretMarker + after)
            #expect(count == 1)
        }
    }

    @Test("private keys go to their end, or to the end of the text where that is missing")
    func privateKeys() {
        let begin = "-----BEGIN OPENSSH PRIVATE" + " KEY-----"
        let end = "-----END OPENSSH PRIVATE" + " KEY-----"
        #expect(
            SecretFolding.fold("cat id\n\(begin)\nb3BlbnNz\n\(end)\nend")
                == ("cat id\n[private key left out]\nend", 1)
        )
        #expect(SecretFolding.fold("x \(begin)\nb3BlbnNz") == ("x [private key left out]", 1))
        #expect(SecretFolding.fold("-----BEGIN CERTIFICATE-----").count == 0)
    }

    @Test("long runs of base64 are replaced, on one line and on several")
    func base64() {
        let bytes = Data((0..<600).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let run = bytes.base64EncodedString()
        #expect(SecretFolding.fold("a " + run + " b") == ("a [base64 left out, 800 bytes] b", 1))
        let wrapped = stride(from: 0, to: run.count, by: 76).map { String(run.dropFirst($0).prefix(76)) }.joined(
            separator: "\n"
        )
        #expect(SecretFolding.fold(wrapped + "\nend").count == 1)
    }

    @Test(
        "ordinary texts stay as they are",
        arguments: [
            "a task-force of risk-taking desk-workers", "sk-short", "sk-learn-is-a-library-with-a-long-name",
            "/usr/share/doc/x",
            String(repeating: "=", count: 400), String(repeating: "abc ", count: 400), "AKIAISLAND", "🔑 grüße",
            String(repeating: "0123456789abcdef", count: 4),
        ]
    )
    func ordinary(text: String) {
        #expect(SecretFolding.fold(text) == (text, 0))
    }

    @Test("a text is cut at a character and says how long it was")
    func cut() {
        let text = ItemText(String(repeating: "😀", count: 30_000))
        #expect(text.text.utf8.count == 64 << 10)
        #expect(text.fullLength == 120_000 && text.isCut)
        let odd = ItemText("x" + String(repeating: "é", count: 40_000))
        #expect(odd.text.utf8.count == (64 << 10) - 1)
        #expect(odd.text.hasSuffix("é"))
        let whole = ItemText("short")
        #expect(whole.text == "short" && !whole.isCut && whole.fullLength == 5)
    }

    @Test("a secret that the cut would go through is folded first")
    func secretAtCut() {
        let text = ItemText(String(repeating: " ", count: ItemText.limit - 10) + "sk-" + Self.letters)
        #expect(text.text.hasSuffix("[secret le") && text.foldedCount == 1)
    }

    @Test("texts made to be slow are not", arguments: ["sk-", "sk-a1", "-----BEGIN ", "Aa1-", "ghp_sk-"])
    func linear(piece: String) {
        let text = String(repeating: piece, count: (256 << 10) / piece.utf8.count)
        let clock = ContinuousClock()
        // Quadratic work would take hours.
        #expect(clock.measure { _ = SecretFolding.fold(text) } < .seconds(60))
    }

    @Test("folding never traps and leaves no key in a text, whatever stands around it")
    func random() {
        var random = SeededGenerator(seed: 7)
        let key = "sk-" + Self.letters
        let pieces = ["a", "-", "_", " ", "\n", "sk-", "ghp_", "-----BEGIN ", "PRIVATE KEY-----", "=", "Z9", "é"]
        for _ in 0..<500 {
            let before = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let text = before.joined() + " " + key + " " + before.reversed().joined()
            #expect(!SecretFolding.fold(text).text.contains(key))
        }
    }
}
