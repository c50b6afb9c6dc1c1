import ChatClient
import Kernel
import Testing

@Suite struct ChatControlTests {
    @Test("An item says its one thing and no other member")
    func items() throws {
        let removed = ChatControl.Item(removed: .init("si_tb_7_tb_9", id: "m1"))
        #expect(
            try JSONValue(encoding: removed) == ["removed": ["conversation": "si_tb_7_tb_9", "id": "m1"]]
        )
        #expect(try JSONValue(encoding: ChatControl.Item(state: .away)) == ["state": "away"])
        #expect(try JSONValue(encoding: ChatControl.Item(reset: true)) == ["reset": true])
    }
}
