import FeatureTesting
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Notifications

@Suite("A phone's banners on a desktop", .timeLimit(.minutes(1)))
struct DesktopPresenterTests {
    /// A desktop whose service a test plays.
    private final class Desktop: DesktopBanners {
        struct Shown: Hashable {
            let number: UInt32
            let title: String
            let text: String
            let isUrgent: Bool
            let hasSound: Bool
            let replaced: UInt32?
        }

        struct Refused: Error, CustomStringConvertible {
            let description = "No program shows notifications."
        }

        private struct State {
            var shown: [Shown] = []
            var closed: [UInt32] = []
            var last: UInt32 = 10
            var refuses = false
            var isFollowed = false
        }

        private let state = Mutex(State())
        private let told = Broadcaster<DesktopBannerEvent>()

        var shown: [Shown] { state.withLock(\.shown) }
        var closed: [UInt32] { state.withLock(\.closed) }

        func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }
        func tell(_ event: DesktopBannerEvent) { told.send(event) }

        func show(
            _ title: String,
            _ text: String,
            isUrgent: Bool,
            hasSound: Bool,
            replacing number: UInt32?
        ) async throws -> UInt32 {
            try state.withLock { state in
                guard !state.refuses else { throw Refused() }
                if number == nil { state.last += 1 }
                let given = number ?? state.last
                state.shown.append(
                    Shown(
                        number: given,
                        title: title,
                        text: text,
                        isUrgent: isUrgent,
                        hasSound: hasSound,
                        replaced: number
                    )
                )
                return given
            }
        }

        func close(_ number: UInt32) async throws { state.withLock { $0.closed.append(number) } }

        func events() async -> any AsyncSequence<DesktopBannerEvent, Never> & Sendable {
            defer { state.withLock { $0.isFollowed = true } }
            return told.subscribe()
        }

