import NIOHTTP1

/// The request that hands a message to a push service (RFC 8030 section 5).
struct PushRequest: Sendable {
    /// The longest time that services keep messages, in seconds: four weeks.
    static let longestLife: Int64 = 28 * 86_400

    let head: HTTPRequestHead
    let body: [UInt8]

    /// - Parameters:
    ///   - body: Encrypted.
    ///   - authorization: From ``VAPIDTokens``.
    ///   - life: How long the service keeps the message for a device that is away; cut to zero to four weeks.
    init(
        to endpoint: PushEndpoint,
        body: [UInt8],
        authorization: String,
        urgency: PushUrgency,
        topic: PushTopic?,
        life: Duration
    ) {
        let seconds = min(max(0, life.components.seconds), Self.longestLife)
        var headers: HTTPHeaders = [
            "Host": endpoint.origin.authority,
            "Authorization": authorization,
            "TTL": String(seconds),
            "Urgency": urgency.rawValue,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Content-Length": String(body.count),
            "Connection": "close",
        ]
        if let topic { headers.add(name: "Topic", value: topic.text) }
        head = HTTPRequestHead(version: .http1_1, method: .POST, uri: endpoint.requestTarget, headers: headers)
        self.body = body
    }
}
