package import CommandServer
import Commands
package import Foundation
import Kernel
package import Pictures
package import Rights

/// Pictures of this computer's screen, small enough for an answer. Nothing is written to its disk, whatever a phone asks.
/// Source: `docs/protocol.md`, "Clipboard, screen and system".
package actor ScreenSkill: RemoteSkill {
    /// Each holds a whole screen in memory.
    static let captureLimit = 2
    /// A phone that took a picture so lately is said to be watching.
    static let watchLifetime: TimeInterval = 60
    private static let widths: ClosedRange<Int64> = 16...16_384

    private let screen: any Screen
    private let fitter: PictureFitter
    private let now: @Sendable () -> Date
    private var capturing = 0
    private let observer: (any ActivityObserver)?
    /// The devices that take pictures: when each began, and its last one.
    private var watchers: [String: (since: Date, last: Date)] = [:]

    package init(
        screen: any Screen,
        pictures: any PictureEncoder,
        observer: (any ActivityObserver)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.screen = screen
        self.observer = observer
        fitter = PictureFitter(encoder: pictures)
        self.now = now
    }

    package nonisolated var methods: [RemoteMethod] {
        [
            method("display.screenshot") { try await self.capture($0, $1) },
            method("screen.capture") { try await self.capture($0, $1) },
            method("display.list") { _, _ in try await self.list() },
        ]
    }

    private nonisolated func method(
        _ name: String,
        _ run: @escaping @Sendable (RemoteParameters, Caller) async throws -> JSONValue
    ) -> RemoteMethod {
        // Pictures of the screen can show private data, so they are audited.
        RemoteMethod(name, needs: .display, risk: .mutating) { params, caller in
            try await RemoteFailure.answering { try await run(params, caller) }
        }
    }

    private func list() async throws -> JSONValue {
        let displays = JSONValue.array(try await screen.displays().map(\.json))
        return ["success": true, "displays": displays, "total": .integer(Int64(displays.arrayValue?.count ?? 0))]
    }

    private func capture(_ params: RemoteParameters, _ caller: Caller) async throws -> JSONValue {
        let id = Int(try params.optionalInteger("displayId", in: 0...255) ?? 0)
        var wish = PictureFitter.Wish()
        wish.format = try format(params)
        wish.quality = Int(try params.optionalInteger("quality", in: 1...100) ?? 80)
        wish.maxWidth = try params.optionalInteger("maxWidth", in: Self.widths).map { Int($0) }
        let scale = try params.optionalNumber("scale", in: 0.01...1)
        let isCompact = try params.flag("compact")
        guard capturing < Self.captureLimit else { throw ScreenError.busy(limit: Self.captureLimit) }
        capturing += 1
        defer { capturing -= 1 }
        let picture = try await screen.capture(try await display(id))
        try Task.checkCancellation()
        noteWatcher(caller.id)
        if let scale {
            let width = try await fitter.encoder.dimensions(of: picture).width
            wish.maxWidth = min(wish.maxWidth ?? .max, max(1, Int(Double(width) * scale)))
        }
        let limit = AnswerSize.pictureBytes(copies: isCompact ? 1 : 2)
        let fitted = try await fitter.fit(picture, wish, within: limit)
        return answer(fitted.picture, original: fitted.original, wish: wish, displayID: id, isCompact: isCompact)
    }

    private func format(_ params: RemoteParameters) throws(RemoteFailure) -> PictureFormat {
        if try params.optionalText("format", limit: 8)?.lowercased() == "jpg" { return .jpeg }
        return try params.choice("format", of: PictureFormat.self) ?? .png
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

    /// The documented members and those of existing programs, with the size that the picture really has.
    private func answer(
        _ picture: EncodedPicture,
        original: PictureDimensions,
        wish: PictureFitter.Wish,
        displayID: Int,
        isCompact: Bool
    ) -> JSONValue {
        let text = Data(picture.bytes).base64EncodedString()
        let (width, height) = (Int64(picture.dimensions.width), Int64(picture.dimensions.height))
        let answer: JSONValue = [
            "success": true, "saved": false, "displayId": .integer(Int64(displayID)), "imageBase64": .string(text),
            "format": .string(picture.format.rawValue), "width": .integer(width), "height": .integer(height),
            "dimensions": ["width": .integer(width), "height": .integer(height)],
            "size": .integer(Int64(picture.bytes.count)), "scaled": .bool(picture.dimensions != original),
            "converted": .bool(picture.format != wish.format),
            "originalWidth": .integer(Int64(original.width)), "originalHeight": .integer(Int64(original.height)),
            "timestamp": .integer(now().millisecondsSince1970),
        ]
        guard !isCompact else { return answer }
        let both = answer.adding("data", .string(text))
        let all = both.adding("dataUrl", .string("data:\(picture.format.mimeType);base64,\(text)"))
        return AnswerSize.fits(all) ? all : both
    }
}

extension ScreenSkill: ActivityKeeper {
    private func noteWatcher(_ device: String) {
        let date = now()
        dropWatchers(at: date)
        let since = watchers[device]?.since
        watchers[device] = (since ?? date, date)
        if since == nil { observer?.began(Activity(.screen, device, device: device, since: date)) }
    }

    private func dropWatchers(at date: Date) {
        watchers = watchers.filter { abs(date.timeIntervalSince($0.value.last)) < Self.watchLifetime }
    }

    package func activities() -> [Activity] {
        dropWatchers(at: now())
        return watchers.map { Activity(.screen, $0.key, device: $0.key, since: $0.value.since) }
    }

    /// A picture is taken and gone: nothing goes on that could be ended. The right can be taken back.
    package func end(_ id: Activity.ID) -> Bool { false }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) {
        if rights.contains(.display) { watchers[device] = nil }
    }
}
