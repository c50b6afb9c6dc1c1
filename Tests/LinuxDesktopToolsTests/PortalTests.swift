import Foundation
import Kernel
import KernelTesting
import LinuxBus
import LinuxDesktopTesting
import RemoteInput
import RemoteInputHost
import Synchronization
import Testing

@testable import LinuxDesktopTools

/// The portal of a desktop, its second version, which a test plays.
private final class FakePortal: Sendable {
    struct Behaviour: Sendable {
        /// Of `Start`: 0 is yes. Nil: it never answers.
        var response: UInt32? = 0
        var devices: UInt32 = 3
        var available: UInt32 = 3
        var token: String? = "first"
    }

    static let session = "/org/freedesktop/portal/desktop/session/1_1/tandem"

    let program: BusProgram

    init(_ behaviour: Behaviour = Behaviour()) {
        program = BusProgram(PortalName.service) { message, connection in
            Self.answer(message, connection, behaviour)
        }
    }

    private static func answer(_ message: BusMessage, _ connection: BusConnection, _ behaviour: Behaviour) -> String {
        let member = message.member ?? ""
        switch member {
        case "Get":
            let name = [message.text(limit: 256), message.text(limit: 64)].compactMap(\.self).last ?? ""
            connection.answer(message, [.variant(.unsigned(name == "version" ? 2 : behaviour.available))])
            return "Get \(name)"
        case "CreateSession":
            let options = message.entries()
            respond(message, connection, options, 0, [.init("session_handle", .text(session))])
            return member
        case "SelectDevices":
            _ = message.path(limit: 256)
            let options = message.entries()
            respond(message, connection, options, 0, [])
            let shown = ["types", "persist_mode", "restore_token"].compactMap { name in
                options[name].map { "\(name)=\($0)" }
            }
            return ([member] + shown).joined(separator: " ")
        case "Start":
            _ = message.path(limit: 256)
            _ = message.text(limit: 256)
            var results: [BusArgument.Entry] = [.init("devices", .unsigned(behaviour.devices))]
            if let token = behaviour.token { results.append(.init("restore_token", .text(token))) }
            respond(message, connection, message.entries(), behaviour.response, results)
            return member
        case "Close":
            connection.answer(message, [])
            return member
        default:
            guard let types = portalEvents[member], message.path(limit: 256) == session else {
                connection.refuse(message, "org.freedesktop.DBus.Error.UnknownMethod", member)
                return "refused \(member)"
            }
            _ = message.entries()
            let call = "\(member) \(message.values(types))"
            connection.answer(message, [])
            return call
        }
    }

    private static func respond(
        _ message: BusMessage,
        _ connection: BusConnection,
        _ options: [String: String],
        _ response: UInt32?,
        _ results: [BusArgument.Entry]
    ) {
        let sender = (message.sender ?? "").dropFirst().split(separator: ".").joined(separator: "_")
        let path = "/org/freedesktop/portal/desktop/request/\(sender)/\(options["handle_token"] ?? "")"
        connection.answer(message, [.path(path)])
        guard let response else { return }
        connection.signal(
            "Response",
            of: PortalName.request,
            at: path,
            to: message.sender,
            [.unsigned(response), .dictionary(results)]
        )
    }
}

@Suite("Pointer and keyboard by a desktop's portal", .timeLimit(.minutes(4)))
struct PortalTests {
    /// What a phone is told.
    private final class Phone: Sendable {
        let ends = LatestValue<[InputEnd.Cause]>([])
        let questions = LatestValue(0)

        func opening(_ bus: SessionBus) -> InputOpening {
            InputOpening(
                phone: "Ada's phone",
                folder: bus.folder,
                asks: { _ in self.questions.update { $0 += 1 } },
                ended: { cause in self.ends.update { $0.append(cause) } }
            )
        }

        func ended() async -> InputEnd.Cause? {
            for await ends in ends.values() { if let end = ends.first { return end } }
            return nil
        }
    }

    /// A Wayland session whose compositor takes no virtual devices.
    private static func input(_ bus: SessionBus, time: any TimeSource = .system) -> LinuxInput {
        let session = ["WAYLAND_DISPLAY": "none", "XDG_RUNTIME_DIR": bus.folder.path]
        return LinuxInput(environment: bus.environment.merging(session) { $1 }, time: time)
    }

    private static func perform(_ device: any InputDevice, _ actions: [InputAction]) async -> InputError? {
        await withCheckedContinuation { continuation in
            device.begin(actions) { continuation.resume(returning: $0) }
        }
    }

