/// The answer to a request, whose body still comes.
public struct WebAnswer: Sendable {
    /// 200 to 599: informational answers are not told.
    public let status: Int
    public let fields: WebFields
    public let body: WebAnswerBody

    public init(status: Int, fields: WebFields, body: WebAnswerBody) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the server sends the asker to another address, which stands in `Location`.
    public var isRedirect: Bool { (300...399).contains(status) && fields["Location"] != nil }
}
