import Testing
@testable import Transport
@Suite struct DebugTests {
    @Test func one() {
        let seed: UInt64 = 306
            var simulation = SessionSimulation(seed: seed)
            var generator = SeededGenerator(seed: seed ^ 0xBEEF)
            simulation.faults = .init(
                drop: Double.random(in: 0...0.2, using: &generator),
                duplicate: Double.random(in: 0...0.2, using: &generator),
                jitter: Int.random(in: 0...80, using: &generator)
            )
            simulation.raise(0)
            simulation.raise(1)
            for _ in 0..<50 {
                switch Int.random(in: 0..<12, using: &generator) {
                case 0: simulation.cut(Int.random(in: 0..<2, using: &generator))
                case 1...2: simulation.raise(Int.random(in: 0..<2, using: &generator))
                case 3: simulation.restart(.phone)
                case 4: simulation.restart(.desktop)
                default:
                    let side = SessionSimulation.Side.allCases.randomElement(using: &generator) ?? .phone
                    simulation.send([1], durable: generator.chance(0.7), from: side)
                }
                simulation.run(for: .milliseconds(Int.random(in: 0...400, using: &generator)))
            }
            simulation.faults = .init()
            for path in 0..<2 { simulation.raise(path) }
        for _ in 0..<60 {
            let before = simulation.sentFrames
            simulation.run(for: .seconds(1))
            print("T", simulation.phone.engine.state, simulation.desktop.engine.state, simulation.phone.engine.attempt.map { "att \($0.pattern)" } ?? "-", simulation.phone.engine.current != nil, simulation.desktop.engine.current != nil, simulation.desktop.engine.pending != nil, simulation.phone.disk.outbound.count, simulation.desktop.disk.outbound.count, simulation.phone.isTicketRefused, simulation.phone.engine.links.map { "\($0.key.number) \($0.value.kind) \($0.value.health)" }, simulation.desktop.engine.links.map { "\($0.key.number) \($0.value.kind) \($0.value.health)" }, before, simulation.sentFrames, simulation.phone.engine.outbox.entries.count, simulation.phone.engine.outbox.deadline.map { $0 - simulation.now } as Any, simulation.phone.engine.preferred as Any)
        }
    }
}
