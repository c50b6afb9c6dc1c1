package import Capabilities
import Clipboard
package import CommandServer
import Commands
import Foundation
package import Kernel
package import Pictures
package import Rights

/// The clipboard of this computer. Source: `docs/protocol.md`, "Clipboard, screen and system".
package actor ClipboardSkill: CommandFeature {
    package static let manifest = FeatureManifest("clipboard", rights: [.clipboard])

    static let watcherLimit = 16
    /// A phone that takes no more misses this change and learns of the next.
    static let sendTimeout: Duration = .seconds(5)

    let reader: ClipboardReader
    let fitter: PictureFitter
    private let outlet: any DeviceOutlet
    private let observer: (any ActivityObserver)?
    private let keepsHistory: Bool
    private let interval: Duration
    let time: any TimeSource
    private let doctor: @Sendable () async -> [DoctorCheck]

    private var history = ClipboardHistory()
    /// The devices that watch, with when each began.
    private var watchers: [String: Date] = [:]
    private var polling: Task<Void, Never>?
    /// How often the window system said that something was copied: tells two contents apart that are too large to read.
    private var noticed = 0
    /// A hash of what was there last, so that an image is not kept. Nil until the first look.
    private var lastSeen: Int?
    /// The content that a phone set last: its own is no news to it.
    private var lastSet: (hash: Int, by: String)?
    private var isStopped = false

    /// - Parameters:
    ///   - keepsHistory: Whether what the clipboard held is remembered, in memory. The person at the computer decides.
    ///   - interval: Between two looks at the clipboard while a phone watches it.
    ///   - checks: Of the clipboard, for the person who looks after this computer.
    package init(
        clipboard: any ClipboardAccess,
        pictures: any PictureEncoder,
        outlet: any DeviceOutlet,
        observer: (any ActivityObserver)? = nil,
        keepsHistory: Bool = false,
        interval: Duration = .seconds(1),
        time: any TimeSource = .system,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) {
        reader = ClipboardReader(clipboard: clipboard)
        fitter = PictureFitter(encoder: pictures)
        self.outlet = outlet
        self.observer = observer
        self.keepsHistory = keepsHistory
        self.interval = interval
        self.time = time
        doctor = checks
    }

    /// - Parameters:
    ///   - keepsHistory: Whether what the clipboard held is remembered, in memory. The person at the computer decides.
    ///   - checks: Of the clipboard, for the person who looks after this computer.
    package static func maker(
        clipboard: any ClipboardAccess,
        pictures: any PictureEncoder,
        keepsHistory: Bool = false,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { context in
            ClipboardSkill(
                clipboard: clipboard,
                pictures: pictures,
                outlet: context.outlet,
                observer: context.observer,
                keepsHistory: keepsHistory,
                time: context.time,
                checks: checks
            )
        }
    }

    package nonisolated var keeper: (any ActivityKeeper)? { self }

    package nonisolated var methods: [RemoteMethod] {
        [
            ClipboardMethods.get.served { query, _ in try await self.get(query) },
            ClipboardMethods.set.served { try await self.set($0, $1) },
            ClipboardMethods.watch.served { _, caller in try await self.watch(caller) },
            ClipboardMethods.unwatch.served { _, caller in await self.unwatch(caller) },
            ClipboardMethods.getHistory.served { query, _ in await self.history(query) },
            ClipboardMethods.clearHistory.served { _, _ in await self.clearHistory() },
        ].flatMap(\.self)
    }

    package nonisolated func checks() async -> [DoctorCheck] { await doctor() }

    /// Ends the watching.
    package func close() async {
        isStopped = true
        watchers = [:]
        let polling = polling
        polling?.cancel()
        await polling?.value
    }

    var watcherCount: Int { watchers.count }
    var isPolling: Bool { polling != nil }

    private func get(_ query: ClipboardQuery) async throws -> ClipboardReading {
        let offers = try await reader.offers()
        let content = try await reader.read(query.kind, of: offers)
        remember(content, of: offers)
        return try await answer(content, of: offers, to: query)
    }

    private func set(_ new: NewClipboardContent, _ caller: Caller) async throws -> ClipboardWritten {
        let content = try await checked(new)
        let bytes: [UInt8] =
            switch content {
            case .image(let picture): picture
            default: Array((content.text ?? "").utf8)
            }
        try await reader.clipboard.write(bytes, as: new.kind)
        let now = time.date.millisecondsSince1970
        lastSet = (content.fingerprint, caller.id)
        if keepsHistory { history.add(content, isSecret: false, at: now) }
        return ClipboardWritten(kind: new.kind, byteCount: bytes.count, timestamp: now)
    }

    private func watch(_ caller: Caller) async throws -> ClipboardWatch {
        let isNew = watchers[caller.id] == nil
        guard !isNew || watchers.count < Self.watcherLimit else {
            throw ClipboardError.tooManyWatchers(limit: Self.watcherLimit)
        }
        if isNew {
            // Noted before the compositor is asked, which takes seconds: a right that is taken back meanwhile ends it.
            watchers[caller.id] = time.date
        }
        do {
            try await reader.clipboard.checkWatching()
        } catch {
            if isNew { stopWatching([caller.id]) }
            throw error
        }
        if polling == nil, !isStopped, !watchers.isEmpty {
            lastSeen = nil
            let notices = await reader.clipboard.notices()
            // Before the answer: what is copied right after it is a change.
            await look()
            if polling == nil, !isStopped, !watchers.isEmpty { polling = Task { await poll(notices) } }
        }
        guard let date = watchers[caller.id] else { return ClipboardWatch(isWatching: false) }
        // Said only now: who hears of it and copies something is heard.
        if isNew { observer?.began(Activity(.clipboard, caller.id, device: caller.id, since: date)) }
        return ClipboardWatch(isWatching: true, intervalMilliseconds: Int64(interval / .milliseconds(1)))
    }

    private func unwatch(_ caller: Caller) -> ClipboardWatch {
        stopWatching([caller.id])
        return ClipboardWatch(isWatching: false)
    }

    private func history(_ query: ClipboardHistoryQuery) -> ClipboardHistoryPage {
        ClipboardHistoryPage(isEnabled: keepsHistory, entries: history.newest(query.limit), total: history.count)
    }

    private func clearHistory() -> Done {
        history.clear()
        return Done()
    }

    private func remember(_ content: ClipboardContent, of offers: ClipboardOffers) {
        guard keepsHistory else { return }
        history.add(content, isSecret: offers.isSecret, at: time.date.millisecondsSince1970)
    }
}

