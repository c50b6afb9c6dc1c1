import PictureWire
import Pictures

/// A reply of the program that brought what was asked for. The program may be a hostile picture's by now: what it claims is checked before
/// others believe it.
struct PictureAnswer: Sendable {
    static let nonsense = PictureError.givenUp(reason: "answered something else than a picture")

    let dimensions: PictureDimensions
    let pages: Int
    /// What a reply of its kind says in words. Not checked.
    let text: String
    let bytes: [UInt8]

    /// - Throws: ``PictureError`` for a reply that refuses.
    init(_ reply: PictureReply, text: String, bytes: [UInt8], to request: PictureRequest) throws(PictureError) {
        let size = PictureDimensions(width: reply.width, height: reply.height)
        switch reply.outcome {
        case .done: break
        case .notAPicture: throw .notAPicture
        case .damaged: throw .damaged(reason: Self.sentence(text))
        case .unavailable: throw .notEncoded(reason: Self.sentence(text))
        case .tooLarge: throw .tooLarge(size, limit: request.pixelLimit)
        case .doesNotFit:
            if case .photo(let byteLimit) = request.wish { throw .doesNotFit(bytes: byteLimit) }
            throw Self.nonsense
        }
        dimensions = size
        pages = reply.pages
        self.text = text
        self.bytes = bytes
    }

    /// The bytes as a picture of this format.
    ///
    /// - Throws: ``PictureError/givenUp(reason:)`` where they do not begin like one.
    func encoded(as format: PictureFormat) throws(PictureError) -> EncodedPicture {
        guard PictureFormat(signatureOf: bytes) == format, dimensions.width > 0, dimensions.height > 0 else {
            throw Self.nonsense
        }
        return EncodedPicture(bytes: bytes, format: format, dimensions: dimensions)
    }

    /// The bytes as pixels of so many bytes each.
    ///
    /// - Throws: ``PictureError/givenUp(reason:)`` where they are not as many as the edges say.
    func pixels(of size: Int) throws(PictureError) -> [UInt8] {
        let edges = 1...PictureRequest.sideLimit
        guard edges.contains(dimensions.width), edges.contains(dimensions.height),
            dimensions.width * dimensions.height * size == bytes.count
        else { throw Self.nonsense }
        return bytes
    }

    /// A library's error as part of a sentence: one line of visible ASCII.
    private static func sentence(_ text: String) -> String {
        let line = text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }
        return line.isEmpty ? "no reason was given" : String(String.UnicodeScalarView(line))
    }
}
