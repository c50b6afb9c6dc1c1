import CommandServer
import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Notifications
import Rights
import Testing

@testable import NotificationsHost

@Suite("What a phone sends on to phones", .timeLimit(.minutes(1)))
struct ForwardingTests {
    private func pair(_ computer: Computer, _ count: Int = 2) {
        let phones = [Caller.ada, .bo].prefix(count)
        computer.outlet.pair(
            phones.map { OutletDevice(id: $0.id, deviceID: "own-\($0.name)", name: $0.name, keepsEvents: true) }
        )
    }

    @Test("without a device it goes to all, the only phone that asks among them, which shows it")
    func toAll() async throws {
        let computer = try Computer()
        pair(computer, 1)
        let answer = try await computer.skill.call("notification.sendToMobile", ["title": "Tea", "body": "now"])
        #expect(answer["success"] == true && answer["deliveredCount"] == 1 && answer["delivered"] == true)
        let kept = try #require(computer.outlet.kept.first)
        #expect(kept.device == Caller.ada.id && kept.event.members["silenced"] == false)
        await computer.skill.close()
    }

    @Test("a phone is named by its key's id, by the id it gives itself, or by its name", arguments: [0, 1, 2])
    func names(which: Int) async throws {
        let computer = try Computer()
        pair(computer)
        let name = [Caller.bo.id, "own-\(Caller.bo.name)", Caller.bo.name.uppercased()][which]
        let params: JSONValue = ["title": "Tea", "body": "now", "deviceId": .string(name)]
        let answer = try await computer.skill.call("notification.sendToMobile", params)
        #expect(answer["success"] == true && answer["deliveredCount"] == 1)
        #expect(computer.outlet.kept.map(\.device) == [Caller.bo.id])
        await computer.skill.close()
    }

    @Test("nobody there is said as a failure")
    func nobody() async throws {
        let computer = try Computer()
        let answer = try await computer.skill.call("notification.sendToMobile", ["title": "Tea", "body": "now"])
        #expect(answer["success"] == false && answer["deliveredCount"] == 0)
        #expect(answer["error"]?.stringValue?.contains("No phone could be told") == true)
        await computer.skill.close()
    }

    @Test("a phone that does not seal registers for no pushes: its key would go in the clear")
    func pushInTheClear() async throws {
        let computer = try Computer(services: .init(pusher: RecordingPusher()))
        pair(computer)
        let clear = Caller(id: Caller.ada.id, name: "Old", proof: .clear, rights: [.notification])
        let refusal = try await computer.skill.refusal(
            "notification.registerPush",
            [
                "endpoint": "https://push.example/1", "p256dh": "x", "auth": "x", "applicationKey": "x",
            ],
            as: clear
        )
        #expect(refusal?.code == FailureCode.unsupported && refusal?.message.contains("does not seal") == true)
        #expect(computer.store.push(of: Caller.ada.id) == nil)
        await computer.skill.close()
    }
}
