/// An answer with its whole body.
public struct CollectedAnswer: Hashable, Sendable {
    /// 200 to 599.
    public let status: Int
    public let fields: WebFields
    public let body: [UInt8]

    public init(status: Int, fields: WebFields = WebFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the server sends the asker to another address, which stands in `Location`.
    public var isRedirect: Bool { (300...399).contains(status) && fields["Location"] != nil }
}
