import Kernel

/// Downloads that the program holds for the browser, by the names that pages gave.
actor HeldDownloads {
    /// Those that ended are forgotten first.
    static let limit = 64
    /// Each holds a connection, of which browsers open six to one host: the rest is for the page itself.
    static let openLimit = 3
    /// How long one is kept that ended, or that the browser does not ask for.
    static let lifetime = Duration.seconds(10 * 60)
    private static let nameLimit = 64

    private let time: any TimeSource
    private var held: [String: HeldDownload] = [:]

    init(time: any TimeSource = .awake) { self.time = time }

    /// Whether a page may call one so.
    static func isName(_ text: String) -> Bool {
        (1...nameLimit).contains(text.utf8.count) && text.hasOnlyLettersAndDigits(or: "-")
    }

    subscript(name: String) -> HeldDownload? {
        forgetOld()
        return held[name]
    }

    /// - Throws: ``HeldDownloadError/unknown``.
    func known(_ name: String) throws -> HeldDownload {
        guard let download = self[name] else { throw HeldDownloadError.unknown }
        return download
    }

    /// - Parameter name: The name of one that is to be opened again, which then counts no second time.
    /// - Throws: ``HeldDownloadError/tooMany(limit:)`` where as many are open as may be.
    func checkRoom(for name: String) throws {
        forgetOld()
        let others = held.count { $0.key != name && $0.value.isUnderWay }
        guard others < Self.openLimit else { throw HeldDownloadError.tooMany(limit: Self.openLimit) }
    }

    /// - Returns: The one of that name where there is one already.
    /// - Throws: As ``checkRoom(for:)``.
    func enter(_ name: String, _ transfer: RemoteTransfer, _ path: String, device: String) throws -> HeldDownload {
        try checkRoom(for: name)
        if let known = held[name] { return known }
        if held.count >= Self.limit {
            let ended = held.filter { !$0.value.isUnderWay }
            // There is one: no more are under way than may be open.
            let oldest = ended.max { ($0.value.idleTime ?? .zero) < ($1.value.idleTime ?? .zero) }
            if let oldest { held[oldest.key] = nil }
        }
        let download = HeldDownload(transfer, path, device: device, time: time)
        held[name] = download
        return download
    }

    private func forgetOld() { held = held.filter { ($0.value.idleTime ?? .zero) < Self.lifetime } }
}
