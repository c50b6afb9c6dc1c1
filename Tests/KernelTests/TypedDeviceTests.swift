import Testing

@testable import Kernel

@Suite("Devices by what a person types", .timeLimit(.minutes(4)))
struct TypedDeviceTests {
    private struct Device: Equatable {
        let id: String
        let name: String
    }

    private static let ada = Device(id: "did:key:z6MkexampleA1", name: "Ada's phone")
    private static let bob = Device(id: "did:key:z6MkexampleB2", name: "Bob's phone")
    private static let third = Device(id: "did:key:z6MkotherKey3", name: "exampleA")

    private func found(_ typed: String) -> [Device] {
        TypedDevice.matches(
            typed,
            among: [Self.ada, Self.bob, Self.third],
            names: { [$0.name] },
            id: { $0.id }
        )
    }

    @Test("a name or an id as a whole names its device")
    func whole() {
        #expect(found("Ada's phone") == [Self.ada])
        #expect(found(Self.bob.id) == [Self.bob])
    }

    @Test("who is called by the beginning of another's id gets nothing that was meant for that one")
    func namedByAnId() {
        #expect(found("exampleA") == [Self.ada, Self.third])
        #expect(TypedDevice.choices([Self.ada.id, Self.third.id], for: "exampleA") == [Self.ada.id, Self.third.id])
        #expect(TypedDevice.choices([Self.ada.id, Self.third.id], for: "phone") == ["exampleA", "otherKey"])
        #expect(TypedDevice.choices(["exampleAx", "exampleAy"], for: "phone") == ["exampleAx", "exampleAy"])
        let named = Device(id: "did:key:z6MkfourthKey4", name: Self.ada.id)
        let found = TypedDevice.matches(Self.ada.id, among: [named, Self.ada], names: { [$0.name] }, id: \.id)
        #expect(found == [Self.ada])
    }

    @Test("eight letters of a key name its device, with or without the start that all keys share; fewer name none")
    func beginnings() {
        #expect(TypedDevice.short(Self.bob.id) == "exampleB")
        #expect(TypedDevice.short("e14fd2c31893ea4f") == "e14fd2c3")
        #expect(found("exampleB") == [Self.bob])
        #expect(found("did:key:z6MkexampleB") == [Self.bob])
        #expect(found("otherKey") == [Self.third])
        #expect(found("other") == [])
        #expect(found("did:key:z6Mk") == [])
        #expect(found("") == [])
    }
}