    private static let actions: [InputAction] = [
        .move(dx: 1.5, dy: -2), .button(.right, isDown: true), .button(.right, isDown: false), .wheel(dx: 0, dy: -2),
        .wheel(dx: 0, dy: 0.5), .key(.named(.control), isDown: true), .key(.character("c"), isDown: true),
        .key(.character("c"), isDown: false), .key(.named(.control), isDown: false), .text("ä你\n"),
    ]
    /// What comes of these: the kernel's codes of buttons and named keys, and X11's numbers of letters.
    private static let events = [
        "NotifyPointerMotion 1.5 -2.0", "NotifyPointerButton 273 1", "NotifyPointerButton 273 0",
        "NotifyPointerAxisDiscrete 0 -2", "NotifyPointerAxis 0.0 7.5", "NotifyKeyboardKeycode 29 1",
        "NotifyKeyboardKeysym 99 1", "NotifyKeyboardKeysym 99 0", "NotifyKeyboardKeycode 29 0",
        "NotifyKeyboardKeysym 228 1", "NotifyKeyboardKeysym 228 0", "NotifyKeyboardKeysym 16797536 1",
        "NotifyKeyboardKeysym 16797536 0", "NotifyKeyboardKeysym 65293 1", "NotifyKeyboardKeysym 65293 0",
    ]

    @Test(
        "events come in their order; a permission is kept for its owner alone, and forgotten when the person ends the session there"
    )
    func events() async throws {
        try await SessionBus.running { bus in
            let portal = FakePortal()
            try await portal.program.start(on: bus)
            let input = Self.input(bus)
            #expect(try await input.way() == "portal")
            let first = try await input.open(Phone().opening(bus))
            #expect(first.facts == InputDeviceFacts(way: "portal", typesText: true, stopKey: nil, places: false))
            #expect(await Self.perform(first, Self.actions) == nil)
            #expect(portal.program.calls.filter { $0.hasPrefix("Notify") } == Self.events)
            #expect(portal.program.calls.contains("SelectDevices types=3 persist_mode=2"))
            await first.close()
            await portal.program.waits(for: "Close")
            let file = bus.folder.appending(path: "portal-token").path
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "first")
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)

