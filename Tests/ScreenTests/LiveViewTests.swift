import FeatureTesting
import Kernel
import KernelTesting
import Pictures
import Rights
import Testing

@testable import CommandServer
@testable import Commands
@testable import Screen
@testable import ScreenHost

@Suite("Live views of the screen", .timeLimit(.minutes(2)))
struct LiveViewTests {
    private let outlet = ScriptedOutlet(capacity: 4096)
    private let reader = ScriptedReader(width: 640, height: 320)

    private func skill(time: any TimeSource = .system) -> ScreenSkill {
        ScreenSkill(
            screen: ReadableScreen { [reader] in reader },
            pictures: InMemoryPictures(),
            outlet: outlet,
            time: time
        )
    }

    private static func id(_ number: UInt64) -> JSONValue { .string(ScreenViewID(number).text) }

    /// Says what a phone shows, as its frames do.
    private func say(_ frame: ScreenFrame, to skill: ScreenSkill, as caller: Caller = .ada) async throws -> [UInt8]? {
        let request = try #require(skill.frames.first?.read(frame.bytes))
        return try await request.run(caller)?.bytes
    }

    private struct Frames {
        var iterator: AsyncStream<[UInt8]>.Iterator

        /// The next picture's parts.
        mutating func picture() async throws -> (number: UInt32, parts: [ScreenArea], sharp: [UInt8]) {
            var parts: [ScreenArea] = []
            var sharp: [UInt8] = []
            while let frame = ScreenFrame(try #require(await iterator.next())) {
                switch frame.content {
                case .part(let area, let data):
                    parts.append(area)
                    sharp.append(data[data.startIndex + 1])
                case .whole: return (frame.picture, parts, sharp)
                case .shown: break
                case .ended(let end): throw Ended(end: end)
                }
            }
            throw Ended(end: .failed)
        }

        mutating func end() async throws -> ScreenViewEnd {
            while let frame = ScreenFrame(try #require(await iterator.next())) {
                if case .ended(let end) = frame.content { return end }
            }
            throw Ended(end: .failed)
        }
    }

    private struct Ended: Error, Equatable {
        let end: ScreenViewEnd
    }

    private func frames(to caller: Caller = .ada) -> Frames {
        Frames(iterator: outlet.frames(to: caller.id).makeAsyncIterator())
    }

    @Test("the first picture is whole, later ones have what changed, and all of it again where that is asked for")
    func pictures() async throws {
        let skill = skill()
        var frames = frames()
        let answer = try await skill.call("display.watch", ["viewId": Self.id(1), "maxWidth": 160])
        #expect(answer == ["width": 160, "height": 80, "originalWidth": 640, "originalHeight": 320])
        let first = try await frames.picture()
        #expect(first.number == 1)
        #expect(first.parts.reduce(0) { $0 + $1.pixels } == 160 * 80)
        _ = try await say(ScreenFrame(ScreenViewID(1), picture: 1, .shown(wantsAll: false)), to: skill)
        reader.fill(ScreenArea(x: 70, y: 40, width: 4, height: 4), 0xFF)
        let second = try await frames.picture()
        #expect(second.number == 2)
        // One cell of 64 × 32 at a quarter of its size.
        #expect(second.parts == [ScreenArea(x: 16, y: 8, width: 16, height: 8)])
        #expect(second.sharp == [1])
        _ = try await say(ScreenFrame(ScreenViewID(1), picture: 2, .shown(wantsAll: true)), to: skill)
        let all = try await frames.picture()
        #expect(all.parts.reduce(0) { $0 + $1.pixels } == 160 * 80)
        await skill.close()
        #expect(reader.isClosed)
    }

    @Test("what moved over much of a large display is small first and sharp when it rests")
    func sharpened() async throws {
        let large = ScriptedReader(width: 1280, height: 720)
        let skill = ScreenSkill(screen: ReadableScreen { large }, pictures: InMemoryPictures(), outlet: outlet)
        var frames = frames()
        _ = try await skill.call("display.watch", ["viewId": Self.id(1)])
        var fine = 0
        #expect(try await frames.picture().sharp.allSatisfy { $0 == 0 })
        _ = try await say(ScreenFrame(ScreenViewID(1), picture: 1, .shown(wantsAll: false)), to: skill)
        while fine < 1280 * 720 {
            let next = try await frames.picture()
            #expect(next.sharp.allSatisfy { $0 == 1 })
            fine += next.parts.reduce(0) { $0 + $1.pixels }
            _ = try await say(ScreenFrame(ScreenViewID(1), picture: next.number, .shown(wantsAll: false)), to: skill)
        }
        #expect(fine == 1280 * 720)
        await skill.close()
    }

    @Test("no more than two pictures are under way, however fast the screen changes")
    func credit() async throws {
        let skill = skill()
        var frames = frames()
        _ = try await skill.call("display.watch", ["viewId": Self.id(1)])
        var shown: UInt32 = 0
        for turn in 0..<12 {
            reader.fill(ScreenArea(x: 0, y: 0, width: 640, height: 320), UInt32(turn + 1))
            let picture = try await frames.picture()
            #expect(picture.number <= shown + LiveView.window)
            // A phone that is slow: it says so only for every second one.
            if picture.number == shown + LiveView.window {
                shown = picture.number
                _ = try await say(ScreenFrame(ScreenViewID(1), picture: shown, .shown(wantsAll: false)), to: skill)
            }
        }
        await skill.close()
    }

