import Foundation
import Kernel
import LinuxDesktopTesting
import RemoteInput
import RemoteInputHost
import Subprocess
import Testing

@testable import LinuxDesktopTools

@Suite("Pointer and keyboard", .timeLimit(.minutes(5)))
struct LinuxInputTests {
    /// Waits until a text was written.
    private typealias Waiting = @Sendable (_ wanted: String) async throws -> Void

    /// Runs a program that writes what its window is told, while `body` runs, which waits for what it writes.
    private static func watched(
        _ program: [String] = ["xev", "-geometry", "1280x800+0+0"],
        ready: String = "MapNotify",
        in environment: [String: String],
        _ body: @escaping @Sendable (_ until: @escaping Waiting) async throws -> Void
    ) async throws {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        let variables = environment.compactMap { name, value in
            Subprocess.Environment.Key(rawValue: name).map { ($0, value) }
        }
        _ = try await Subprocess.run(
            // A program that writes to no terminal would keep what it writes.
            .name("stdbuf"),
            arguments: Arguments(["-oL"] + program),
            environment: .custom(Dictionary(variables, uniquingKeysWith: { first, _ in first })),
            platformOptions: options,
            input: .none,
            output: .sequence,
            error: .discarded
        ) { execution in
            let said = LatestValue("")
            let reading = Task {
                for try await line in execution.standardOutput.strings() { said.update { $0 += line + "\n" } }
            }
            let until: Waiting = { wanted in
                for await text in said.values() where text.contains(wanted) { return }
            }
            try await until(ready)
            try await body(until)
            reading.cancel()
            await execution.teardown(using: options.teardownSequence)
        }
    }

    private static func open(
        _ input: LinuxInput,
        _ phone: String,
        ended: @escaping @Sendable (InputEnd.Cause) -> Void
    ) async throws -> any InputDevice {
        try await input.open(InputOpening(phone: phone, folder: FileManager.default.temporaryDirectory, ended: ended))
    }

    private static func perform(_ device: any InputDevice, _ actions: [InputAction]) async -> InputError? {
        await withCheckedContinuation { continuation in
            device.begin(actions) { continuation.resume(returning: $0) }
        }
    }

    private static func tap(_ key: InputKey) -> [InputAction] { [.key(key, isDown: true), .key(key, isDown: false)] }

    @Test("a map of keys that is made anew has every letter that is typed next, also those of the one before")
    func lettersOfTwoMaps() {
        var keys = WaylandKeys()
        let letters = (0..<2 * UInt32(keys.room)).map { KeySymbol(0x0100_4E00 + $0) }
        let before = keys.learn(Array(letters.prefix(keys.room)))
        let next = letters.dropFirst(keys.room / 2).prefix(keys.room)
        let now = keys.learn(Array(next))
        #expect(before && now)
        #expect(next.allSatisfy { keys.code(of: $0) != nil })
        #expect(Set(next.compactMap { keys.code(of: $0) }).count == next.count)
    }

