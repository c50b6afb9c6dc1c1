import Kernel

extension JSONValue {
    /// Whether everything in `expected` is here: objects may have more members, arrays no more elements.
    func holds(_ expected: JSONValue) -> Bool {
        switch (self, expected) {
        case (.object(let members), .object(let wanted)):
            wanted.allSatisfy { members[$0.key]?.holds($0.value) ?? false }
        case (.array(let elements), .array(let wanted)):
            elements.count == wanted.count && zip(elements, wanted).allSatisfy { $0.holds($1) }
        default: self == expected
        }
    }
}
