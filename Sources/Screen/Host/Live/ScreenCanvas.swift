import Foundation
import Pictures
import Screen

/// A display as it was seen last: says what changed in it, and makes smaller pictures of parts of it.
struct ScreenCanvas {
    /// The display's size.
    let source: PictureDimensions
    /// The size of the pictures.
    let size: PictureDimensions
    /// What changed and was not taken.
    private(set) var changed: ScreenCells
    private var pixels: [UInt32]
    private var pointer: ScreenPointer?
    private let columns: Scale
    private let rows: Scale

    /// - Parameter maxWidth: Of the pictures, in pixels.
    init(_ source: PictureDimensions, maxWidth: Int) {
        self.source = source
        let width = min(source.width, max(1, maxWidth))
        size = PictureDimensions(
            width: width,
            height: max(1, (source.height * width + source.width / 2) / source.width)
        )
        pixels = Array(repeating: 0, count: source.width * source.height)
        changed = ScreenCells(width: source.width, height: source.height)
        columns = Scale(from: source.width, to: size.width)
        rows = Scale(from: source.height, to: size.height)
    }

    /// Takes a piece of the display, of which only what lies on it is looked at.
    mutating func take(_ piece: ScreenPiece) {
        let area = piece.area
        guard area.x >= 0, area.y >= 0, area.width > 0, area.height > 0, area.x + area.width <= source.width,
            area.y + area.height <= source.height, piece.stride >= area.width,
            piece.pixels.count >= piece.stride * (area.height - 1) + area.width, let base = piece.pixels.baseAddress
        else { return }
        let (cellWidth, cellHeight) = (ScreenCells.cellWidth, ScreenCells.cellHeight)
        let width = source.width
        pixels.withUnsafeMutableBufferPointer { own in
            guard let mine = own.baseAddress else { return }
            for column in area.x / cellWidth...(area.x + area.width - 1) / cellWidth {
                let left = max(area.x, column * cellWidth)
                let bytes = (min(area.x + area.width, (column + 1) * cellWidth) - left) * 4
                for y in area.y..<area.y + area.height {
                    let theirs = base + (y - area.y) * piece.stride + (left - area.x)
                    let row = mine + y * width + left
                    guard memcmp(row, theirs, bytes) != 0 else { continue }
                    memcpy(row, theirs, bytes)
                    changed.mark(column, y / cellHeight)
                }
            }
        }
    }

    /// Puts the pointer where it is now.
    mutating func place(_ pointer: ScreenPointer?) {
        guard pointer != self.pointer else { return }
        if let old = self.pointer { changed.mark(old.area) }
        if let pointer { changed.mark(pointer.area) }
        self.pointer = pointer
    }

    mutating func changeAll() { changed.markAll() }

    mutating func changesTaken() { changed.clear() }

