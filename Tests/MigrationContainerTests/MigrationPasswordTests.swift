import Testing

@testable import MigrationContainer

@Suite("A migration password")
struct MigrationPasswordTests {
    @Test("#7, class secrets: composed and decomposed letters are one password")
    func normalForm() throws {
        #expect(try MigrationPassword(toOpen: "caf\u{E9}").bytes == MigrationPassword(toOpen: "cafe\u{301}").bytes)
        #expect(try MigrationPassword(toOpen: "\u{FF11}").bytes == Array("1".utf8))
    }

    @Test("class secrets: an empty one and one of a mebibyte are refused")
    func bounds() {
        #expect(throws: ContainerError.wrongPassword) { try MigrationPassword(toOpen: "") }
        let long = String(repeating: "a", count: 1 << 20)
        #expect(throws: ContainerError.wrongPassword) { try MigrationPassword(toOpen: long) }
    }

    @Test("#7: a new one has ten characters or forty bits")
    func strength() throws {
        #expect(throws: ContainerError.weakPassword) { try MigrationPassword(new: "12345678") }
        #expect(throws: ContainerError.weakPassword) { try MigrationPassword(new: "") }
        _ = try MigrationPassword(new: "abcdefghij")
        _ = try MigrationPassword(new: "aB3$eF7!")
    }

    @Test("#7: a generated one has thirty digits and is accepted")
    func generated() throws {
        var generator = SystemRandomNumberGenerator()
        let text = MigrationPassword.randomDigits(using: &generator)
        #expect(text.filter { $0.isNumber }.count == 30)
        _ = try MigrationPassword(new: text)
    }
}
