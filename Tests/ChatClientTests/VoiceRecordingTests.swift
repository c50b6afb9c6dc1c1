import Chat
import Testing

@testable import ChatClient

/// Recordings are built here by hand, after the documents of their containers.
@Suite struct VoiceRecordingTests {
    @Test("the length of Opus in Ogg is its last granule position without the samples that are not heard")
    func ogg() throws {
        let recording = try VoiceRecording(VoiceFiles.ogg(samples: 48_000 * 7 + 24_000, preSkip: 312))
        #expect(recording.container == .ogg)
        #expect(recording.duration == .milliseconds(7500))
        #expect(recording.seconds == 8)
    }

    @Test(
        "the length of WebM is that of its blocks, across clusters of unknown size, or what its head says where that is more"
    )
    func webm() throws {
        let live = try VoiceRecording(VoiceFiles.webm(blocks: [0, 1000, 33_000, 41_250]))
        #expect(live.container == .webm)
        #expect(live.duration == .milliseconds(41_250))
        #expect(try VoiceRecording(VoiceFiles.webm(blocks: [0, 1000], announced: 5000)).duration == .seconds(5))
    }

    @Test("the length of MP4 is its head's, and of fragments where their last sample ends")
    func mp4() throws {
        #expect(try VoiceRecording(VoiceFiles.mp4(seconds: 12)).duration == .seconds(12))
        let fragments = try VoiceRecording(VoiceFiles.fragmentedMP4(fragments: 3, samples: 50, sampleTime: 960))
        #expect(fragments.duration == .seconds(3))
        #expect(fragments.container == .m4a)
    }

    @Test("the length of WAV is its data's, also where a recorder never wrote the size")
    func wav() throws {
        #expect(try VoiceRecording(VoiceFiles.wav(seconds: 3)).duration == .seconds(3))
        #expect(try VoiceRecording(VoiceFiles.wav(seconds: 3, size: 0xFFFF_FFFF)).duration == .seconds(3))
        #expect(try VoiceRecording(VoiceFiles.wav(seconds: 3, size: 0)).duration == .seconds(3))
    }

    @Test("60 seconds are taken with the recorder's delay, and more are not")
    func long() throws {
        #expect(try VoiceRecording(VoiceFiles.ogg(samples: 48_000 * 60 + 40_000, preSkip: 0)).seconds == 60)
        #expect(throws: ChatError.recordingTooLong) {
            try VoiceRecording(VoiceFiles.ogg(samples: 48_000 * 61, preSkip: 0))
        }
        let limit = UploadKind.voice.limit
        #expect(throws: ChatError.tooLong("file", limit: limit)) {
            try VoiceRecording([UInt8](repeating: 0, count: limit + 1))
        }
    }

    @Test("pictures that move, other files and files without sound are no recordings")
    func others() {
        for bytes in [
            [], Array("not a recording at all".utf8), [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 300),
            VoiceFiles.webm(blocks: [0, 1000], trackTypes: [1, 2]),
            VoiceFiles.webm(blocks: [0, 1000], trackTypes: [1]),
            VoiceFiles.mp4(seconds: 3, handler: "vide"), VoiceFiles.ogg(samples: 0, preSkip: 312),
            VoiceFiles.ogg(samples: 48_000, preSkip: 312, codec: "VorbisHd"),
        ] {
            #expect(throws: ChatError.notARecording) { try VoiceRecording(bytes) }
        }
    }

    @Test("a file that is cut off anywhere is read to there or refused, and never further")
    func cut() {
        for file in [
            VoiceFiles.ogg(samples: 96_000, preSkip: 312), VoiceFiles.webm(blocks: [0, 500, 900]),
            VoiceFiles.mp4(seconds: 2), VoiceFiles.fragmentedMP4(fragments: 2, samples: 10, sampleTime: 960),
            VoiceFiles.wav(seconds: 1).prefix(2000).map { $0 },
        ] {
            for count in 0..<file.count {
                if let recording = try? VoiceRecording(Array(file.prefix(count))) {
                    #expect(recording.duration > .zero && recording.duration < .seconds(4))
                }
            }
        }
    }
}

/// Small recordings of each container, without sound in them.
enum VoiceFiles {
    static func big(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
    }

    static func little(_ number: UInt64, _ count: Int) -> [UInt8] { big(number, count).reversed() }

    // MARK: Ogg

    private static func page(_ position: UInt64, _ number: UInt64, _ body: [UInt8]) -> [UInt8] {
        Array("OggS".utf8) + [0, number == 0 ? 2 : 0] + little(position, 8) + little(4711, 4) + little(number, 4)
            + little(0, 4) + [1, UInt8(body.count)] + body
    }

