import Clipboard
import CommandServer
import Kernel
import LinuxTerminal
import Rights
import Screen
import TandemPhone
import Terminal
import TerminalHost
import Testing

@testable import TandemDesktop

@Suite("What phones begin is shown to who sits at the computer", .timeLimit(.minutes(4)))
struct ActivityNoticeTests {
    private final class RecordingNotifier: DesktopNotifier {
        let titles = LatestValue<[String]>([])

        func notify(_ title: String, _ body: String) async throws { titles.update { $0.append(title) } }
    }

    @Test("a shell is told of with the phone's name, and not again for each that follows at once")
    func shells() async throws {
        let notifier = RecordingNotifier()
        let terminals = [TerminalSkill.maker(factory: LinuxPseudoTerminalFactory.withoutProfile)]
        try await Household.run(features: terminals, notifier: notifier) { home in
            let computer = try await home.pair()
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
            let record = try #require(home.desktop.pairedPhones().first)
            _ = try await home.desktop.allow([.terminal], to: record)
            #expect(notifier.titles.value == [])
            for _ in 0..<3 { _ = try await home.phone.call("terminal.create", ["shell": "sh"], on: computer) }
            for await titles in notifier.titles.values() where !titles.isEmpty { break }
            #expect(await home.desktop.phones.activities().count == 3)
            #expect(notifier.titles.value == ["My phone has a shell open"])
        }
    }

    @Test("a watched clipboard and pictures of the screen are told of with the phone's name, each as what it is")
    func watching() async throws {
        let notifier = RecordingNotifier()
        try await Household.run(features: MemoryDesktopSession.features, notifier: notifier) { home in
            let computer = try await home.pair()
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
            let record = try #require(home.desktop.pairedPhones().first)
            _ = try await home.desktop.allow([.clipboard, .display], to: record)
            #expect(notifier.titles.value == [])
            _ = try await home.phone.call("clipboard.watch", [:], on: computer)
            _ = try await home.phone.call("display.screenshot", [:], on: computer)
            for await titles in notifier.titles.values() where titles.count > 1 { break }
            #expect(
                notifier.titles.value.sorted() == [
                    "My phone takes pictures of the screen", "My phone watches the clipboard",
                ]
            )
        }
    }
}
