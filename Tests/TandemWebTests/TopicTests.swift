import Control
import FeatureTesting
import HomeTesting
import Kernel
import Pairing
import Rights
import Sealing
import TandemDesktop
import TandemPhone
import Terminal
import TerminalHost
import Testing

@Suite("What a computer tells its page", .timeLimit(.minutes(2)))
struct TopicTests {
    @Test("phones, requests, what runs, its servers and the ways of its phones")
    func desktop() async throws {
        try await Home.run(.init()) { home in
            let told = LatestValue<Set<String>>([])
            let topics = try await home.desktop.topics
            let reading = Task {
                await withDiscardingTaskGroup { group in
                    for topic in topics {
                        group.addTask { await topic.run { _ in told.update { $0.insert(topic.name) } } }
                    }
                }
            }
            // How it stands is told at once, before anything happens.
            let standing: Set<String> = ["devices", "requests", "activity", "servers", "rights"]
            for await names in told.values() where names.isSuperset(of: standing) { break }
            let computer = try await home.pair()
            while !told.value.contains("reach") {
                try await home.connected(computer)
                await home.stopPhone()
                try await home.startPhone()
            }
            reading.cancel()
            await reading.value
        }
    }

    @Test("a change of rights is told at both sides at once, with the device and what it is allowed now")
    func rights() async throws {
        let terminals = TerminalSkill.maker(factory: FakeTerminals())
        try await Home.run(.init(host: [terminals])) { home in
            let computer = try await home.pair()
            try await home.connected(computer)
            let told = LatestValue<[String: [JSONValue]]>([:])
            let sides = [("desktop", try await home.desktop.topics), ("phone", try await home.phone.topics)]
            let reading = Task {
                await withDiscardingTaskGroup { group in
                    for (side, topics) in sides {
                        for topic in topics where topic.name == "rights" {
                            group.addTask {
                                await topic.run { data in told.update { $0[side, default: []].append(data) } }
                            }
                        }
                    }
                }
            }
            for await all in told.values() where all.count == 2 { break }
            let did = try await home.record().did.text
            try await home.allow([.terminal])
            let allowed: JSONValue = ["notification", "terminal"]
            let expected: [String: JSONValue] = [
                "desktop": ["device": .string(did), "allowed": allowed],
                "phone": ["device": .string(computer.pcPeerID), "allowed": allowed],
            ]
            for await all in told.values() where expected.allSatisfy({ all[$0]?.contains($1) == true }) { break }
            reading.cancel()
            await reading.value
        }
    }
}
