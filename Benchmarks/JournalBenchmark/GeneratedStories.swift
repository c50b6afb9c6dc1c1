import Foundation
import Kernel

/// Made-up stories as Day One exports them: the same for each run, with rare words and with such as are in all of them.
struct GeneratedStories {
    private static let words = [
        "lake", "hill", "morning", "bread", "train", "letter", "garden", "rain", "window", "friend", "river", "music",
        "winter",
        "market", "bridge", "coffee", "street", "evening", "island", "forest",
    ]

    let count: Int

    /// A Day One folder with one journal, whose stories have about 1,300 bytes each.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var bytes = Array("{\"metadata\":{\"version\":\"1.0\"},\"entries\":[".utf8)
        for index in 0..<count {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Self.entry(index).canonicalBytes
        }
        bytes += "]}".utf8
        try Data(bytes).write(to: folder.appending(path: "Days.json"))
    }

    private static func entry(_ index: Int) -> JSONValue {
        var random = UInt64(index) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> Int {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Int(truncatingIfNeeded: random >> 33)
        }
        let lines = (0..<20).map { _ in (0..<10).map { _ in words[next() % words.count] }.joined(separator: " ") }
        let text = "# Day \(index)\n\n\(lines.joined(separator: ".\n\n")).\n\nIt was the number\(index)."
        let day = 1 + index % 28
        let date = "\(2000 + index / 336 % 25)-\(digits(1 + index / 28 % 12))-\(digits(day))T08:30:00Z"
        return [
            "uuid": .string("0B9E0C6E7F0E4A539A5E" + String(format: "%012X", index)), "creationDate": .string(date),
            "modifiedDate": .string(date), "text": .string(text), "starred": .bool(index % 9 == 0),
            "tags": [.string("tag \(index % 12)")], "timeZone": "Europe/Zurich",
            "location": [
                "latitude": .number(47 + Double(index % 1000) / 1000), "longitude": .number(8.5),
                "placeName": "Rigi",
            ],
        ]
    }

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
