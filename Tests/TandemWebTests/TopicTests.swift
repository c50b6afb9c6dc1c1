import Control
import HomeTesting
import Kernel
import Pairing
import TandemDesktop
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
            let standing: Set<String> = ["devices", "requests", "activity", "servers"]
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
}