    /// The rectangle of the pictures in which a rectangle of cells is seen.
    func area(ofCells cells: ScreenArea) -> ScreenArea {
        func range(_ first: Int, _ count: Int, _ cell: Int, _ from: Int, _ to: Int) -> Range<Int> {
            let low = first * cell * to / from
            let high = (min(from, (first + count) * cell) * to + from - 1) / from
            return low..<min(to, max(high, low + 1))
        }
        let x = range(cells.x, cells.width, ScreenCells.cellWidth, source.width, size.width)
        let y = range(cells.y, cells.height, ScreenCells.cellHeight, source.height, size.height)
        return ScreenArea(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
    }

    /// Hands over the pixels of a rectangle of the picture, row by row, with the pointer on them.
    mutating func read<Result>(_ area: ScreenArea, _ body: (UnsafeBufferPointer<UInt32>) throws -> Result) rethrows
        -> Result
    {
        let covered = drawPointer()
        defer { restore(covered) }
        let scaled = pixels.withUnsafeBufferPointer { own in
            Array<UInt32>(unsafeUninitializedCapacity: area.pixels) { target, count in
                scale(own, area, target)
                count = area.pixels
            }
        }
        return try scaled.withUnsafeBufferPointer(body)
    }

    // MARK: The pointer

    private mutating func drawPointer() -> [(index: Int, pixel: UInt32)] {
        guard let pointer, pointer.pixels.count == pointer.area.pixels else { return [] }
        var covered: [(index: Int, pixel: UInt32)] = []
        for row in 0..<pointer.area.height {
            let y = pointer.area.y + row
            guard y >= 0, y < source.height else { continue }
            for column in 0..<pointer.area.width {
                let x = pointer.area.x + column
                let over = pointer.pixels[row * pointer.area.width + column]
                guard x >= 0, x < source.width, over >> 24 != 0 else { continue }
                let index = y * source.width + x
                covered.append((index, pixels[index]))
                pixels[index] = Self.blend(over, on: pixels[index])
            }
        }
        return covered
    }

    private mutating func restore(_ covered: [(index: Int, pixel: UInt32)]) {
        for (index, pixel) in covered { pixels[index] = pixel }
    }

    private static func blend(_ over: UInt32, on under: UInt32) -> UInt32 {
        let rest = 255 - over >> 24
        func channel(_ shift: UInt32) -> UInt32 {
            min(255, (over >> shift & 255) + (under >> shift & 255) * rest / 255) << shift
        }
        return channel(16) | channel(8) | channel(0)
    }

    // MARK: Smaller pictures

    /// For each pixel of a smaller row, the pixels that it covers: the mean over its area.
    private struct Scale {
        /// The first covered pixel of each, and the number of all before it in ``weights``.
        var firsts: [(pixel: Int, weight: Int)] = []
        /// Parts of 256, which make 256 for each pixel.
        var weights: [UInt32] = []

        init(from: Int, to: Int) {
            for target in 0..<to {
                // In units of 1 / to of a pixel.
                let (start, end) = (target * from, (target + 1) * from)
                let (first, last) = (start / to, (end - 1) / to)
                firsts.append((first, weights.count))
                var rest: UInt32 = 256
                for pixel in first...last {
                    let part = min(end, (pixel + 1) * to) - max(start, pixel * to)
                    let weight = pixel == last ? rest : min(rest, UInt32((part * 256 + from / 2) / from))
                    weights.append(weight)
                    rest -= weight
                }
            }
            firsts.append((from, weights.count))
        }

        var isSame: Bool { weights.count == firsts.count - 1 }
    }

    private func scale(
        _ own: UnsafeBufferPointer<UInt32>,
        _ area: ScreenArea,
        _ target: UnsafeMutableBufferPointer<UInt32>
    ) {
        guard let base = own.baseAddress, let out = target.baseAddress else { return }
        if columns.isSame, rows.isSame {
            for row in 0..<area.height {
                memcpy(out + row * area.width, base + (area.y + row) * source.width + area.x, area.width * 4)
            }
            return
        }
        let left = columns.firsts[area.x].pixel
        let lastTarget = area.x + area.width - 1
        let lastTaps = columns.firsts[lastTarget + 1].weight - columns.firsts[lastTarget].weight
        let count = columns.firsts[lastTarget].pixel + lastTaps - left
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count * 4) { sums in
            guard let sum = sums.baseAddress else { return }
            columns.firsts.withUnsafeBufferPointer { firsts in
                columns.weights.withUnsafeBufferPointer { weights in
                    for row in 0..<area.height {
                        add(base, area.y + row, left, count, sum)
                        for column in 0..<area.width {
                            let (first, begin) = firsts[area.x + column]
                            let end = firsts[area.x + column + 1].weight
                            var (blue, green, red): (UInt32, UInt32, UInt32) = (0, 0, 0)
                            var at = sum + (first - left) * 4
                            for tap in begin..<end {
                                let weight = weights[tap]
                                blue &+= UInt32(at[0]) &* weight
                                green &+= UInt32(at[1]) &* weight
                                red &+= UInt32(at[2]) &* weight
                                at += 4
                            }
                            out[row * area.width + column] =
                                (red >> 16) << 16 | (green >> 16) << 8 | blue >> 16
                        }
                    }
                }
            }
        }
    }

    /// Adds up the rows of the display that a row of the picture covers, in parts of 256.
    private func add(
        _ base: UnsafePointer<UInt32>,
        _ row: Int,
        _ left: Int,
        _ count: Int,
        _ sum: UnsafeMutablePointer<UInt16>
    ) {
        let (first, begin) = rows.firsts[row]
        for tap in begin..<rows.firsts[row + 1].weight {
            let weight = UInt16(rows.weights[tap])
            let line = UnsafeRawPointer(base + (first + tap - begin) * source.width + left)
                .assumingMemoryBound(to: UInt8.self)
            if tap == begin {
                for index in 0..<count * 4 { sum[index] = UInt16(line[index]) &* weight }
            } else {
                for index in 0..<count * 4 { sum[index] &+= UInt16(line[index]) &* weight }
            }
        }
    }
}
