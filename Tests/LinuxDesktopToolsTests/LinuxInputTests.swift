import Foundation
import Kernel
import LinuxDesktopTesting
import LinuxDesktopTools
import RemoteInput
import RemoteInputHost
import Subprocess
import Testing

@Suite("Pointer and keyboard", .timeLimit(.minutes(5)))
struct LinuxInputTests {
    /// What `xev` writes of its window while `body` runs, until that finds what it waits for.
    private static func watched(
        _ environment: [String: String],
        _ body:
            @escaping @Sendable (_ until: @escaping @Sendable (_ wanted: String) async throws -> Void) async throws
            -> Void
    ) async throws {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        let variables = environment.compactMap { name, value in
            Subprocess.Environment.Key(rawValue: name).map { ($0, value) }
        }
        _ = try await Subprocess.run(
            .name("xev"),
            arguments: ["-geometry", "1280x800+0+0"],
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
            let until: @Sendable (String) async throws -> Void = { wanted in
                for await text in said.values() where text.contains(wanted) { return }
            }
            try await until("MapNotify")
            try await body(until)
            reading.cancel()
            await execution.teardown(using: options.teardownSequence)
        }
    }

    private static func perform(_ device: any InputDevice, _ actions: [InputAction]) async -> InputError? {
        await withCheckedContinuation { continuation in
            device.begin(actions) { continuation.resume(returning: $0) }
        }
    }

    private static func tap(_ key: InputKey) -> [InputAction] { [.key(key, isDown: true), .key(key, isDown: false)] }

    @Test("a program of the X server gets clicks where they were, the wheel, and text of any letters")
    func typing() async throws {
        try await XServer.run { environment in
            let input = LinuxInput(environment: environment)
            #expect(try await input.way() == "x11")
            let areas = try await input.areas()
            #expect(areas == [InputArea(x: 0, y: 0, width: 1280, height: 800)])
            try await Self.watched(environment) { until in
                let device = try await input.open(for: "Ada's phone 手机") { _ in }
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
                for letter in ["\"a\"", "\"Ä\"", "\"你\"", "\"😀\"", "Return", "XF86AudioNext"] {
                    try await until(letter)
                }
                await device.close()
            }
        }
    }

    @Test("the keys at the computer end it; where another program has them, others do")
    func stopKey() async throws {
        try await XServer.run { environment in
            let input = LinuxInput(environment: environment)
            let (ends, end) = AsyncStream.makeStream(of: InputEnd.Cause.self, bufferingPolicy: .bufferingOldest(4))
            let first = try await input.open(for: "Ada's phone") { end.yield($0) }
            // A second connection is to the first one what a person's keyboard is.
            let person = try await input.open(for: "Bo's phone") { _ in }
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
            try await Self.watched(environment) { until in
                let device = try await input.open(for: "Ada's phone") { _ in }
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

    @Test("without a screen the reason is a sentence")
    func noScreen() async throws {
        let input = LinuxInput(environment: ["PATH": "/usr/bin"])
        let failure = await #expect(throws: (any Error).self) { try await input.way() }
        #expect(failure.map { "\($0)".contains("graphical session") } == true)
    }
}
