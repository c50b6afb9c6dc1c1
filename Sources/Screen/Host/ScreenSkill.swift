package import Capabilities
package import CommandServer
import Commands
import Foundation
package import Kernel
package import Pictures
package import Rights
import Screen

/// Pictures of this computer's screen, small enough for an answer. No request of a phone writes to its disk.
/// Source: `docs/protocol.md`, "Clipboard, screen and system".
package actor ScreenSkill: CommandFeature {
    package static let manifest = FeatureManifest("screen", rights: [.display])

    /// Each holds a whole screen in memory.
    static let captureLimit = 2
    /// A phone that took a picture so lately is said to be watching.
    static let watchLifetime: TimeInterval = 60

    private let screen: any ScreenAccess
    private let fitter: PictureFitter
    private let time: any TimeSource
    private let observer: (any ActivityObserver)?
    private let views: LiveViews?
    private let doctor: @Sendable () async -> [DoctorCheck]
    private var capturing = 0
    /// The devices that take pictures: when each began, and its last one.
    private var watchers: [String: (since: Date, last: Date)] = [:]

    /// - Parameters:
    ///   - outlet: For live views; nil: there are none.
    ///   - checks: Of the screen, for the person who looks after this computer.
    package init(
        screen: any ScreenAccess,
        pictures: any PictureEncoder,
        outlet: (any DeviceOutlet)? = nil,
        observer: (any ActivityObserver)? = nil,
        time: any TimeSource = .system,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) {
        self.screen = screen
        self.observer = observer
        fitter = PictureFitter(encoder: pictures)
        self.time = time
        views = outlet.map { LiveViews(outlet: $0, time: time) }
        doctor = checks
    }

    /// - Parameter checks: Of the screen, for the person who looks after this computer.
    package static func maker(
        screen: any ScreenAccess,
        pictures: any PictureEncoder,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { context in
            ScreenSkill(
                screen: screen,
                pictures: pictures,
                outlet: context.outlet,
                observer: context.observer,
                time: context.time,
                checks: checks
            )
        }
    }

    package nonisolated var keeper: (any ActivityKeeper)? { self }

    package nonisolated var methods: [RemoteMethod] {
        ScreenMethods.screenshot.served { try await self.capture($0, $1) }
            + ScreenMethods.list.served { _, _ in Displays(try await self.screen.displays()) }
            + ScreenMethods.watch.served { try await self.watch($0, $1) }
            + ScreenMethods.unwatch.served { choice, caller in
                self.views?.end(.closed) { $0.id == choice.view && $0.device == caller.id }
                return Done()
            }
    }

    package nonisolated var frames: [FrameRoute] {
        [FrameRoute(firstByte: ScreenFrame.firstByte) { [views] in views?.request($0) }]
    }

    package func close() async { await views?.close() }

    private func watch(_ query: ScreenViewQuery, _ caller: Caller) async throws -> ScreenViewOpened {
        // Its pictures are frames, which a session alone has.
        guard let views, caller.proof == .session else { throw ToolError.unsupported(purpose: "A live view") }
        let opened = try await views.open(query, for: caller.id) { [screen] in
            try await screen.open(try await self.display(query.displayID))
        }
        dropWatchers(at: time.date)
        // One that takes pictures as well was told of when it began to.
        if watchers[caller.id] == nil, views.devices.count(where: { $0.device == caller.id }) == 1 {
            observer?.began(Activity(.screen, caller.id, device: caller.id, since: time.date))
        }
        return opened
    }

    package nonisolated func checks() async -> [DoctorCheck] { await doctor() }

    private func capture(_ query: ScreenshotQuery, _ caller: Caller) async throws -> Screenshot {
        guard capturing < Self.captureLimit else { throw ScreenError.busy(limit: Self.captureLimit) }
        capturing += 1
        defer { capturing -= 1 }
        let picture = try await screen.capture(try await display(query.displayID))
        try Task.checkCancellation()
        noteWatcher(caller.id)
        var wish = PictureFitter.Wish(format: query.format, quality: query.quality, maxWidth: query.maxWidth)
        if let scale = query.scale {
            let width = try await fitter.encoder.dimensions(of: picture).width
            wish.maxWidth = min(wish.maxWidth ?? .max, max(1, Int(Double(width) * scale)))
        }
        let limit = AnswerSize.pictureBytes(copies: query.isCompact ? 1 : 2)
        let (fitted, original) = try await fitter.fit(picture, wish, within: limit)
        var answer = Screenshot(
            bytes: fitted.bytes,
            format: fitted.format,
            dimensions: fitted.dimensions,
            original: original,
            isConverted: fitted.format != wish.format,
            displayID: query.displayID,
            timestamp: time.date.millisecondsSince1970,
            copies: query.isCompact ? .one : .three
        )
        if !query.isCompact, !AnswerSize.fits(answer.wire) { answer.copies = .two }
        return answer
    }

    /// Nil where displays cannot be listed: then the first one is all there is.
    private func display(_ id: Int) async throws -> Display? {
        let displays: [Display]
        do {
            displays = try await screen.displays()
        } catch is ToolError where id == 0 {
            return nil  // what stops the picture too will say so then
        }
        guard displays.indices.contains(id) else { throw ScreenError.noSuchDisplay(id, count: displays.count) }
        return displays[id]
    }
}

extension Activity.Kind {
    package static let screen = Activity.Kind(
        "screen",
        needs: .display,
        words: "takes pictures of the screen",
        isShown: true
    )
}

extension ScreenSkill: ActivityKeeper {
    private func noteWatcher(_ device: String) {
        let date = time.date
        dropWatchers(at: date)
        let since = watchers[device]?.since
        watchers[device] = (since ?? date, date)
        if since == nil { observer?.began(Activity(.screen, device, device: device, since: date)) }
    }

    private func dropWatchers(at date: Date) {
        watchers = watchers.filter { abs(date.timeIntervalSince($0.value.last)) < Self.watchLifetime }
    }

    package func activities() -> [Activity] {
        dropWatchers(at: time.date)
        var since = watchers.mapValues(\.since)
        for (device, began) in views?.devices ?? [] { since[device] = min(since[device] ?? began, began) }
        return since.map { Activity(.screen, $0.key, device: $0.key, since: $0.value) }
    }

    /// Ends the live views of its device. A picture is taken and gone: there nothing goes on that could be ended. The right can be taken back.
    package func end(_ id: Activity.ID) -> Bool {
        guard let views, let device = activities().first(where: { $0.id == id })?.device,
            views.end(.closed, where: { $0.device == device })
        else { return false }
        watchers[device] = nil
        return true
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) {
        guard rights.contains(.display) else { return }
        views?.end(.notAllowed) { $0.device == device }
        watchers[device] = nil
    }
}