        /// Returns once somebody hears what is told.
        func followed() async { while !Task.isCancelled, !state.withLock(\.isFollowed) { await Task.yield() } }
    }

    private func banner(
        _ id: String,
        priority: NotificationPriority = .normal,
        computer: String = "pc",
        settings: LocalNotificationSettings = .init()
    ) -> NotificationBanner {
        let notification = RemoteNotification(
            id: id,
            title: "Title \(id)",
            body: "Body",
            priority: priority,
            createdAt: 1
        )
        let kept = KeptNotification(
            computer: computer,
            notification: notification,
            isWaiting: false,
            place: NotificationPlace(createdAt: 1, position: 1)
        )
        return NotificationBanner(kept, alert: 1, name: "Studio", settings: settings)
    }

    @Test("each has its own, the same one again takes its place, and one that is read elsewhere is closed")
    func presenting() async {
        let desktop = Desktop()
        let presenter = DesktopPresenter(desktop)
        await presenter.present([banner("a"), banner("b", priority: .urgent, settings: .init(sound: false))])
        #expect(desktop.shown.map(\.number) == [11, 12])
        #expect(desktop.shown.map(\.title) == ["Title a", "Title b"])
        #expect(desktop.shown.map(\.text) == ["Body\nStudio", "Body\nStudio"])
        #expect(desktop.shown.map(\.isUrgent) == [false, true])
        #expect(desktop.shown.map(\.hasSound) == [true, false])
        #expect(desktop.shown.map(\.replaced) == [nil, nil])
        await presenter.present([banner("a")])
        #expect(desktop.shown.last?.replaced == 11)
        await presenter.withdraw([banner("a").id, banner("gone").id])
        #expect(desktop.closed == [11])
        await presenter.withdraw([banner("a").id])
        #expect(desktop.closed == [11])
        await presenter.present([banner("a")])
        #expect(desktop.shown.last?.number == 13)
    }

    @Test("without a preview nothing of the text is shown")
    func preview() async {
        let desktop = Desktop()
        await DesktopPresenter(desktop).present([banner("a", settings: .init(preview: false))])
        #expect(desktop.shown.map(\.title) == ["Studio"])
        #expect(desktop.shown.map(\.text) == ["Studio"])
    }

    @Test("more than five at one time are one, which goes when the last of them was read")
    func summary() async {
        let desktop = Desktop()
        let presenter = DesktopPresenter(desktop)
        let banners = (0..<6).map { banner("n\($0)", priority: $0 == 2 ? .urgent : .normal) }
        await presenter.present(banners)
        #expect(desktop.shown.map(\.title) == ["6 notifications from Studio"])
        #expect(desktop.shown.map(\.isUrgent) == [true])
        await presenter.withdraw([banners[0].id])
        #expect(desktop.closed == [])
        await presenter.withdraw([banners[5].id])
        #expect(desktop.closed == [11])
    }

    @Test("a banner for several takes the place of the one that the last of them had, so that it is closed with it")
    func summaryInPlace() async {
        let desktop = Desktop()
        let presenter = DesktopPresenter(desktop)
        let banners = (0..<6).map { banner("n\($0)") }
        await presenter.present([banners[5]])
        await presenter.present(banners)
        #expect(desktop.shown.map(\.replaced) == [nil, 11])
        await presenter.withdraw([banners[5].id])
        #expect(desktop.closed == [11])
    }

    @Test("one that is pressed or closed is read, once; one that goes by itself, and a banner for several, are not")
    func answers() async {
        let desktop = Desktop()
        let presenter = DesktopPresenter(desktop)
        let answers = await presenter.answers()
        desktop.tell(.renumbered)
        let reading = Task {
            var ids: [String] = []
            for await id in answers {
                ids.append(id.notification)
                if ids.count == 2 { break }
            }
            return ids
        }
        await presenter.present([banner("a"), banner("b"), banner("c")])
        await presenter.present((0..<6).map { banner("n\($0)") })
        #expect(desktop.shown.map(\.number) == [11, 12, 13, 14])
        desktop.tell(.closed(11))
        desktop.tell(.dismissed(11))
        desktop.tell(.pressed(99))
        desktop.tell(.pressed(14))
        desktop.tell(.pressed(12))
        desktop.tell(.dismissed(12))
        desktop.tell(.dismissed(13))
        #expect(await reading.value == ["b", "c"])
        // Nothing of them is there to be closed.
        await presenter.withdraw([banner("a").id, banner("b").id, banner("c").id])
        #expect(desktop.closed == [])
    }

    @Test("numbers from before the service began anew close and replace nothing")
    func renumbered() async {
        let desktop = Desktop()
        let presenter = DesktopPresenter(desktop)
        let answers = await presenter.answers()
        let reading = Task {
            for await id in answers { return id.notification }
            return "none"
        }
        // Nothing is shown before it is known whether there is a service.
        let presenting = Task { await presenter.present([banner("a")]) }
        for _ in 0..<100 { await Task.yield() }
        #expect(desktop.shown == [])
        desktop.tell(.renumbered)
        await presenting.value
        #expect(desktop.shown.map(\.number) == [11])
        desktop.tell(.renumbered)
        // It takes the place of the first until the presenter has heard that there is none any more.
        repeat {
            await presenter.present([banner("a")])
            await Task.yield()
        } while desktop.shown.last?.replaced != nil
        await presenter.present([banner("b")])
        #expect(desktop.shown.last?.number == 13)
        desktop.tell(.pressed(11))
        desktop.tell(.pressed(13))
        #expect(await reading.value == "b")
        await presenter.withdraw([banner("a").id])
        #expect(desktop.closed == [12])
    }

    @Test("where the desktop shows none, something else does, and why is said once until it works again")
    func fallback() async {
        let desktop = Desktop()
        let fallback = CountingPresenter()
        let complaints = Mutex<[String]>([])
        let presenter = DesktopPresenter(
            desktop,
            fallback: fallback,
            refused: { error in complaints.withLock { $0.append("\(error)") } }
        )
        desktop.refuse(true)
        await presenter.present([banner("a"), banner("b")])
        await presenter.present((0..<6).map { banner("n\($0)") })
        #expect(fallback.shown.map(\.id) == ["a", "b"] + (0..<6).map { "n\($0)" })
        #expect(complaints.withLock(\.self) == ["No program shows notifications."])
        await presenter.withdraw([banner("a").id])
        #expect(!fallback.onScreen.contains("a"))
        desktop.refuse(false)
        await presenter.present([banner("c")])
        #expect(desktop.shown.map(\.title) == ["Title c"])
        desktop.refuse(true)
        await presenter.present([banner("d")])
        #expect(complaints.withLock(\.count) == 2)
    }

    @Test("what a computer on this desktop tells is not shown a second time")
    func thisComputer() async {
        let desktop = Desktop()
        let presenter = DesktopPresenter(desktop, leavesOut: { $0 == "here" })
        await presenter.present([banner("a", computer: "here")])
        await presenter.present([banner("b", computer: "there")])
        #expect(desktop.shown.map(\.title) == ["Title b"])
    }

    @Test("a banner that is pressed is read at its computer; switched off on this phone, none is shown")
    func phone() async throws {
        let desktop = Desktop()
        let scene = try PhoneScene(presenter: DesktopPresenter(desktop))
        let (computer, inbox) = (scene.computer, scene.inbox)
        await desktop.followed()
        desktop.tell(.renumbered)
        computer.show("a")
        try await inbox.refresh()
        let number = try #require(desktop.shown.last?.number)
        desktop.tell(.pressed(number))
        try await scene.until {
            try await scene.drain()
            return computer.rows["a"]?.isRead == true
        }

        try await scene.phone.save(LocalNotificationSettings(enabled: false))
        let before = desktop.shown.count
        computer.show("b")
        try await inbox.refresh()
        #expect(try await scene.rows().count == 2)
        #expect(desktop.shown.count == before)
        await scene.stop()
    }
}
