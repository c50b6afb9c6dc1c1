/// One question to a web server.
public struct WebRequest: Sendable {
    /// Bytes of an answer's body where a request does not say otherwise: 1 MiB.
    public static let usualLargestBody: Int64 = 1 << 20

    public var method: WebMethod
    public var url: WebURL
    public var fields: WebFields
    public var body: WebBody
    public var timeouts: WebTimeouts
    /// Bytes of the answer's body; a longer one is ``WebClientError/bodyTooLarge``.
    public var largestBody: Int64

    public init(
        _ method: WebMethod,
        _ url: WebURL,
        fields: WebFields = WebFields(),
        body: WebBody = .none,
        timeouts: WebTimeouts = WebTimeouts(),
        largestBody: Int64 = WebRequest.usualLargestBody
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeouts = timeouts
        self.largestBody = largestBody
    }

    /// Whether it may be sent a second time when its connection ended before an answer: as a kept connection does that the server closes at
    /// the moment at which it is used.
    public var mayBeRepeated: Bool { method.isIdempotent && body.isRepeatable }
}
