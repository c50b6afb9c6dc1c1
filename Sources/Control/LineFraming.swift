import NIOCore

/// Splits a stream at newlines; a line over the bound is an error before it is stored.
struct LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    static let limit = 4 << 20

    /// Where the search goes on, so that a long line that comes in pieces is read once.
    private var searched = 0

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let view = buffer.readableBytesView
        guard let newline = view.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) else {
            searched = view.count
            guard searched <= Self.limit else { throw ControlError.lineTooLong(limit: Self.limit) }
            return .needMoreData
        }
        searched = 0
        guard let line = buffer.readSlice(length: newline - view.startIndex) else { return .needMoreData }
        buffer.moveReaderIndex(forwardBy: 1)
        context.fireChannelRead(wrapInboundOut(line))
        return .continue
    }

    mutating func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws
        -> DecodingState
    {
        while try decode(context: context, buffer: &buffer) == .continue {}
        return .needMoreData
    }
}