            let phone = Phone()
            let second = try await input.open(phone.opening(bus))
            #expect(portal.program.calls.contains("SelectDevices types=3 persist_mode=2 restore_token=first"))
            // A program that is not the portal ends nothing.
            let liar = BusProgram("org.example.Liar") { _, _ in "" }
            try await liar.start(on: bus)
            liar.emit("Closed", of: PortalName.session, at: FakePortal.session, .dictionary([]))
            portal.program.emit("Closed", of: PortalName.session, at: FakePortal.session + "2", .dictionary([]))
            #expect(await Self.perform(second, [.move(dx: 1, dy: 1)]) == nil)
            #expect(phone.ends.value == [])
            portal.program.emit("Closed", of: PortalName.session, at: FakePortal.session, .dictionary([]))
            #expect(await phone.ended() == .owner)
            await second.close()
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(phone.ends.value == [.owner])
            liar.stop()
            portal.program.stop()
        }
    }

    @Test("a portal that goes away ends the control")
    func lost() async throws {
        try await SessionBus.running { bus in
            let portal = FakePortal()
            try await portal.program.start(on: bus)
            let phone = Phone()
            let device = try await Self.input(bus).open(phone.opening(bus))
            portal.program.stop()
            #expect(await phone.ended() == .failed)
            #expect(await Self.perform(device, [.move(dx: 1, dy: 1)]) != nil)
            await device.close()
        }
    }

    @Test(
        "a person who says no, and one who allows a part, is told as that",
        arguments: [
            (FakePortal.Behaviour(response: 1), "did not allow it"),
            (FakePortal.Behaviour(response: 2), "ended its question"),
            (FakePortal.Behaviour(devices: 1), "only a part"),
        ]
    )
    fileprivate func declined(behaviour: FakePortal.Behaviour, words: String) async throws {
        try await SessionBus.running { bus in
            let portal = FakePortal(behaviour)
            try await portal.program.start(on: bus)
            let failure = await #expect(throws: InputError.self) {
                try await Self.input(bus).open(Phone().opening(bus))
            }
            guard case .declined(let reason)? = failure else { throw SessionBus.Failure(message: "\(failure as Any)") }
            #expect(reason.contains(words))
            portal.program.stop()
        }
    }

    @Test("the phone is told that the person is asked; without an answer, and where the phone goes, the question ends")
    func unanswered() async throws {
        try await SessionBus.running { bus in
            let portal = FakePortal(.init(response: nil))
            try await portal.program.start(on: bus)
            let clock = ManualClock()
            let phone = Phone()
            let input = Self.input(bus, time: clock)
            let opening = Task { try await input.open(phone.opening(bus)) }
            // The question stands once its time runs; the phone is told a second after it began.
            await clock.sleeper(for: .seconds(1))
            await clock.sleeper(for: PortalInput.patience)
            clock.advance(by: .seconds(2))
            for await questions in phone.questions.values() where questions == 1 { break }
            opening.cancel()
            await #expect(throws: CancellationError.self) { try await opening.value }
            let again = Task { try await input.open(phone.opening(bus)) }
            await clock.sleeper(for: PortalInput.patience)
            clock.advance(by: PortalInput.patience)
            await #expect(
                throws: InputError.declined(
                    reason:
                        "Nobody answered the question of the computer's desktop. Ask the person there, and try again."
                )
            ) { try await again.value }
            portal.program.stop()
        }
    }

    @Test("without any way the sentence says why each is none")
    func none() async throws {
        try await SessionBus.running { bus in
            let portal = FakePortal(.init(available: 1))
            try await portal.program.start(on: bus)
            guard !KernelInput.isAllowed else { return }
            let failure = await #expect(throws: (any Error).self) { try await Self.input(bus).way() }
            let words = "\(failure.map { "\($0)" } ?? "")"
            for part in ["Wayland compositor", "has no portal", "/dev/uinput"] { #expect(words.contains(part)) }
            portal.program.stop()
        }
    }

    @Test("while a phone controls a Wayland session a notification there says so, and its button ends it")
    func stopNotice() async throws {
        try await SessionBus.running { bus in
            let portal = FakePortal()
            try await portal.program.start(on: bus)
            let name = "org.freedesktop.Notifications"
            let notices = BusProgram(name) { message, connection in
                switch message.member {
                case "GetCapabilities": connection.answer(message, [.texts(["body", "actions"])])
                case "Notify":
                    let text = message.values("suss")
                    let words = message.text(limit: 256) ?? ""
                    let actions = message.texts(count: 8, limit: 64) ?? []
                    connection.answer(message, [.unsigned(7)])
                    return "Notify \(text)|\(words)|\(actions.joined(separator: ","))"
                case "CloseNotification":
                    let call = "CloseNotification \(message.values("u"))"
                    connection.answer(message, [])
                    return call
                default: break
                }
                return message.member ?? ""
            }
            try await notices.start(on: bus)
            let phone = Phone()
            let device = try await Self.input(bus).open(phone.opening(bus))
            #expect(
                notices.calls.last
                    == """
                    Notify Tandem 0  Ada's phone controls this computer|It moves the pointer and types. A press ends it, and \
                    so does: tandem input stop|default,Stop,stop,Stop
                    """
            )
            for (id, key) in [(UInt32(8), "stop"), (7, "other")] {
                notices.emit("ActionInvoked", of: name, at: "/org/freedesktop/Notifications", .unsigned(id), .text(key))
            }
            #expect(await Self.perform(device, [.move(dx: 1, dy: 1)]) == nil)
            #expect(phone.ends.value == [])
            notices.emit("ActionInvoked", of: name, at: "/org/freedesktop/Notifications", .unsigned(7), .text("stop"))
            #expect(await phone.ended() == .owner)
            await device.close()
            await notices.waits(for: "CloseNotification 7")
            notices.stop()
            portal.program.stop()
        }
    }

    @Test("mako shows the notification in a session of sway, and a press on it ends the control")
    func mako() async throws {
        try await WaylandServer.run { screen in
            try await SessionBus.running { bus in
                let session = screen.filter { ["WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"].contains($0.key) }
                let environment = bus.environment.merging(session) { $1 }
                try await bus.program(["mako"], environment: environment) {
                    try await Self.named("org.freedesktop.Notifications", on: bus)
                    let phone = Phone()
                    let device = try await LinuxInput(environment: environment).open(phone.opening(bus))
                    #expect(device.facts.way == "wlroots")
                    let shown = try await bus.run("makoctl", "list", environment: environment)
                    #expect(shown.contains("Ada's phone controls this computer"))
                    try await bus.run("makoctl", "invoke", environment: environment)
                    #expect(await phone.ended() == .owner)
                    await device.close()
                    let rest = try await bus.run("makoctl", "list", environment: environment)
                    #expect(!rest.contains("controls this computer"))
                }
            }
        }
    }

    @Test("the real xdg-desktop-portal passes on what is asked, done and ended, to a desktop that a test plays")
    func frontend() async throws {
        let program = "/usr/libexec/xdg-desktop-portal"
        try #require(FileManager.default.isExecutableFile(atPath: program), "bin/setup --tests brings it")
        try await SessionBus.running { bus in
            let desktop = FakeDesktop()
            try await desktop.program.start(on: bus)
            let environment = try desktop.environment(bus)
            try await bus.program(["env", program], environment: environment) {
                try await Self.named(PortalName.service, on: bus)
                let input = Self.input(bus)
                #expect(try await input.way() == "portal")
                let phone = Phone()
                let device = try await input.open(phone.opening(bus))
                #expect(desktop.program.calls.contains("SelectDevices types=3"))
                #expect(await Self.perform(device, Self.actions) == nil)
                // The portal answers before its desktop has the event.
                if let last = Self.events.last { await desktop.program.waits(for: last) }
                let events = desktop.program.calls.filter { $0.hasPrefix("Notify") }
                #expect(events == Self.events)
                desktop.endSession()
                #expect(await phone.ended() == .owner)
                await device.close()

                desktop.answer(1)
                let failure = await #expect(throws: InputError.self) { try await input.open(phone.opening(bus)) }
                #expect(failure?.description.contains("did not allow it") == true)
                desktop.answer(0)
                let again = try await input.open(phone.opening(bus))
                await again.close()
                await desktop.program.waits(for: "Close")
            }
            desktop.program.stop()
        }
    }

    /// Waits until a program has the name.
    private static func named(_ name: String, on bus: SessionBus) async throws {
        let names = LatestValue<Set<String>>([])
        let connection = BusConnection(
            queue: DispatchQueue(label: "tandem.test.names"),
            handle: { message in
                guard message.member == "NameOwnerChanged", let name = message.text(limit: 255) else { return }
                names.update { $0.insert(name) }
            },
            ended: { _ in }
        )
        try await connection.open(bus.address)
        try await connection.call(.bus("AddMatch", .text("type='signal',member='NameOwnerChanged'")))
        let has = try await connection.call(.bus("NameHasOwner", .text(name))) { $0.number("b", Int32.self) }
        if has == 0 { for await all in names.values() where all.contains(name) { break } }
        connection.close()
    }
}

