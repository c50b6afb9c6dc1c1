import CVipsShim
import PictureWire

/// A reply with its text and its bytes.
struct PictureResult: ~Copyable {
    private let reply: PictureReply
    private let text: [UInt8]
    private let bytes: VipsMemory

    private init(_ reply: PictureReply, text: String, bytes: consuming VipsMemory) {
        self.text = Array(text.utf8.prefix(PictureReply.textLimit))
        var reply = reply
        reply.textCount = self.text.count
        reply.byteCount = bytes.count
        self.reply = reply
        self.bytes = bytes
    }

    /// A result without bytes.
    init(_ reply: PictureReply, text: String = "") {
        self.init(reply, text: text, bytes: VipsMemory(nil, count: 0))
    }

    /// A picture of these edges.
    init(width: Int, height: Int, text: String = "", _ bytes: consuming VipsMemory) {
        var reply = PictureReply(.done)
        (reply.width, reply.height) = (width, height)
        self.init(reply, text: text, bytes: bytes)
    }

    /// What libvips refused, with its error's text.
    init(_ failure: CVipsResult) {
        let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: PictureReply.textLimit) { text in
            guard let start = text.baseAddress else { return "" }
            cvips_take_error(start, text.count)
            return String(cString: start)
        }
        switch failure {
        case CVIPS_UNKNOWN_FORMAT: self.init(PictureReply(.notAPicture))
        case CVIPS_DAMAGED: self.init(PictureReply(.damaged), text: reason)
        default: self.init(PictureReply(.unavailable), text: reason.isEmpty ? "libvips does not start" : reason)
        }
    }

    /// - Returns: False where nothing reads it any more.
    borrowing func write(to streams: Streams) -> Bool {
        guard streams.write(reply.bytes + text) else { return false }
        return bytes.write(to: streams)
    }
}