    @Test("a view ends at once with its right, is told so, and is no activity any more")
    func revoked() async throws {
        let skill = skill()
        var frames = frames()
        _ = try await skill.call("display.watch", ["viewId": Self.id(1)])
        _ = try await frames.picture()
        #expect(await skill.activities().map(\.device) == [Caller.ada.id])
        await skill.revoke([.display], of: Caller.ada.id, keeping: [])
        #expect(await skill.activities().isEmpty)
        reader.fill(ScreenArea(x: 0, y: 0, width: 9, height: 9), 1)
        #expect(try await frames.end() == .notAllowed)
        let answer = try await say(ScreenFrame(ScreenViewID(1), picture: 1, .shown(wantsAll: true)), to: skill)
        #expect(answer.flatMap { ScreenFrame($0) }?.content == .ended(.unknownView))
        await skill.close()
        #expect(reader.isClosed)
    }

    @Test("the owner ends a view, and one of another phone is not its own")
    func ended() async throws {
        let skill = skill()
        var frames = frames()
        _ = try await skill.call("display.watch", ["viewId": Self.id(1)])
        _ = try await skill.call("display.unwatch", ["viewId": Self.id(1)], as: .bo)
        let foreign = try await say(
            ScreenFrame(ScreenViewID(1), picture: 1, .shown(wantsAll: false)),
            to: skill,
            as: .bo
        )
        #expect(foreign.flatMap { ScreenFrame($0) }?.content == .ended(.unknownView))
        let activity = try #require(await skill.activities().first)
        #expect(await skill.end(activity.id))
        #expect(try await frames.end() == .closed)
        #expect(await skill.end(activity.id) == false)
        #expect(await skill.activities().isEmpty)
        await skill.close()
    }

    @Test("a phone's third view takes the place of its first, and all phones have four")
    func bounds() async throws {
        let skill = ScreenSkill(
            screen: ReadableScreen { ScriptedReader(width: 64, height: 64) },
            pictures: InMemoryPictures(),
            outlet: outlet
        )
        var frames = frames()
        for number in UInt64(1)...3 { _ = try await skill.call("display.watch", ["viewId": Self.id(number)]) }
        #expect(try await frames.end() == .replaced)
        for number in UInt64(11)...12 {
            _ = try await skill.call("display.watch", ["viewId": Self.id(number)], as: .bo)
        }
        let eve = Caller(id: "did:key:z6MkE", name: "Eve's phone", proof: .session, rights: [])
        let failure = try await skill.refusal("display.watch", ["viewId": Self.id(21)], as: eve)
        #expect(failure?.code == FailureCode.busy)
        #expect(failure?.message.contains("4 times already") == true)
        await skill.close()
    }

    @Test("of two views that are opened by one name at a time, the one that is there can still be ended")
    func twice() async throws {
        let views = LiveViews(outlet: outlet, time: .system)
        let query = ScreenViewQuery(view: ScreenViewID(1))
        let (late, there) = (ScriptedReader(width: 64, height: 32), ScriptedReader(width: 64, height: 32))
        var frames = frames()
        await #expect(throws: CancellationError.self) {
            _ = try await views.open(query, for: Caller.ada.id) {
                _ = try await views.open(query, for: Caller.ada.id) { there }
                return late
            }
        }
        #expect(late.isClosed && !there.isClosed)
        #expect(views.devices.count == 1)
        #expect(views.end(.notAllowed) { $0.device == Caller.ada.id })
        #expect(try await frames.end() == .notAllowed)
        await views.close()
        #expect(there.isClosed)
    }

    @Test("a phone that says nothing for twenty seconds is not looking")
    func silence() async throws {
        let clock = ManualClock()
        let skill = skill(time: clock)
        var frames = frames()
        _ = try await skill.call("display.watch", ["viewId": Self.id(1)])
        for _ in 0..<5 {
            await clock.sleeper(for: .seconds(5))
            clock.advance(by: .seconds(5))
        }
        #expect(try await frames.end() == .silence)
        await skill.close()
    }

    @Test("a display of another size ends the view, to be opened anew")
    func changed() async throws {
        let skill = skill()
        var frames = frames()
        _ = try await skill.call("display.watch", ["viewId": Self.id(1)])
        reader.fail(.changed)
        #expect(try await frames.end() == .changed)
        await skill.close()
    }

    @Test("a caller without a session has no live view, and a screen of single pictures says so")
    func refused() async throws {
        let caller = Caller(id: "web", name: "Browser", proof: .token, rights: [.display])
        let unproved = try await skill().refusal("display.watch", ["viewId": Self.id(1)], as: caller)
        #expect(unproved?.code == FailureCode.unsupported)
        let single = ScreenSkill(screen: InMemoryScreen([]), pictures: InMemoryPictures(), outlet: outlet)
        let refused = try await single.refusal("display.watch", ["viewId": Self.id(1)])
        #expect(refused?.code == FailureCode.unsupported)
        #expect(refused?.message == "These displays show one picture only.")
    }
}