extension ClipboardSkill {
    /// Runs while a phone watches. Where the window system says that something was copied, nothing is read in between: the owner of a large
    /// picture would be asked for all of it again and again.
    private func poll(_ notices: (any AsyncSequence<Void, Never> & Sendable)?) async {
        if let notices {
            // What was copied while the notices were begun may have come too early for them.
            guard await time.pause(for: interval) else { return }
            await look()
            for await _ in notices {
                noticed += 1
                await look()
            }
        }
        while !watchers.isEmpty, !Task.isCancelled {
            guard await time.pause(for: interval) else { return }
            await look()
        }
    }

    private func look() async {
        // Content that cannot be read now, the next look may read: no phone asked for this look, so no phone is told.
        guard let offers = try? await reader.offers() else { return }
        let content: ClipboardContent?
        do {
            content = try await reader.read(nil, of: offers)
        } catch is ClipboardError {
            content = nil
        } catch {
            return
        }
        let hash = fingerprint(of: content, offers)
        defer { lastSeen = hash }
        guard let lastSeen, lastSeen != hash else { return }
        if let content { remember(content, of: offers) }
        let setter = lastSet?.hash == hash ? lastSet?.by : nil
        lastSet = nil
        await tell(change(to: content, of: offers), besides: setter)
    }

    /// - Parameter content: Nil for what is larger than is read.
    private func fingerprint(of content: ClipboardContent?, _ offers: ClipboardOffers) -> Int {
        switch content {
        case .unknown?: return offers.hashValue
        case let content?: return content.fingerprint
        case nil:
            var hasher = Hasher()
            hasher.combine(offers)
            hasher.combine(noticed)
            return hasher.finalize()
        }
    }

    private func tell(_ change: [String: JSONValue], besides setter: String?) async {
        let devices = watchers.keys.filter { $0 != setter }
        let gone = await withTaskGroup(of: String?.self, returning: [String].self) { [outlet, time] group in
            for device in devices {
                group.addTask {
                    do {
                        let late = RemoteError.timeout(
                            id: "",
                            method: EventKind.clipboardChanged.name,
                            after: Self.sendTimeout
                        )
                        try await withTimeout(Self.sendTimeout, on: time, throwing: late) {
                            try await outlet.send(.clipboardChanged, change, to: device)
                        }
                        return nil
                    } catch RemoteError.notConnected {
                        return device
                    } catch {
                        // Too slow for this change, or the watching ends: neither makes it a stranger.
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { if let device = $1 { $0.append(device) } }
        }
        stopWatching(gone)
    }

    private func stopWatching(_ devices: [String]) {
        for device in devices { watchers[device] = nil }
        guard watchers.isEmpty else { return }
        polling?.cancel()
        polling = nil
    }
}

extension Activity.Kind {
    package static let clipboard = Activity.Kind(
        "clipboard",
        needs: .clipboard,
        words: "watches the clipboard",
        isShown: true
    )
}

extension ClipboardSkill: ActivityKeeper {
    package func activities() -> [Activity] {
        watchers.map { Activity(.clipboard, $0.key, device: $0.key, since: $0.value) }
    }

    package func end(_ id: Activity.ID) -> Bool {
        guard let activity = activities().first(where: { $0.id == id }) else { return false }
        stopWatching([activity.device])
        return true
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) {
        if rights.contains(.clipboard) { stopWatching([device]) }
    }
}
