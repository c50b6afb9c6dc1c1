import Screen

/// A grid of cells over a display, of which some changed.
struct ScreenCells {
    /// A cell's size on the display, in pixels.
    static let (cellWidth, cellHeight) = (64, 32)
    /// More rectangles than this become one.
    static let areaLimit = 48

    let columns: Int
    let rows: Int
    /// Row by row.
    private(set) var marks: [Bool]

    init(width: Int, height: Int) {
        columns = (width + Self.cellWidth - 1) / Self.cellWidth
        rows = (height + Self.cellHeight - 1) / Self.cellHeight
        marks = Array(repeating: false, count: columns * rows)
    }

    var isEmpty: Bool { !marks.contains(true) }

    mutating func mark(_ column: Int, _ row: Int) { marks[row * columns + column] = true }

    mutating func markAll() { marks = Array(repeating: true, count: marks.count) }

    mutating func clear() { marks = Array(repeating: false, count: marks.count) }

    mutating func add(_ others: ScreenCells) {
        for index in marks.indices where others.marks[index] { marks[index] = true }
    }

    mutating func remove(_ others: ScreenCells) {
        for index in marks.indices where others.marks[index] { marks[index] = false }
    }

    /// Marks what a rectangle of the display touches, whatever of it lies outside.
    mutating func mark(_ area: ScreenArea) {
        let left = max(0, area.x / Self.cellWidth)
        let right = min(columns - 1, (area.x + area.width - 1) / Self.cellWidth)
        let top = max(0, area.y / Self.cellHeight)
        let bottom = min(rows - 1, (area.y + area.height - 1) / Self.cellHeight)
        guard area.width > 0, area.height > 0, left <= right, top <= bottom else { return }
        for row in top...bottom { for column in left...right { mark(column, row) } }
    }

    /// The first marked rows that have at most `limit` marks, but at least one of them.
    func first(_ limit: Int) -> ScreenCells {
        var (part, count) = (self, 0)
        for row in 0..<rows {
            let range = row * columns..<(row + 1) * columns
            let marked = marks[range].count { $0 }
            if count > 0, count + marked > limit {
                for index in range { part.marks[index] = false }
            }
            count += marked
        }
        return part
    }

    /// The marked cells as rectangles of cells: runs of a row, those of equal rows that follow each other joined.
    var areas: [ScreenArea] {
        var done: [ScreenArea] = []
        var open: [ScreenArea] = []
        for row in 0..<rows {
            var next: [ScreenArea] = []
            var column = 0
            while column < columns {
                guard marks[row * columns + column] else {
                    column += 1
                    continue
                }
                let first = column
                while column < columns, marks[row * columns + column] { column += 1 }
                if let index = open.firstIndex(where: { $0.x == first && $0.width == column - first }) {
                    var area = open.remove(at: index)
                    area.height += 1
                    next.append(area)
                } else {
                    next.append(ScreenArea(x: first, y: row, width: column - first, height: 1))
                }
            }
            done += open
            open = next
        }
        done += open
        guard done.count > Self.areaLimit, let first = done.first else { return done }
        let (left, top) = (done.reduce(first.x) { min($0, $1.x) }, done.reduce(first.y) { min($0, $1.y) })
        let right = done.reduce(0) { max($0, $1.x + $1.width) }
        let bottom = done.reduce(0) { max($0, $1.y + $1.height) }
        return [ScreenArea(x: left, y: top, width: right - left, height: bottom - top)]
    }
}