    @Test("a program of the X server gets clicks where they were, the wheel, and text of any letters")
    func typing() async throws {
        try await XServer.run { environment in
            let input = LinuxInput(environment: environment)
            #expect(try await input.way() == "x11")
            let areas = try await input.areas()
            #expect(areas == [InputArea(x: 0, y: 0, width: 1280, height: 800)])
            try await Self.watched(in: environment) { until in
                let device = try await Self.open(input, "Ada's phone 手机") { _ in }
                #expect(
                    device.facts
                        == InputDeviceFacts(way: "x11", typesText: true, stopKey: "Ctrl+Alt+Escape")
                )
                let place = InputAction.place(x: 300, y: 400, whole: areas[0])
                let failure = await Self.perform(
                    device,
                    [
                        place, .move(dx: 10.6, dy: -5), .move(dx: 0.6, dy: 0), .button(.right, isDown: true),
                        .button(.right, isDown: false), .wheel(dx: 0, dy: 0.5), .wheel(dx: 0, dy: 0.5),
                        .text("aÄ你😀\n"),
                    ] + Self.tap(.named(.nextTrack))
                )
                #expect(failure == nil)
                try await until("root:(311,395)")
                try await until("button 3")
                try await until("button 5")
                for letter in "aÄ你😀" { try await until("\"\(letter)\"") }
                for key in ["Return", "XF86AudioNext"] { try await until(key) }
                await device.close()
            }
        }
    }

    @Test("the keys at the computer end it; where another program has them, others do")
    func stopKey() async throws {
        try await XServer.run { environment in
            let input = LinuxInput(environment: environment)
            let (ends, end) = AsyncStream.makeStream(of: InputEnd.Cause.self, bufferingPolicy: .bufferingOldest(4))
            let first = try await Self.open(input, "Ada's phone") { end.yield($0) }
            // A second connection is to the first one what a person's keyboard is.
            let (departures, depart) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
            let person = try await Self.open(input, "Bo's phone") { _ in depart.yield() }
            #expect(person.facts.stopKey == "Ctrl+Alt+Shift+Escape")
            let held: [InputKey] = [.named(.control), .named(.alt)]
            let failure = await Self.perform(
                person,
                held.map { .key($0, isDown: true) } + Self.tap(.named(.escape))
                    + held.map { .key($0, isDown: false) }
            )
            #expect(failure == nil)
            for await cause in ends {
                #expect(cause == .key)
                break
            }
            // The sign of the first one lies under that of the second, in the middle of the upper edge.
            let area = InputArea(x: 0, y: 0, width: 1280, height: 800)
            await person.close()
            // Its connection ends behind its last events; what the server answers a new one comes after its window is gone.
            for await _ in departures { break }
            _ = try await input.areas()
            _ = await Self.perform(
                first,
                [.place(x: 640, y: 10, whole: area), .button(.left, isDown: true), .button(.left, isDown: false)]
            )
            for await cause in ends {
                #expect(cause == .owner)
                break
            }
            await first.close()
        }
    }

    @Test("keys that a killed program held down are let go of")
    func recovery() async throws {
        try await XServer.run { environment in
            let input = LinuxInput(environment: environment)
            try await Self.watched(in: environment) { until in
                let device = try await Self.open(input, "Ada's phone") { _ in }
                let area = InputArea(x: 0, y: 0, width: 1280, height: 800)
                let actions: [InputAction] = [
                    .place(x: 300, y: 400, whole: area), .key(.character("q"), isDown: true),
                ]
                _ = await Self.perform(device, actions)
                try await until("KeyPress")
                await input.recover()
                try await until("KeyRelease")
                await device.close()
            }
        }
    }

    @Test("a program of a compositor of wlroots gets clicks, modifiers and text of any letters")
    func wayland() async throws {
        try await WaylandServer.run { environment in
            let input = LinuxInput(environment: environment)
            #expect(try await input.way() == "wlroots")
            let areas = try await input.areas()
            #expect(areas == [InputArea(x: 0, y: 0, width: 1280, height: 720)])
            try await Self.watched(["wev"], ready: "configure", in: environment) { until in
                let device = try await Self.open(input, "Ada's phone") { _ in }
                #expect(device.facts == InputDeviceFacts(way: "wlroots", typesText: true, stopKey: nil))
                // The window is there once the pointer enters it.
                let place = InputAction.place(x: 300, y: 400, whole: areas[0])
                #expect(await Self.perform(device, [.place(x: 2, y: 2, whole: areas[0]), place]) == nil)
                try await until("wl_keyboard] enter")
                let letters = "aÄ你😀"
                let failure = await Self.perform(
                    device,
                    [
                        place, .move(dx: 10, dy: -5), .button(.right, isDown: true), .button(.right, isDown: false),
                        .wheel(dx: 0, dy: 0.5), .text(letters + "\n"), .key(.named(.control), isDown: true),
                    ] + Self.tap(.character("c")) + [.key(.named(.control), isDown: false)]
                        + Self.tap(.named(.playPause))
                )
                #expect(failure == nil)
                try await until("button: 273 (right), state: 1 (pressed)")
                for letter in letters { try await until("utf8: '\(letter)'") }
                for key in ["Return", "Control_L", "XF86AudioPlay"] { try await until("sym: \(key)") }
                await device.close()
            }
        }
    }

    @Test("events of the kernel are those of a mouse, a keyboard and a tablet")
    func kernel() {
        var events = KernelEvents()
        func said(_ actions: InputAction...) -> [[KernelEvent]] {
            actions.flatMap { events.events(of: $0).map { $0.1.filter { $0 != .report } } }
        }
        #expect(said(.move(dx: 1.5, dy: -2)) == [[KernelEvent(2, 0, 1), KernelEvent(2, 1, -2)]])
        #expect(said(.move(dx: 0.5, dy: 0)) == [[KernelEvent(2, 0, 1)]])
        #expect(said(.wheel(dx: 0, dy: 0.5)) == [[KernelEvent(2, 11, -60)]])
        #expect(said(.wheel(dx: 0, dy: 0.5)) == [[KernelEvent(2, 11, -60), KernelEvent(2, 8, -1)]])
        let whole = InputArea(x: -100, y: 0, width: 201, height: 101)
        #expect(said(.place(x: 0, y: 100, whole: whole)) == [[KernelEvent(3, 0, 32768), KernelEvent(3, 1, 65535)]])
        #expect(said(.button(.right, isDown: true)) == [[KernelEvent(1, 0x111, 1)]])
        #expect(
            said(.text("aB你\n")).map(\.first) == [
                KernelEvent(1, 30, 1), KernelEvent(1, 30, 0), KernelEvent(1, 42, 1), KernelEvent(1, 48, 1),
                KernelEvent(1, 48, 0), KernelEvent(1, 42, 0), KernelEvent(1, 28, 1), KernelEvent(1, 28, 0),
            ]
        )
        // A time of sixteen bytes on 64 bits, then a type, a code and a value.
        let bytes = KernelEvent(1, 0x110, -2).bytes
        #expect(bytes.suffix(8) == [1, 0, 0x10, 1, 0xFE, 0xFF, 0xFF, 0xFF])
        #expect(bytes.count == MemoryLayout<timeval>.size + 8)
    }

    @Test("a request of Wayland is its object, its size and code, and its values")
    func waylandBytes() {
        #expect(
            WaylandConnection.message(3, 5, [.number(7), .fixed(-1.5), .text("ab")]) == [
                3, 0, 0, 0, 5, 0, 24, 0, 7, 0, 0, 0, 0x80, 0xFE, 0xFF, 0xFF, 3, 0, 0, 0, 0x61, 0x62, 0, 0,
            ]
        )
    }

    @Test("without a screen the reason is a sentence")
    func noScreen() async throws {
        let input = LinuxInput(environment: ["PATH": "/usr/bin"])
        let failure = await #expect(throws: (any Error).self) { try await input.way() }
        #expect(failure.map { "\($0)".contains("graphical session") } == true)
    }
}
