package import CommandServer
import Commands
package import Foundation
import Kernel
package import Pictures
package import Rights

/// The clipboard of this computer. Source: `docs/protocol.md`, "Clipboard, screen and system".
package actor ClipboardSkill: RemoteSkill {
    static let watcherLimit = 16
    /// A phone that takes no more misses this change and learns of the next.
    static let sendTimeout: Duration = .seconds(5)

    let reader: ClipboardReader
    let fitter: PictureFitter
    private let sink: any RemoteEventSink
    private let observer: (any ActivityObserver)?
    private let keepsHistory: Bool
    private let interval: Duration
    private let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    private var history = ClipboardHistory()
    /// By device, with when each began.
    private var watchers: [String: Date] = [:]
    private var polling: Task<Void, Never>?
    /// A hash of what was there last, so that an image is not kept. Nil until the first look.
    private var lastSeen: Int?
    /// What a phone has put there itself is no news to it.
    private var lastSet: (hash: Int, by: String)?
    private var isStopped = false

    /// - Parameters:
    ///   - keepsHistory: Whether what the clipboard held is remembered, in memory. The person at the computer decides.
    ///   - interval: Between two looks at the clipboard while somebody watches it.
    package init(
        clipboard: any Clipboard,
        pictures: any PictureEncoder,
        sink: any RemoteEventSink,
        observer: (any ActivityObserver)? = nil,
        keepsHistory: Bool = false,
        interval: Duration = .seconds(1),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        reader = ClipboardReader(clipboard: clipboard)
        fitter = PictureFitter(encoder: pictures)
        self.sink = sink
        self.observer = observer
        self.keepsHistory = keepsHistory
        self.interval = interval
        self.clock = clock
        self.now = now
    }

    package nonisolated var methods: [RemoteMethod] {
        [
            method("clipboard.get") { params, _ in try await self.get(params) },
            method("clipboard.set") { try await self.set($0, $1) },
            method("clipboard.watch") { _, caller in try await self.watch(caller) },
            method("clipboard.unwatch") { _, caller in await self.unwatch(caller) },
            method("clipboard.getHistory") { params, _ in try await self.history(params) },
            method("clipboard.clearHistory") { _, _ in await self.clearHistory() },
        ]
    }

    /// Ends the watching.
    package func shutDown() async {
        isStopped = true
        watchers = [:]
        let polling = polling
        polling?.cancel()
        await polling?.value
    }

    var watcherCount: Int { watchers.count }

    private nonisolated func method(
        _ name: String,
        _ run: @escaping @Sendable (RemoteParameters, Caller) async throws -> JSONValue
    ) -> RemoteMethod {
        // Reading it is logged too: people copy passwords.
        RemoteMethod(name, risk: .mutating) { params, caller in
            try await RemoteFailure.answering { try await run(params, caller) }
        }
    }

    private func get(_ params: RemoteParameters) async throws -> JSONValue {
        let kind = try params.choice("type", of: ClipboardKind.self)
        let format = try params.choice("format", of: PictureFormat.self) ?? .png
        let (offers, content) = try await reader.read(kind)
        remember(content, of: offers)
        return try await answer(content, of: offers, asked: kind, imageFormat: format)
    }

    private func set(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let kind = try params.choice("type", of: ClipboardKind.self) ?? .text
        let content = try await newContent(kind, params)
        let bytes: [UInt8] =
            switch content {
            case .image(let picture): picture
            default: Array((content.text ?? "").utf8)
            }
        try await reader.clipboard.write(bytes, as: kind)
        let now = now().millisecondsSince1970
        lastSet = (content.fingerprint, caller.id)
        if keepsHistory { history.add(content, isSecret: false, at: now) }
        return [
            "ok": true, "success": true, "type": .string(kind.rawValue), "bytesWritten": .integer(Int64(bytes.count)),
            "timestamp": .integer(now),
        ]
    }

    private func watch(_ caller: Caller) throws -> JSONValue {
        guard watchers[caller.id] != nil || watchers.count < Self.watcherLimit else {
            throw ClipboardError.tooManyWatchers(limit: Self.watcherLimit)
        }
        if watchers[caller.id] == nil {
            let date = now()
            watchers[caller.id] = date
            observer?.began(Activity(.clipboard, caller.id, device: caller.id, since: date))
        }
        if polling == nil, !isStopped {
            lastSeen = nil
            polling = Task { await poll() }
        }
        return ["success": true, "status": "watching", "intervalMs": .integer(Int64(interval / .milliseconds(1)))]
    }

    private func unwatch(_ caller: Caller) -> JSONValue {
        stopWatching([caller.id])
        return ["success": true, "status": "stopped"]
    }

    private func history(_ params: RemoteParameters) throws -> JSONValue {
        let limit = try params.optionalInteger("limit", in: 1...Int64(ClipboardHistory.countLimit))
        let entries = JSONValue.array(history.newest(Int(limit ?? Int64(ClipboardHistory.countLimit))))
        return [
            "success": true, "enabled": .bool(keepsHistory), "history": entries, "items": entries,
            "total": .integer(Int64(history.count)),
        ]
    }

    private func clearHistory() -> JSONValue {
        history.clear()
        return ["success": true]
    }

    private func remember(_ content: ClipboardContent, of offers: ClipboardOffers) {
        guard keepsHistory else { return }
        history.add(content, isSecret: offers.isSecret, at: now().millisecondsSince1970)
    }
}

extension ClipboardSkill {
    /// Runs while somebody watches: the window systems' own notices need a client of ours, a look each second does not.
    private func poll() async {
        while !watchers.isEmpty, !Task.isCancelled {
            await look()
            do { try await clock.sleep(for: interval) } catch { return }
        }
    }

    private func look() async {
        // Whatever cannot be read now, the next look may read: nobody asked for this one, so nobody is told.
        guard let (offers, content) = try? await reader.read(nil) else { return }
        let hash = content == .unknown ? offers.hashValue : content.fingerprint
        defer { lastSeen = hash }
        guard let lastSeen, lastSeen != hash else { return }
        remember(content, of: offers)
        let setter = lastSet?.hash == hash ? lastSet?.by : nil
        lastSet = nil
        await tell(RemoteEvent(.clipboardChanged, change(to: content, of: offers)), besides: setter)
    }

    private func tell(_ event: RemoteEvent, besides setter: String?) async {
        let devices = watchers.keys.filter { $0 != setter }
        let gone = await withTaskGroup(of: String?.self, returning: [String].self) { [sink, clock] group in
            for device in devices {
                group.addTask {
                    do {
                        let late = RemoteError.timeout(id: "", method: event.name, after: Self.sendTimeout)
                        try await withTimeout(Self.sendTimeout, on: clock, throwing: late) {
                            try await sink.send(event, to: device)
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
