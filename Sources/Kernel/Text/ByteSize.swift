import Foundation

/// A number of bytes as people read it, in binary units by their own names: never "kB" for 1024.
package struct ByteSize: CustomStringConvertible {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    package let bytes: Int64

    package init(_ bytes: Int64) { self.bytes = bytes }

    package var description: String {
        guard abs(Double(bytes)) >= 1024 else { return "\(bytes) B" }
        var value = Double(bytes) / 1024
        var unit = 0
        // A value that would be rounded to 1024 of one unit is 1 of the next.
        while abs(value) >= 1023.95, unit + 1 < Self.units.count {
            value /= 1024
            unit += 1
        }
        let isWhole = abs(value) >= 99.95
        return "\(String(format: isWhole ? "%.0f" : "%.1f", value)) \(Self.units[unit])"
    }
}
