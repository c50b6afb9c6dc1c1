/// The name of a view of a display. The phone makes it, of eight random bytes.
package struct ScreenViewID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    /// - Parameter text: Sixteen hexadecimal digits. Nil for anything else.
    package init?(text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let number = UInt64(text, radix: 16)
        else { return nil }
        self.number = number
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A rectangle of a picture, in its pixels.
package struct ScreenArea: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var pixels: Int { width * height }
}

/// A part of a view as a binary message of the session.
///
/// `05 ‖ version 01 ‖ kind ‖ view (8 bytes) ‖ picture (4) ‖ rest`, numbers big-endian. The frames of a view come in the order in which they were
/// sent. Source: `docs/protocol.md`, "Screen".
package struct ScreenFrame: Hashable, Sendable {
    package static let firstByte: UInt8 = 0x05
    package static let version: UInt8 = 0x01
    /// Bytes before the rest.
    package static let headerSize = 15
    /// Bytes of one part's picture at most.
    package static let partLimit = 256 << 10
    private static let areaSize = 9

    /// The content of a frame, by its kind.
    package enum Content: Hashable, Sendable {
        /// What a rectangle shows from this picture on: a JPEG of its size.
        case part(ScreenArea, ArraySlice<UInt8>)
        /// All parts of the picture were sent: it can be shown.
        case whole
        /// The phone shows this picture; 0 before the first. `wantsAll`: the next one is to have every part.
        case shown(wantsAll: Bool)
        /// The view is over.
        case ended(ScreenViewEnd)
    }

    package var view: ScreenViewID
    /// Counts the pictures of a view, from 1.
    package var picture: UInt32
    package var content: Content

    package init(_ view: ScreenViewID, picture: UInt32, _ content: Content) {
        self.view = view
        self.picture = picture
        self.content = content
    }

    /// Nil for anything that is not exactly a frame of this version.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize, bytes.count <= Self.headerSize + Self.areaSize + Self.partLimit,
            bytes[0] == Self.firstByte, bytes[1] == Self.version
        else { return nil }
        let rest = bytes[Self.headerSize...]
        switch bytes[2] {
        case 1 where rest.count > Self.areaSize && rest[rest.startIndex + 8] == 1:
            let numbers = (0..<4).map { Int(Self.number(rest.dropFirst(2 * $0).prefix(2))) }
            let area = ScreenArea(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
            guard area.width > 0, area.height > 0 else { return nil }
            content = .part(area, rest.dropFirst(Self.areaSize))
        case 2 where rest.isEmpty: content = .whole
        case 3 where rest.count == 1: content = .shown(wantsAll: rest[rest.startIndex] & 1 == 1)
        case 4 where rest.count == 1: content = .ended(ScreenViewEnd(rawValue: rest[rest.startIndex]))
        default: return nil
        }
        view = ScreenViewID(Self.number(bytes[3..<11]))
        picture = UInt32(truncatingIfNeeded: Self.number(bytes[11..<15]))
    }

    /// The whole frame as it travels.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if case .part(_, let data) = content { bytes.reserveCapacity(Self.headerSize + Self.areaSize + data.count) }
        bytes += [Self.firstByte, Self.version, kind]
        Self.append(view.number, width: 8, to: &bytes)
        Self.append(UInt64(picture), width: 4, to: &bytes)
        switch content {
        case .part(let area, let data):
            for number in [area.x, area.y, area.width, area.height] {
                Self.append(UInt64(clamping: number), width: 2, to: &bytes)
            }
            // 1: a JPEG.
            bytes.append(1)
            bytes += data
        case .whole: break
        case .shown(let wantsAll): bytes.append(wantsAll ? 1 : 0)
        case .ended(let end): bytes.append(end.rawValue)
        }
        return bytes
    }

    private var kind: UInt8 {
        switch content {
        case .part: 1
        case .whole: 2
        case .shown: 3
        case .ended: 4
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
        for place in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
    }
}

/// Why a view ended.
package enum ScreenViewEnd: Hashable, Sendable, RawRepresentable {
    /// The phone or the owner closed it, or the program at the computer stops.
    case closed
    /// The phone may not see the screen any more.
    case notAllowed
    /// The display is another one now, or has another size: it can be opened anew.
    case changed
    /// The screen cannot be read any more.
    case failed
    /// The phone said nothing for too long.
    case silence
    /// Another view of this phone took its place.
    case replaced
    /// The computer knows no such view.
    case unknownView
    case unknown(UInt8)

    private static let known: [ScreenViewEnd] = [
        .closed, .notAllowed, .changed, .failed, .silence, .replaced, .unknownView,
    ]

    package init(rawValue: UInt8) {
        self = Self.known.indices.contains(Int(rawValue)) ? Self.known[Int(rawValue)] : .unknown(rawValue)
    }

    package var rawValue: UInt8 {
        switch self {
        case .closed: 0
        case .notAllowed: 1
        case .changed: 2
        case .failed: 3
        case .silence: 4
        case .replaced: 5
        case .unknownView: 6
        case .unknown(let value): value
        }
    }
}