/// A desktop's half behind the real portal, which a test plays. Source: `org.freedesktop.impl.portal.RemoteDesktop`.
private final class FakeDesktop: Sendable {
    private static let name = "org.freedesktop.impl.portal.desktop.tandemtest"
    private static let interface = "org.freedesktop.impl.portal.RemoteDesktop"

    let program: BusProgram
    private let session: LatestValue<String>
    private let response: LatestValue<UInt32>

    init() {
        let session = LatestValue("")
        let response = LatestValue(UInt32(0))
        self.session = session
        self.response = response
        program = BusProgram(Self.name) { message, connection in
            let member = message.member ?? ""
            switch member {
            case "GetAll":
                let all: [BusArgument.Entry] = [
                    .init("AvailableDeviceTypes", .unsigned(7)), .init("version", .unsigned(2)),
                ]
                connection.answer(message, [.dictionary(message.text(limit: 256) == Self.interface ? all : [])])
            case "CreateSession", "SelectDevices", "Start":
                _ = message.path(limit: 512)
                session.update { $0 = message.path(limit: 512) ?? "" }
                _ = message.text(limit: 256)
                if member == "Start" { _ = message.text(limit: 256) }
                let options = message.entries()
                let results: [BusArgument.Entry] = member == "Start" ? [.init("devices", .unsigned(3))] : []
                connection.answer(
                    message,
                    [.unsigned(member == "Start" ? response.value : 0), .dictionary(results)]
                )
                return options["types"].map { "\(member) types=\($0)" } ?? member
            case let event where portalEvents[event] != nil:
                _ = message.path(limit: 512)
                _ = message.entries()
                let call = "\(event) \(message.values(portalEvents[event] ?? ""))"
                connection.answer(message, [])
                return call
            case "Close": connection.answer(message, [])
            default: connection.refuse(message, "org.freedesktop.DBus.Error.UnknownMethod", member)
            }
            return member
        }
    }

    /// What the person says from now on: 0 is yes, 1 is no.
    func answer(_ response: UInt32) { self.response.update { $0 = response } }

    /// The person ends the session at the desktop.
    func endSession() {
        program.emit("Closed", of: "org.freedesktop.impl.portal.Session", at: session.value)
    }

    /// The environment in which the portal finds this desktop.
    func environment(_ bus: SessionBus) throws -> [String: String] {
        let folder = bus.folder.appending(path: "portals")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = "[portal]\nDBusName=\(Self.name)\nInterfaces=\(Self.interface);\nUseIn=tandemtest\n"
        try Data(text.utf8).write(to: folder.appending(path: "tandemtest.portal"))
        let more = [
            "XDG_DESKTOP_PORTAL_DIR": folder.path, "XDG_CURRENT_DESKTOP": "tandemtest",
            "XDG_RUNTIME_DIR": bus.folder.path,
            "XDG_DATA_HOME": bus.folder.path,
        ]
        return bus.environment.merging(more) { $1 }
    }
}
