/// Six digits that the new phone shows and the person types on the old one.
public struct MigrationPIN: Hashable, Sendable {
    public let digits: String

    /// Makes one from the system's random numbers; every PIN is equally likely.
    public init() {
        var generator = SystemRandomNumberGenerator()
        digits = String((0..<6).map { _ in Character(String(UInt8.random(in: 0...9, using: &generator))) })
    }

    /// - Parameter text: What the person typed; spaces are ignored.
    /// - Throws: ``MigrationTransferError/malformedPIN`` unless exactly six ASCII digits remain.
    public init(_ text: String) throws(MigrationTransferError) {
        let typed = text.filter { $0 != " " }
        guard typed.utf8.count == 6, typed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .malformedPIN }
        digits = typed
    }
}

// Printing or dumping a PIN shows no digit: only the screen that is for it does.
extension MigrationPIN: CustomStringConvertible, CustomReflectable {
    public var description: String { "a PIN" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
