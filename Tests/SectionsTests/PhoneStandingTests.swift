import Foundation
import Kernel
import Testing

@testable import Sections

@Suite("A phone whose data moves", .timeLimit(.minutes(4)))
struct PhoneStandingTests {
    private static let handover = Handover(transferID: "t1", newPhone: "Ada's new phone", begunAt: 1_000)
    private static let week: Int64 = 7 * 86_400_000

    @Test(
        "it rests from the moment its data is frozen, and is retired by the new phone's word about that transfer alone"
    )
    func retiring() throws {
        let moving = try PhoneStanding.active.beginning(Self.handover)
        #expect(moving.rests)
        #expect(throws: PhoneStandingError.otherTransfer) { try moving.retiring("t2", at: 5_000) }
        let retired = try moving.retiring("t1", at: 5_000)
        #expect(retired == .retired(Self.handover, at: 5_000, undoUntil: 5_000 + Self.week))
        #expect(retired.rests)
        #expect(try retired.retiring("t1", at: 9_000) == retired, "a word that comes twice moves no deadline")
        #expect(throws: PhoneStandingError.retired(newPhone: "Ada's new phone", undoUntil: 5_000 + Self.week)) {
            try retired.beginning(Self.handover)
        }
    }

    @Test("a retired phone is taken back by the new phone's undoing, or by a person within a week, and never later")
    func takenBack() throws {
        let retired = PhoneStanding.retired(Self.handover, at: 0, undoUntil: Self.week)
        #expect(try retired.givenBack("t1") == .kept(Self.handover))
        #expect(throws: PhoneStandingError.otherTransfer) { try retired.givenBack("t2") }
        #expect(try retired.kept(at: Self.week) == .kept(Self.handover))
        #expect(throws: PhoneStandingError.tooLate(newPhone: "Ada's new phone")) { try retired.kept(at: Self.week + 1) }
    }

    @Test("two phones that both live do not fight: the one that gave its keys away stands back, no other does")
    func yielding() throws {
        let kept = PhoneStanding.kept(Self.handover)
        #expect(kept.yieldsWhenReplaced && !kept.rests)
        #expect(kept.yielding(at: 3).rests)
        #expect(!PhoneStanding.active.yieldsWhenReplaced)
        #expect(PhoneStanding.active.yielding(at: 3) == .active)
        #expect(try kept.retiring("t1", at: 4).rests, "the new phone's word is later than the person's")
    }

    @Test(
        "the standing is on disk before it is told, is found again, and a damaged file keeps the phone from beginning"
    )
    func kept() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-standing-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }  // what is left is in a temporary folder
        let folder = try StateFolder(url)
        let keeper = try StandingKeeper(folder)
        #expect(keeper.value == .active)
        try await keeper.change { try $0.beginning(Self.handover) }
        #expect(try StandingKeeper(folder).value == .handingOver(Self.handover))
        try await keeper.change { try $0.retiring("t1", at: 7) }
        #expect(try StandingKeeper(folder).value == .retired(Self.handover, at: 7, undoUntil: 7 + Self.week))
        await #expect(throws: PhoneStandingError.otherTransfer) { try await keeper.change { try $0.givenBack("t2") } }
        let file = url.appending(path: StandingKeeper.fileName)
        try Data("{".utf8).write(to: file)
        #expect(throws: PhoneStandingError.unreadable(path: file.path)) { try StandingKeeper(folder) }
    }

    @Test("a name of any length is kept to 128 bytes")
    func longName() {
        let name = Handover(transferID: "t", newPhone: String(repeating: "é", count: 1000), begunAt: 0).newPhone
        #expect(name.utf8.count == 128)
    }
}