    /// - Parameter padding: Bytes of sound in the middle, about.
    static func ogg(samples: UInt64, preSkip: UInt64, codec: String = "OpusHead", padding: Int = 0) -> [UInt8] {
        let head = Array(codec.utf8) + [1, 1] + little(preSkip, 2) + little(48_000, 4) + [0, 0, 0]
        let half = preSkip + samples / 2
        let sound = [UInt8](repeating: 3, count: 255)
        let middle = (0..<UInt64(padding / sound.count)).flatMap { page(preSkip + 1, $0 + 5, sound) }
        return page(0, 0, head) + page(0, 1, Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)) + middle
            + page(half, 2, [UInt8](repeating: 1, count: 200)) + page(.max, 3, [1, 2, 3])
            + page(preSkip + samples, 4, [UInt8](repeating: 2, count: 100))
    }

    // MARK: WebM

    private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        id + [0x10 | UInt8(content.count >> 24)] + big(UInt64(content.count), 3) + content
    }

    private static func endless(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        id + [0x01] + [UInt8](repeating: 0xFF, count: 7) + content
    }

    /// - Parameter blocks: Milliseconds, each in a cluster of its own every 30 seconds.
    static func webm(blocks: [UInt64], announced: Double? = nil, trackTypes: [UInt8] = [2]) -> [UInt8] {
        let head = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("webm".utf8)).shortened)
        var information = element([0x2A, 0xD7, 0xB1], big(1_000_000, 3))
        if let announced { information += element([0x44, 0x89], big(announced.bitPattern, 8)) }
        let tracks = trackTypes.flatMap {
            element([0xAE], element([0x83], [$0]) + element([0x86], Array("A_OPUS".utf8)))
        }
        var clusters: [UInt8] = []
        for start in Set(blocks.map { $0 / 30_000 * 30_000 }).sorted() {
            let content = blocks.filter { $0 / 30_000 * 30_000 == start }.flatMap { time in
                element([0xA3], [0x81] + big(time - start, 2) + [0x80, 1, 2, 3])
            }
            clusters += endless([0x1F, 0x43, 0xB6, 0x75], element([0xE7], big(start, 4)) + content)
        }
        let content = element([0x15, 0x49, 0xA9, 0x66], information) + element([0x16, 0x54, 0xAE, 0x6B], tracks)
        return head + endless([0x18, 0x53, 0x80, 0x67], content + clusters)
    }

    // MARK: MP4

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(UInt64(content.count + 8), 4) + Array(type.utf8) + content
    }

    private static func header(_ scale: UInt64, _ time: UInt64) -> [UInt8] {
        [UInt8](repeating: 0, count: 12) + big(scale, 4) + big(time, 4)
    }

    private static func track(_ handler: String, _ time: UInt64) -> [UInt8] {
        box(
            "trak",
            box(
                "mdia",
                box("mdhd", header(48_000, time)) + box("hdlr", [UInt8](repeating: 0, count: 8) + Array(handler.utf8))
            )
        )
    }

    private static let type = box("ftyp", Array("M4A ".utf8) + big(0, 4) + Array("isomM4A ".utf8))

    static func mp4(seconds: UInt64, handler: String = "soun") -> [UInt8] {
        let movie = box("mvhd", header(1000, seconds * 1000)) + track(handler, 48_000 * seconds)
        return type + box("moov", movie) + box("mdat", [1, 2, 3])
    }

    static func fragmentedMP4(fragments: UInt64, samples: UInt64, sampleTime: UInt64) -> [UInt8] {
        let extends = box("trex", [UInt8](repeating: 0, count: 12) + big(sampleTime, 4) + big(0, 8))
        var file = type + box("moov", box("mvhd", header(1000, 0)) + track("soun", 0) + box("mvex", extends))
        for number in 0..<fragments {
            let start = box("tfdt", big(0, 4) + big(number * samples * sampleTime, 4))
            let run = box("trun", big(0, 4) + big(samples, 4))
            let head = box("tfhd", big(0, 4) + big(1, 4))
            file += box("moof", box("traf", head + start + run)) + box("mdat", [1, 2, 3])
        }
        return file
    }

    // MARK: WAV

    static func wav(seconds: Int, size: UInt64? = nil) -> [UInt8] {
        let count = UInt64(16_000 * seconds)
        let format = little(1, 2) + little(1, 2) + little(8000, 4) + little(16_000, 4) + little(2, 2) + little(16, 2)
        return Array("RIFF".utf8) + little(36 + count, 4) + Array("WAVE".utf8) + Array("fmt ".utf8) + little(16, 4)
            + format + Array("data".utf8) + little(size ?? count, 4) + [UInt8](repeating: 0, count: Int(count))
    }
}

extension [UInt8] {
    /// The element `DocType` with a size of one byte, as all writers have it.
    fileprivate var shortened: [UInt8] { Array(prefix(2)) + [0x80 | UInt8(count - 6)] + dropFirst(6) }
}
