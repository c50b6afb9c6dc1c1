/// The error correction level: how much of a code may be covered or smudged and still be read. A higher level needs more modules.
package enum QRErrorCorrection: String, Hashable, Sendable, CaseIterable {
    /// About 7 % of the code may be lost.
    case low = "L"
    /// About 15 %.
    case medium = "M"
    /// About 25 %.
    case quartile = "Q"
    /// About 30 %.
    case high = "H"
}
