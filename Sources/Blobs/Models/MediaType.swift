/// The type of a media file as its first bytes say it. What a client or a file name declares plays no part, and neither SVG nor HTML is among
/// them: a browser would run what is in it.
package enum MediaType: String, Hashable, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"
    case heic = "image/heic"
    case heif = "image/heif"
    case avif = "image/avif"
    case m4a = "audio/mp4"
    case aac = "audio/aac"
    case amr = "audio/amr"
    case ogg = "audio/ogg"
    case wav = "audio/wav"
    case caf = "audio/x-caf"
    /// Sound or pictures that move: phones and Safari record both as such.
    case mp4 = "video/mp4"
    /// Sound or pictures that move: Chromium and Firefox record both as such.
    case webm = "video/webm"

    /// Bytes from the beginning of a file that ``init(sniffing:)`` looks at.
    package static let sniffedBytes = 256

    package static let pictures: Set<MediaType> = [.jpeg, .png, .gif, .webp, .heic, .heif, .avif]
    package static let sounds: Set<MediaType> = [.m4a, .aac, .amr, .ogg, .wav, .caf, .mp4, .webm]

    /// The extension of file names, without the dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webp: "webp"
        case .heic: "heic"
        case .heif: "heif"
        case .avif: "avif"
        case .m4a: "m4a"
        case .aac: "aac"
        case .amr: "amr"
        case .ogg: "ogg"
        case .wav: "wav"
        case .caf: "caf"
        case .mp4: "mp4"
        case .webm: "webm"
        }
    }

    package var isPicture: Bool { Self.pictures.contains(self) }

    /// Nil for everything that is not in the list.
    ///
    /// - Parameter start: The first ``sniffedBytes`` of the file, or all of a shorter one.
    package init?(sniffing start: some Collection<UInt8>) {
        let bytes = Array(start.prefix(Self.sniffedBytes))
        guard let type = Self.fixed(bytes) ?? Self.riff(bytes) ?? Self.brand(bytes) ?? Self.ebml(bytes) else {
            return nil
        }
        self = type
    }

    /// Types whose files all begin alike.
    private static func fixed(_ bytes: [UInt8]) -> MediaType? {
        func begins(_ signature: [UInt8]) -> Bool { bytes.starts(with: signature) }
        if begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return .gif }
        // ADTS: twelve bits of synchronisation, layer 0, no checksum; MPEG-4 or MPEG-2.
        if begins([0xFF, 0xF1]) || begins([0xFF, 0xF9]) { return .aac }
        if begins(Array("#!AMR".utf8)) { return .amr }
        if begins(Array("OggS".utf8)) { return .ogg }
        if begins(Array("caff".utf8)) { return .caf }
        return nil
    }

    private static func riff(_ bytes: [UInt8]) -> MediaType? {
        guard bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)) else { return nil }
        switch String(decoding: bytes[8..<12], as: UTF8.self) {
        case "WEBP": return .webp
        case "WAVE": return .wav
        default: return nil
        }
    }

    /// The box `ftyp` of ISO/IEC 14496-12: size, name, a major brand, its version, compatible brands. The first brand that says what is in the file
    /// decides; others only name the container.
    private static func brand(_ bytes: [UInt8]) -> MediaType? {
        guard bytes.count >= 16, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 16, size.isMultiple(of: 4) else { return nil }
        let places = [8] + stride(from: 16, through: min(size, bytes.count) - 4, by: 4)
        let brands = places.map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
        // Of a major brand that is not known, `qt  ` for one, a browser shows nothing.
        guard exactBrands[brands[0]] != nil || containerBrands[brands[0]] != nil else { return nil }
        return brands.lazy.compactMap { exactBrands[$0] }.first ?? containerBrands[brands[0]]
    }

    private static let exactBrands: [String: MediaType] = [
        "heic": .heic, "heix": .heic, "heim": .heic, "heis": .heic, "avif": .avif, "M4A ": .m4a, "M4B ": .m4a,
    ]
    private static let containerBrands: [String: MediaType] = [
        "mif1": .heif, "isom": .mp4, "iso2": .mp4, "iso4": .mp4, "iso5": .mp4, "iso6": .mp4, "mp41": .mp4,
        "mp42": .mp4, "avc1": .mp4, "dash": .mp4,
    ]

    /// The head of EBML (RFC 8794) with the DocType `webm`. Matroska has the same head with another DocType.
    private static func ebml(_ bytes: [UInt8]) -> MediaType? {
        let signature: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
        let docType: [UInt8] = [0x42, 0x82, 0x84] + Array("webm".utf8)
        guard bytes.count >= signature.count + docType.count, bytes.starts(with: signature) else { return nil }
        let isWebM = (signature.count...(bytes.count - docType.count)).contains {
            bytes[$0..<$0 + docType.count].elementsEqual(docType)
        }
        return isWebM ? .webm : nil
    }
}
