/// Why a request has no answer. The description is shown to the person: what happened, whose side, what to do. It names the server at most, for a
/// path or a query may hold secrets.
public enum WebClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a server's certificate lacks.
    public enum CertificateFault: String, Hashable, Sendable {
        /// No authority that this device believes has signed it.
        case notTrusted
        case expired
        /// Its first day is still to come by this device's clock.
        case notYetValid
        case otherName
    }

    /// What a server let this device wait for.
    public enum Wait: String, Hashable, Sendable {
        case connection
        /// The server showed no sign for so long: ``WebTimeouts/idle``.
        case sign
        /// The answer did not end in time: ``WebTimeouts/whole``.
        case answer
    }

    case malformedURL(String)
    /// A header field that cannot be sent; only its name is told.
    case malformedField(String)
    /// A body had more or fewer bytes than were announced.
    case wrongBodyLength(expected: Int64)
    case unusableCertificates(reason: String)
    /// A variable of the environment that names no proxy; its value may hold a password.
    case malformedProxy(variable: String)
    case unknownHost(String)
    case cannotConnect(origin: String, reason: String)
    /// The proxy was not reached.
    case proxyUnreachable(proxy: String)
    case proxyNeedsPassword(proxy: String)
    /// The proxy was reached and makes no connection to the server.
    case proxyRefused(proxy: String, origin: String)
    case untrusted(origin: String, CertificateFault)
    /// What answers speaks no TLS, or a version that is not safe.
    case noTLS(origin: String)
    case timedOut(origin: String, Wait, after: Duration)
    /// The connection ended before the answer did.
    case connectionLost(origin: String)
    /// What answers does not speak HTTP.
    case brokenAnswer(origin: String)
    /// - Parameter limit: Bytes.
    case headTooLarge(origin: String, limit: Int)
    /// - Parameter limit: Bytes.
    case bodyTooLarge(origin: String, limit: Int64)
    case cancelled
    /// The client was shut down.
    case closed

    public var description: String {
        switch self {
        case .malformedURL(let text):
            "\(text) is no web address. It looks like https://host or http://192.168.1.20:9001."
        case .malformedField(let name):
            "The header field \(name) cannot be sent: it has a character that HTTP does not allow."
        case .wrongBodyLength(let expected):
            "What was to be sent did not have its \(expected) bytes, so this device stopped. It may have changed meanwhile: try again."
        case .unusableCertificates(let reason):
            "The trusted certificates could not be read: \(reason). Check the PEM file."
        case .malformedProxy(let variable):
            "\(variable) names no proxy. It looks like http://proxy.example:3128. Correct it, or remove it."
        case .unknownHost(let host): "No address is known for \(host). Check the name, and this device's network."
        case .cannotConnect(let origin, let reason):
            "\(origin) could not be reached: \(reason). Check the address and that the server runs."
        case .proxyUnreachable(let proxy):
            "The proxy \(proxy) could not be reached. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY on this device."
        case .proxyNeedsPassword(let proxy):
            "The proxy \(proxy) wants a name and password. Set them in HTTPS_PROXY: http://name:password@host:port."
        case .proxyRefused(let proxy, let origin):
            "The proxy \(proxy) makes no connection to \(origin). Ask who runs it, or name the server in NO_PROXY."
        case .untrusted(let origin, .notTrusted):
            "The certificate of \(origin) is signed by nobody whom this device trusts. If it is your own server, name its "
                + "certificate file here."
        case .untrusted(let origin, .expired):
            "The certificate of \(origin) has expired. Whoever runs the server must renew it; check this device's date too."
        case .untrusted(let origin, .notYetValid):
            "The certificate of \(origin) is not valid yet. Check this device's date."
        case .untrusted(let origin, .otherName):
            "The certificate of \(origin) is for another name. Use the name that the server's owner gave."
        case .noTLS(let origin):
            "\(origin) does not speak TLS as it should. Check the port, and whether the address begins with http://."
        case .timedOut(let origin, .connection, let limit):
            "No connection to \(origin) was made within \(limit). Check the address and the network."
        case .timedOut(let origin, .sign, let limit): "\(origin) was silent for \(limit). Try again later."
        case .timedOut(let origin, .answer, let limit):
            "The answer of \(origin) was not complete within \(limit). Try again, or where the network is faster."
        case .connectionLost(let origin): "\(origin) closed the connection before it had answered. Try again."
        case .brokenAnswer(let origin): "What answers at \(origin) is no web server. Check the address and the port."
        case .headTooLarge(let origin, let limit):
            "The answer of \(origin) begins with more than \(limit) bytes of header fields, so it was not read."
        case .bodyTooLarge(let origin, let limit):
            "The answer of \(origin) is larger than \(limit) bytes, so it was not read."
        case .cancelled: "The request was ended here before it was answered."
        case .closed: "This program is ending, so it asks no server any more."
        }
    }
}
