package import Capabilities
package import CommandServer
import Commands
package import Control
package import Foundation
package import Kernel
package import Logging
import RemoteInput
package import Rights
import Storage

/// This computer's pointer and keyboard, in the hand of one phone at a time. Source: `docs/protocol.md`, "Remote input".
package actor RemoteInputSkill: CommandFeature {
    package static let manifest = FeatureManifest("remote-input", rights: [.screenControl])

    /// A phone that is heard no more holds nothing down after this.
    static let holdLimit = Duration.seconds(3)
    /// A phone that is heard no more has no control after this.
    static let silenceLimit = Duration.seconds(15)
    private static let lookInterval = Duration.seconds(1)
    /// A screen may be turned or plugged in while it is controlled.
    private static let areasLifetime = Duration.seconds(10)
    /// A file in the feature's folder, which is there while a control is open: a program that starts and finds it lets go of what the one
    /// before held down.
    private static let marker = "open"

    private struct Session {
        let id: String
        let device: String
        let name: String
        let since: Date
        let input: any InputDevice
        var held = HeldInput()
        var next: Int64 = 1
        var lastHeard: ContinuousClock.Instant
    }

    private let access: any InputAccess
    private let outlet: any DeviceOutlet
    private let observer: (any ActivityObserver)?
    private let time: any TimeSource
    private let folder: @Sendable () throws -> URL
    private let logger: Logger
    private let makeID: @Sendable () -> String
    private let tasks = OwnedTasks()
    private var session: Session?
    /// The phone whose opening is under way: one after the other, and a person may have to be asked.
    private var opening: String?
    private var areas: [InputArea] = []
    private var areasExpiry: ContinuousClock.Instant?
    private var isStopped = false

    package init(
        access: any InputAccess,
        outlet: any DeviceOutlet,
        observer: (any ActivityObserver)? = nil,
        time: any TimeSource = .system,
        folder: @escaping @Sendable () throws -> URL,
        logger: Logger,
        makeID: @escaping @Sendable () -> String = { UUID.randomText() }
    ) {
        self.access = access
        self.outlet = outlet
        self.observer = observer
        self.time = time
        self.folder = folder
        self.logger = logger
        self.makeID = makeID
    }

    /// - Parameter access: This system's pointer and keyboard.
    package static func maker(access: any InputAccess) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { context in
            RemoteInputSkill(
                access: access,
                outlet: context.outlet,
                observer: context.observer,
                time: context.time,
                folder: { try context.storage.folder() },
                logger: context.logger
            )
        }
    }

    package nonisolated var methods: [RemoteMethod] {
        [
            InputMethods.open.served { try await self.open($0, for: $1) },
            InputMethods.send.served { try await self.send($0, for: $1) },
            InputMethods.close.served { try await self.close($0, for: $1) },
        ].flatMap(\.self)
    }

    package nonisolated var keeper: (any ActivityKeeper)? { self }

    package nonisolated var controlRoutes: [ControlRoute] {
        [
            ControlRoute(InputControl.state) { _ in await self.state() },
            ControlRoute(InputControl.stop) { _ in InputControl.Stopped(phone: await self.end(.owner)) },
        ]
    }

    package nonisolated func checks() async -> [DoctorCheck] {
        [
            await .finding("Remote input") {
                let way = try await self.access.way()
                return ("by \(way)", "inputWay", ["way": .string(way)])
            }
        ]
    }

    /// Lets go of what a program that was killed held down.
    package func run() async {
        guard let file = markerFile, FileManager.default.fileExists(atPath: file.path), session == nil else { return }
        await access.recover()
        if session == nil { setMarker(false) }
        logger.notice("remote input of a program that was killed let go of")
    }

    package func close() async {
        isStopped = true
        await end(.stopped)
        await tasks.end()
    }

    // MARK: Methods

    private func open(_ params: OpenInput, for caller: Caller) async throws -> InputOpened {
        if let session, session.device != caller.id, !params.takesOver { return .held(by: session.name) }
        guard opening == nil, !isStopped else { return .held(by: opening ?? session?.name ?? "") }
        opening = caller.name
        defer { opening = nil }
        await end(.taken, by: session?.device == caller.id ? nil : caller.name)
        let id = makeID()
        setMarker(true)
        let input: any InputDevice
        do {
            input = try await access.open(
                InputOpening(
                    phone: caller.name,
                    folder: try folder(),
                    asks: { limit in self.tasks.add { await self.tellAsked(limit, caller.id) } },
                    ended: { cause in self.tasks.add { await self.ended(id, cause) } }
                )
            )
        } catch {
            setMarker(false)
            throw error
        }
        areas = (try? await access.areas()) ?? []  // without them no place can be named, and moving works
        areasExpiry = time.now + Self.areasLifetime
        // A phone that lost its right meanwhile has its call cancelled, and no session yet that could have been ended.
        guard !Task.isCancelled, !isStopped else {
            await input.close()
            setMarker(false)
            throw CancellationError()
        }
        let session = Session(
            id: id,
            device: caller.id,
            name: caller.name,
            since: time.date,
            input: input,
            lastHeard: time.now
        )
        self.session = session
        observer?.began(Self.activity(of: session))
        tasks.add { await self.watch(id) }
        return .open(
            InputSessionFacts(
                sessionID: id,
                way: input.facts.way,
                typesText: input.facts.typesText,
                stopKey: input.facts.stopKey,
                silence: Self.silenceLimit.components.seconds,
                places: input.facts.places
            )
        )
    }

    private func send(_ batch: InputBatch, for caller: Caller) async throws -> InputTaken {
        guard var session, session.id == batch.sessionID, session.device == caller.id else {
            throw InputError.noSession
        }
        guard batch.first <= session.next else { throw InputError.outOfOrder(expected: session.next) }
        let new = batch.events.dropFirst(Int(min(session.next - batch.first, Int64(batch.events.count))))
        var actions: [InputAction] = []
        for case let event? in new {
            guard case .place(let x, let y, let display) = event else {
                actions += session.held.actions(of: event)
                continue
            }
            guard session.input.facts.places else { throw InputError.noPlaces }
            guard areas.indices.contains(display) else {
                learnAreas()
                throw InputError.noSuchDisplay(display)
            }
            actions.append(place(x, y, areas[display]))
            if let areasExpiry, time.now >= areasExpiry { learnAreas() }
        }
        session.next += Int64(new.count)
        session.lastHeard = time.now
        self.session = session
        let taken = InputTaken(last: session.next - 1, unknown: new.count { $0 == nil })
        guard !actions.isEmpty else { return taken }
        // Handed over before anything is waited for, so that batches keep their order.
        let failure = await withCheckedContinuation { continuation in
            session.input.begin(actions) { continuation.resume(returning: $0) }
        }
        if let failure { throw failure }
        return taken
    }

    private func close(_ choice: InputSessionChoice, for caller: Caller) async throws -> Done {
        guard let session, session.id == choice.sessionID, session.device == caller.id else { return Done() }
        await end(.phone)
        return Done()
    }

    /// Tells a phone that the person at the computer has to say yes first.
    private func tellAsked(_ limit: Duration, _ device: String) async {
        do {
            try await outlet.send(.inputAsked, ["seconds": .integer(limit.components.seconds)], to: device)
        } catch {
            // Its call is still answered, or ends with the phone's time.
            logger.debug("phone not told that the person is asked")
        }
    }

    /// Within its display, whatever was asked for.
    private func place(_ x: Double, _ y: Double, _ area: InputArea) -> InputAction {
        let right = Double(max(0, area.width - 1))
        let bottom = Double(max(0, area.height - 1))
        return .place(
            x: Double(area.x) + min(max(0, x), right),
            y: Double(area.y) + min(max(0, y), bottom),
            whole: InputArea(around: areas)
        )
    }

    private func learnAreas() {
        areasExpiry = time.now + Self.areasLifetime
        tasks.add { [access] in
            // What is not known stays so, and the next place that is asked for looks again.
            if let areas = try? await access.areas() { await self.know(areas) }
        }
    }

    private func know(_ areas: [InputArea]) { self.areas = areas }

    // MARK: The end

    /// Lets go of what is held down, ends the control, and tells its phone.
    ///
    /// - Parameter by: The name of the phone that takes over.
    /// - Returns: The name of the phone whose control ended; nil where there was none.
    @discardableResult
    private func end(_ cause: InputEnd.Cause, by: String? = nil) async -> String? {
        guard var session else { return nil }
        self.session = nil
        let actions = session.held.release()
        if !actions.isEmpty {
            await withCheckedContinuation { continuation in
                // A way that failed holds nothing any more.
                session.input.begin(actions) { _ in continuation.resume() }
            }
        }
        logger.notice("remote input ended", metadata: ["cause": "\(cause.rawValue)"])
        await session.input.close()
        if self.session == nil, opening == nil { setMarker(false) }
        guard cause != .phone else { return session.name }
        let end = InputEnd(sessionID: session.id, cause: cause, by: by)
        let tell = { @Sendable [outlet, logger, device = session.device] in
            do {
                try await outlet.send(.inputEnded, end.members, to: device)
            } catch {
                // It is away, or lost the right; either way it finds out with its next batch.
                logger.debug("phone not told of the end of its control")
            }
        }
        // The program goes: the phone is told while there is a way to it.
        if cause == .stopped {
            _ = await endsWithin(.seconds(1), on: time) { await tell() }
        } else {
            tasks.add(tell)
        }
        return session.name
    }

    private func ended(_ id: String, _ cause: InputEnd.Cause) async {
        if session?.id == id { await end(cause) }
    }

    /// Looks after a session whose phone may go without a word.
    private func watch(_ id: String) async {
        while await time.pause(for: Self.lookInterval), var session, session.id == id {
            let silence = time.now - session.lastHeard
            if silence >= Self.silenceLimit {
                await end(.silence)
            } else if silence >= Self.holdLimit, !session.held.isEmpty {
                let actions = session.held.release()
                self.session = session
                session.input.begin(actions) { _ in }
            }
        }
    }

    // MARK: What is shown

    private func state() async -> InputControl.State {
        if let session {
            return InputControl.State(
                phone: session.name,
                since: session.since.millisecondsSince1970,
                way: session.input.facts.way,
                reason: nil,
                stopKey: session.input.facts.stopKey
            )
        }
        do {
            let way = try await access.way()
            return InputControl.State(phone: nil, since: nil, way: way, reason: nil, stopKey: nil)
        } catch {
            return InputControl.State(phone: nil, since: nil, way: nil, reason: "\(error)", stopKey: nil)
        }
    }

    private var markerFile: URL? {
        do {
            return try folder().appendingPathComponent(Self.marker)
        } catch {
            logger.error("folder of remote input not made", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private func setMarker(_ isOpen: Bool) {
        guard let file = markerFile else { return }
        if isOpen {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        } else {
            // Where it is not there, nothing has to be taken away.
            try? FileManager.default.removeItem(at: file)
        }
    }
}

extension Activity.Kind {
    package static let screenControl = Activity.Kind(
        "screen-control",
        needs: .screenControl,
        words: "controls the pointer and the keyboard",
        isShown: true
    )
}

extension RemoteInputSkill: ActivityKeeper {
    private static func activity(of session: Session) -> Activity {
        Activity(.screenControl, session.id, device: session.device, since: session.since)
    }

    package func activities() -> [Activity] { session.map { [Self.activity(of: $0)] } ?? [] }

    package func end(_ id: Activity.ID) async -> Bool {
        guard let session, Self.activity(of: session).id == id else { return false }
        return await end(.owner) != nil
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) async {
        if rights.contains(.screenControl), session?.device == device { await end(.right) }
    }
}
