/// Sound in MP4, whole or in fragments as Safari records it. Source: ISO/IEC 14496-12, sections 4.2 (boxes) and 8.
enum MP4Sound {
    /// Boxes that are looked into.
    private static let containers: Set = ["moov", "trak", "mdia", "mvex", "moof", "traf"]
    /// Boxes that are looked at, and those in them.
    private static let boxLimit = 100_000

    /// What was read so far. Times are in units of the scale beside them.
    private struct Reading {
        var boxes = 0
        var isSound = false
        var hasOthers = false
        var movie: (time: UInt64, scale: UInt64)?
        var media: (time: UInt64, scale: UInt64)?
        /// Of all fragments, from the announcement.
        var fragments: UInt64 = 0
        /// The usual length of a sample.
        var sampleTime: UInt64 = 0
        /// Of the fragment that is read.
        var fragmentStart: UInt64?
        var fragmentSampleTime: UInt64?
        /// Where the fragments that were read end.
        var end: UInt64 = 0
    }

    /// Nil for what holds anything but sound.
    static func duration(of bytes: [UInt8]) -> Duration? {
        var reading = Reading()
        guard boxes(bytes[...], &reading), reading.isSound, !reading.hasOthers else { return nil }
        var seconds = 0.0
        for time in [reading.movie, reading.media] {
            if let time, time.scale > 0, time.time != .max {
                seconds = max(seconds, Double(time.time) / Double(time.scale))
            }
        }
        if let scale = reading.movie?.scale, scale > 0 {
            seconds = max(seconds, Double(reading.fragments) / Double(scale))
        }
        if let scale = reading.media?.scale, scale > 0 { seconds = max(seconds, Double(reading.end) / Double(scale)) }
        return seconds.isFinite && seconds < 1e6 ? .seconds(seconds) : nil
    }

    /// - Returns: False for what cannot be read.
    private static func boxes(_ bytes: ArraySlice<UInt8>, _ reading: inout Reading) -> Bool {
        var cursor = ByteCursor(bytes)
        while cursor.left > 0 {
            reading.boxes += 1
            guard reading.boxes <= boxLimit, let box = box(&cursor) else { return false }
            if containers.contains(box.type) {
                if box.type == "traf" { (reading.fragmentStart, reading.fragmentSampleTime) = (nil, nil) }
                guard boxes(box.content, &reading) else { return false }
            } else {
                take(box.type, ByteCursor(box.content), &reading)
            }
        }
        return true
    }

    private static func box(_ cursor: inout ByteCursor) -> (type: String, content: ArraySlice<UInt8>)? {
        guard let short = cursor.bigEndian(4), let type = cursor.text(4) else { return nil }
        var (size, head) = (short, UInt64(8))
        if short == 1 {
            guard let long = cursor.bigEndian(8) else { return nil }
            (size, head) = (long, 16)
        }
        // 0: to the end of the file. The sound itself may be cut off, where a recorder was killed.
        let wanted = short == 0 ? UInt64(cursor.left) : size < head ? UInt64.max : size - head
        let count = type == "mdat" ? min(wanted, UInt64(cursor.left)) : wanted
        guard let count = Int(exactly: count), let content = cursor.take(count) else { return nil }
        return (type, content)
    }

    private static func take(_ type: String, _ content: ByteCursor, _ reading: inout Reading) {
        var cursor = content
        guard let version = cursor.bigEndian(1), let flags = cursor.bigEndian(3) else { return }
        let width = version == 1 ? 8 : 4
        switch type {
        case "mvhd", "mdhd":
            // Behind the times of creation and change.
            guard cursor.skip(2 * width), let scale = cursor.bigEndian(4), let time = cursor.bigEndian(width) else {
                return
            }
            let known = (time: width == 4 && time == 0xFFFF_FFFF ? UInt64.max : time, scale: scale)
            if type == "mvhd" { reading.movie = known } else { reading.media = known }
        case "hdlr":
            guard cursor.skip(4), let handler = cursor.text(4) else { return }
            if handler == "soun" {
                reading.isSound = true
            } else if ["vide", "pict"].contains(handler) {
                reading.hasOthers = true
            }
        case "mehd": reading.fragments = cursor.bigEndian(width) ?? 0
        case "trex":
            // Behind the track and its kind of sample.
            if cursor.skip(8), let time = cursor.bigEndian(4) { reading.sampleTime = time }
        case "tfdt": reading.fragmentStart = cursor.bigEndian(width)
        case "tfhd": reading.fragmentSampleTime = fragmentSampleTime(&cursor, flags)
        case "trun": reading.end = max(reading.end, end(ofRun: &cursor, flags, &reading))
        default: break
        }
    }

    private static func fragmentSampleTime(_ cursor: inout ByteCursor, _ flags: UInt64) -> UInt64? {
        guard flags & 0x8 != 0, cursor.skip(4) else { return nil }
        let passed = (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
        return cursor.skip(passed) ? cursor.bigEndian(4) : nil
    }

    /// Where the samples of a run end.
    private static func end(ofRun cursor: inout ByteCursor, _ flags: UInt64, _ reading: inout Reading) -> UInt64 {
        guard let count = cursor.bigEndian(4), cursor.skip((flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0))
        else { return 0 }
        let start = min(reading.fragmentStart ?? reading.end, 1 << 62)
        var length: UInt64 = 0
        if flags & 0x100 == 0 {
            length = count * min(reading.fragmentSampleTime ?? reading.sampleTime, 1 << 31)
        } else {
            let others = [0x200, 0x400, 0x800].reduce(0) { $0 + (flags & UInt64($1) != 0 ? 4 : 0) }
            // Every sample has four bytes here at least, so this ends with the file.
            for _ in 0..<count {
                guard let time = cursor.bigEndian(4), cursor.skip(others) else { break }
                length += time
            }
        }
        let (end, isOver) = start.addingReportingOverflow(length)
        // Another run of the same fragment goes on behind this one.
        reading.fragmentStart = isOver ? .max : end
        return isOver ? .max : end
    }
}
