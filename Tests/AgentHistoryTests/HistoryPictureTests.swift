import AgentHistory
import Conversations
import Foundation
import Kernel
import Testing

@Suite("Pictures that histories hold") struct HistoryPictureTests {
    private let one = Data("one".utf8).base64EncodedString()
    private let two = Data("twotwo".utf8).base64EncodedString()

    private func pictures(_ items: [ConversationItem]) -> [ConversationItem] {
        items.filter { if case .image = $0.content { true } else { false } }
    }

    @Test("a picture of Codex is found by its item, also in a line of megabytes beside another")
    func codex() throws {
        let home = try HistoryHome()
        let large = String(repeating: "A", count: 2 << 20)
        let path = try home.write(
            Rollout.day + Rollout.name,
            lines: [
                Rollout.meta(), Rollout.user("Go"),
                Rollout.event([
                    "type": "user_message", "message": "Look",
                    "images": [.string("data:image/png;base64,\(one)"), .string("data:image/jpeg;base64,\(two)")],
                    "local_images": ["/home/ada/a.png"],
                ]),
                // As Codex orders the members: a line of which only the beginning is kept tells its type.
                #"{"timestamp":"2026-01-02T03:04:09.000Z","type":"response_item","payload":"#
                    + #"{"type":"image_generation_call","id":"i","result":""# + large + #""}}"#,
            ]
        )
        let items = pictures(try home.codex.page(of: path, from: .start).items)
        try #require(items.count == 4)
        func picture(_ index: Int, limit: Int = 512 << 10) throws -> HistoryPicture? {
            try home.codex.picture(of: path, at: items[index].position, item: items[index].id, limit: limit)
        }
        #expect(try picture(0) == HistoryPicture(mediaType: "image/png", base64: one))
        #expect(try picture(1) == HistoryPicture(mediaType: "image/jpeg", base64: two))
        // A path that an agent wrote opens no file.
        #expect(try picture(2) == nil)
        #expect(try picture(3) == nil)
        #expect(try picture(3, limit: 4 << 20)?.base64 == large)
        #expect(try home.codex.picture(of: path, at: items[0].position + 1, item: items[0].id, limit: 99) == nil)
        #expect(try home.codex.picture(of: path, at: items[0].position, item: "nothing", limit: 99) == nil)
        #expect(try home.codex.picture(of: path, at: 1 << 40, item: "nothing", limit: 99) == nil)
    }

    @Test("pictures of a person and of a tool in Claude Code's records")
    func claude() throws {
        let home = try HistoryHome()
        func block(_ data: String) -> JSONValue {
            ["type": "image", "source": ["type": "base64", "media_type": "image/png", "data": .string(data)]]
        }
        let path = try home.write(
            Session.folder + Session.id + ".jsonl",
            lines: [
                Session.line("user", "u1", after: nil, [["type": "text", "text": "Look"], block(one)]),
                Session.line(
                    "assistant",
                    "a1",
                    after: "u1",
                    [["type": "tool_use", "id": "c1", "name": "Read", "input": ["file_path": "/a.png"]]]
                ),
                Session.line(
                    "user",
                    "u2",
                    after: "a1",
                    [["type": "tool_result", "tool_use_id": "c1", "content": [block(two)]]]
                ),
            ]
        )
        let items = pictures(try home.claude.page(of: path, from: .start).items)
        try #require(items.count == 2)
        let found = try items.map {
            try home.claude.picture(of: path, at: $0.position, item: $0.id, limit: 512 << 10)?.base64
        }
        #expect(found == [one, two])
    }
}
