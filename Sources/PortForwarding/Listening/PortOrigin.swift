import Kernel
import Principals
import Sealing
import Synchronization

/// The origin at which a browser of this machine sees one port of one computer, and who may enter it: only a browser that showed a secret which the
/// signed-in page was given, and from then on its cookie.
///
/// The name has the port and the computer in it, since browsers share cookies among the ports of one name.
final class PortOrigin: Sendable {
    /// How long a way in is good for, once.
    static let entryLifetime = Duration.seconds(60)
    private static let entryLimit = 16
    private static let cookieLimit = 16
    static let entryPath = "/.tandem/enter"

    /// The port at the computer.
    let remote: Int
    /// The name, for example `p3000-1f9e0a.localhost`.
    let name: String
    /// The port of this machine.
    let local: Int
    private let cookie: String
    private let entries: OneTimeSecrets<Void>
    private let cookies = Mutex<[SecretHash]>([])

    /// - Parameter computer: Its id.
    init(remote: Int, computer: String, local: Int, time: any TimeSource) {
        self.remote = remote
        self.local = local
        let mark = Hashing.sha256(Array(computer.utf8)).prefix(3).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        name = "p\(remote)-\(mark).localhost"
        cookie = "tandem-port-\(local)"
        entries = OneTimeSecrets(lifetime: Self.entryLifetime, limit: Self.entryLimit, time: time)
    }

    /// The origin as browsers write it.
    var text: String { "http://\(name):\(local)" }

    /// An address that lets one browser in, once.
    func makeEntry() -> String {
        let secret = Secret()
        entries.add(secret.hash(for: name), ())
        return "\(text)\(Self.entryPath)?\(secret.text)"
    }

    /// What is done with a request.
    enum Decision: Hashable {
        /// It is passed on, changed as it has to be.
        case pass(HTTPHead, body: Body)
        /// The browser is let in.
        case enter(cookie: String)
        case refuse(status: Int, phrase: String, sentence: String)
    }

    /// What follows a request's head.
    enum Body: Hashable {
        /// So many bytes, and nothing behind them.
        case length(Int64)
        /// Whatever comes: parts with their own ends, or another protocol.
        case open
    }

    func decide(_ request: HTTPHead) -> Decision {
        let parts = request.first.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0", parts[1].hasPrefix("/") else {
            return Self.bad
        }
        guard let body = Self.body(of: request) else { return Self.bad }
        let hosts = request.values("host")
        // A name of somebody else's that leads here is refused, whatever it is.
        guard hosts.count == 1, hosts[0].lowercased() == "\(name):\(local)" else {
            return .refuse(
                status: 421,
                phrase: "Misdirected Request",
                sentence: "This is \(text) only. Open it from Tandem's page."
            )
        }
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if parts[0] == "GET", target[0] == Self.entryPath {
            guard target.count == 2, entries.take(SecretHash(of: String(target[1]), for: name)) != nil else {
                return Self.stranger("This way in is used up or too old.")
            }
            return .enter(cookie: letIn())
        }
        guard isAdmitted(request) else { return Self.stranger("This browser was not let in.") }
        guard isOwn(request) else {
            return .refuse(status: 403, phrase: "Forbidden", sentence: "Other pages may not ask here.")
        }
        return .pass(rewritten(request), body: body)
    }

    private static let bad = Decision.refuse(
        status: 400,
        phrase: "Bad Request",
        sentence: "The request could not be read."
    )

    private static func stranger(_ reason: String) -> Decision {
        .refuse(
            status: 403,
            phrase: "Forbidden",
            sentence: "\(reason) Open the port from Tandem's page, which signs this browser in here."
        )
    }

    private func letIn() -> String {
        let secret = Secret()
        cookies.withLock { cookies in
            cookies.append(secret.hash(for: name))
            if cookies.count > Self.cookieLimit { cookies.removeFirst() }
        }
        return "\(cookie)=\(secret.text); Path=/; HttpOnly; SameSite=Strict"
    }

    private func isAdmitted(_ request: HTTPHead) -> Bool {
        let shown = Self.pairs(request).filter { $0.name == cookie }
        // Two of one name would be a guess at which of them counts.
        guard shown.count == 1, shown[0].value.utf8.count <= 64 else { return false }
        let hash = SecretHash(of: shown[0].value, for: name)
        return cookies.withLock { $0.contains(hash) }
    }

    /// Whether the port's own pages ask, or the person does by the address.
    private func isOwn(_ request: HTTPHead) -> Bool {
        let origins = request.values("origin")
        guard origins.allSatisfy({ $0.lowercased() == text }) else { return false }
        if request.has("websocket", in: "upgrade"), origins.count != 1 { return false }
        switch request.values("sec-fetch-site").first {
        case nil, "same-origin", "none": return true
        default: return request.values("sec-fetch-mode") == ["navigate"] && request.first.hasPrefix("GET ")
        }
    }

    /// As the program at the computer gets it: for the name by which it knows itself, and without the cookie that is none of its business.
    private func rewritten(_ request: HTTPHead) -> HTTPHead {
        let own = "http://localhost:\(remote)"
        var head = request
        head.replace("host") { _ in "localhost:\(remote)" }
        head.replace("origin") { _ in own }
        head.replace("referer") { $0.hasPrefix(text + "/") ? own + $0.dropFirst(text.count) : nil }
        for index in head.fields.indices.reversed() where head.fields[index].name.lowercased() == "cookie" {
            let kept = head.fields[index].text.split(separator: ";").filter { pair in
                Self.pair(pair).name != cookie
            }
            if kept.isEmpty {
                head.fields.remove(at: index)
            } else {
                head.fields[index].value = Array(kept.joined(separator: ";").drop { $0 == " " }.utf8)
            }
        }
        // One request on a connection, so that the next one is looked at, too.
        if !request.has("upgrade", in: "connection") {
            head.remove("connection")
            head.remove("keep-alive")
            head.add("Connection", "close")
        }
        return head
    }

    /// An answer as the browser gets it. Its redirects to the computer's own name lead here; nothing else of it is changed.
    func rewritten(answer: HTTPHead) -> HTTPHead {
        var head = answer
        head.replace("location") { location in
            for own in ["localhost", "127.0.0.1", "[::1]"].map({ "http://\($0):\(remote)" })
            where location == own || location.hasPrefix(own + "/") || location.hasPrefix(own + "?") {
                return text + location.dropFirst(own.count)
            }
            return nil
        }
        if answer.status != 101 {
            head.remove("connection")
            head.remove("keep-alive")
            head.add("Connection", "close")
        }
        return head
    }

    /// Nil where two programs could see different ends.
    private static func body(of request: HTTPHead) -> Body? {
        let lengths = Set(request.values("content-length"))
        let codings = request.values("transfer-encoding")
        if request.has("upgrade", in: "connection") { return lengths.isEmpty && codings.isEmpty ? .open : nil }
        guard codings.isEmpty else {
            return lengths.isEmpty && codings.map { $0.lowercased() } == ["chunked"] ? .open : nil
        }
        guard let length = lengths.first else { return .length(0) }
        guard lengths.count == 1, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(length)
        else { return nil }
        return .length(count)
    }

    private static func pairs(_ request: HTTPHead) -> [(name: String, value: String)] {
        request.values("cookie").flatMap { $0.split(separator: ";").map { pair($0) } }
    }

    private static func pair(_ text: Substring) -> (name: String, value: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = sides[0].filter { $0 != " " && $0 != "\t" }
        return (name, sides.count == 2 ? String(sides[1]) : "")
    }
}
