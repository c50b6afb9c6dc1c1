/// How much of a code may be covered or smudged before it cannot be read; more costs more modules.
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
