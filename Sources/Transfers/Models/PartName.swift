/// The hidden name of a file that is still arriving, beside the one it will have.
package enum PartName {
    private static let nameLimit = 190
    private static let mark = ".tandem-part-"
    private static let idLength = 32

    /// - Parameters:
    ///   - name: The one it will have; its start is kept.
    ///   - id: 32 hexadecimal digits.
    package static func make(_ name: some Sequence<UInt8>, id: String) -> [UInt8] {
        [UInt8(ascii: ".")] + name.prefix(nameLimit) + Array((mark + id).utf8)
    }

    /// The name that a person is told in place of a part's: the one it was made from. Any other name stays as it is.
    package static func shown(_ name: [UInt8]) -> [UInt8] {
        let end = name.count - mark.utf8.count - idLength
        guard end > 1, name.first == UInt8(ascii: "."), name[end...].starts(with: mark.utf8) else { return name }
        return Array(name[1..<end])
    }
}
