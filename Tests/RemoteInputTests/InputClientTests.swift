import Testing

@testable import RemoteInput

@Suite("Remote input at the phone")
struct InputClientTests {
    @Test("moves that follow each other become one, and nothing goes past a press")
    func coalesced() {
        let events: [InputEvent] = [
            .move(dx: 1, dy: 2), .move(dx: 3, dy: 4), .button(.left, .down), .move(dx: 1, dy: 0),
            .place(x: 5, y: 6, display: 0), .place(x: 7, y: 8, display: 0), .button(.left, .up),
        ]
        #expect(
            InputSession.coalesced(events) == [
                .move(dx: 4, dy: 6), .button(.left, .down), .place(x: 7, y: 8, display: 0), .button(.left, .up),
            ]
        )
    }

    @Test("a long text goes in pieces that are cut between characters")
    func pieces() {
        let text = String(repeating: "字", count: 6000)
        let batches = InputSession.batches([.text(text)])
        #expect(batches.map(\.count) == [4, 1])
        let joined = batches.flatMap(\.self).reduce("") { if case .text(let piece) = $1 { $0 + piece } else { $0 } }
        #expect(joined == text)
    }

    @Test(
        "names of keys are read as browsers write them",
        arguments: ["Enter", "ArrowLeft", "MediaPlayPause", "a", "ß", "😀"]
    )
    func keys(text: String) {
        #expect(InputKey(text)?.text == text)
    }
}
