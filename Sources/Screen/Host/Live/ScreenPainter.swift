import Kernel
import Pictures
import Screen

/// Makes the pictures of one view: of what changed, at once and small while it moves, and once more and sharp when it rests.
struct ScreenPainter {
    /// A part of a picture.
    struct Part {
        let area: ScreenArea
        let jpeg: [UInt8]
    }

    /// The longest wait for a change, after which the view looks whether it is still wanted.
    private static let look: Int32 = 200
    /// What has not changed for so long is sent sharp.
    private static let rest = Duration.milliseconds(400)
    /// Changes of no more pixels than this are sharp at once: letters that are typed, a button.
    private static let smallChange = 48 << 10
    /// Cells that are sharpened by one picture, so that a change need not wait for all of them.
    private static let cellsAtATime = (usual: 240, slow: 48)
    /// Pixels of one part, of which a JPEG mostly fits.
    private static let partPixels = 256 << 10

    private let reader: any ScreenReader
    private var canvas: ScreenCanvas
    /// The cells that were sent while they moved.
    private var coarse: ScreenCells
    private var lastChange: ContinuousClock.Instant?
    private let time: any TimeSource

    init(_ reader: any ScreenReader, maxWidth: Int, time: any TimeSource) {
        self.reader = reader
        self.time = time
        canvas = ScreenCanvas(reader.size, maxWidth: maxWidth)
        coarse = ScreenCells(width: reader.size.width, height: reader.size.height)
    }

    var size: PictureDimensions { canvas.size }

    /// Waits a moment for a change. Blocks.
    ///
    /// - Parameters:
    ///   - isWhole: Whether everything is wanted, changed or not.
    ///   - isSlow: Whether the way to the phone is: the picture is smaller then.
    ///   - maySharpen: Whether the phone shows everything that was sent, so that there is room for what is only finer.
    /// - Returns: Nothing where nothing changed.
    /// - Throws: ``ScreenReaderError``.
    mutating func paint(isWhole: Bool, isSlow: Bool, maySharpen: Bool) throws -> [Part] {
        let isFirst = lastChange == nil
        if try isFirst || reader.wait(atMost: coarse.isEmpty && !isWhole ? Self.look : 50) {
            let pointer = try reader.look { canvas.take($0) }
            canvas.place(pointer)
        }
        if isFirst || isWhole { canvas.changeAll() }
        if !canvas.changed.isEmpty {
            lastChange = time.now
            let cells = canvas.changed
            canvas.changesTaken()
            let areas = cells.areas.map { canvas.area(ofCells: $0) }
            let isSmall = areas.reduce(0) { $0 + $1.pixels } <= Self.smallChange
            if isSmall { coarse.remove(cells) } else { coarse.add(cells) }
            return try areas.flatMap { try parts($0, quality: isSmall ? 88 : isSlow ? 40 : 65, isSharp: isSmall) }
        }
        guard maySharpen, !coarse.isEmpty, let lastChange, time.now - lastChange >= Self.rest else { return [] }
        let cells = coarse.first(isSlow ? Self.cellsAtATime.slow : Self.cellsAtATime.usual)
        coarse.remove(cells)
        return try cells.areas.flatMap { try parts(canvas.area(ofCells: $0), quality: 90, isSharp: true) }
    }

    private mutating func parts(_ area: ScreenArea, quality: Int, isSharp: Bool) throws -> [Part] {
        if area.pixels <= Self.partPixels {
            let size = PictureDimensions(width: area.width, height: area.height)
            let jpeg = try canvas.read(area) { [reader] in
                try reader.jpeg($0, size, quality: quality, isSharp: isSharp, within: ScreenFrame.partLimit)
            }
            if let jpeg { return [Part(area: area, jpeg: jpeg)] }
        }
        // One pixel has a JPEG of a few hundred bytes.
        guard area.pixels > 1 else { throw ScreenReaderError.failed }
        var (first, second) = (area, area)
        if area.height > 1 {
            // Rows of JPEG blocks stay whole.
            first.height = area.height >= 64 ? area.height / 32 * 16 : area.height / 2
            second.y += first.height
            second.height -= first.height
        } else {
            first.width = area.width / 2
            second.x += first.width
            second.width -= first.width
        }
        return try parts(first, quality: quality, isSharp: isSharp) + parts(second, quality: quality, isSharp: isSharp)
    }
}
