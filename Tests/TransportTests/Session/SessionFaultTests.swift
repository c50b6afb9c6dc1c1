import Foundation
import KernelTesting
import SignalingTesting
import Testing

@testable import Transport

@Suite("A session under faults", .timeLimit(.minutes(4)))
struct SessionFaultTests {
    /// Schedules in each of the batches; more through the environment, for a night.
    private static let schedules =
        ProcessInfo.processInfo.environment["TANDEM_FAULT_SCHEDULES"].flatMap(Int.init).map { $0 / 8 } ?? 12

    private func bytes(_ number: Int, from side: SessionSimulation.Side) -> [UInt8] {
        Array("\(side) \(number)".utf8)
    }

    @Test("whatever is dropped, doubled, reordered or cut, everything arrives in order and once", arguments: 0..<8)
    func randomFaults(batch: Int) {
        for seed in 0..<Self.schedules {
            let seed = UInt64(batch * Self.schedules + seed)
            var simulation = SessionSimulation(seed: seed)
            var generator = SeededGenerator(seed: seed ^ 0xFEED)
            simulation.faults = .init(
                drop: Double.random(in: 0...0.3, using: &generator),
                duplicate: Double.random(in: 0...0.3, using: &generator),
                jitter: Int.random(in: 0...120, using: &generator)
            )
            var sent: [SessionSimulation.Side: [[UInt8]]] = [.phone: [], .desktop: []]
            for _ in 0..<60 {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: simulation.cut(Int.random(in: 0..<2, using: &generator))
                case 1...2: simulation.raise(Int.random(in: 0..<2, using: &generator))
                case 3: simulation.paths[Int.random(in: 0..<2, using: &generator)].isSilent.toggle()
                default:
                    let side = SessionSimulation.Side.allCases.randomElement(using: &generator) ?? .phone
                    let message = bytes(sent[side]?.count ?? 0, from: side)
                    if simulation.send(message, durable: generator.chance(0.3), from: side) != nil {
                        sent[side]?.append(message)
                    }
                }
                simulation.run(for: .milliseconds(Int.random(in: 0...300, using: &generator)))
            }
            simulation.faults = .init()
            for path in 0..<2 {
                simulation.paths[path].isSilent = false
                simulation.raise(path)
            }
            let all = (sent[.phone] ?? [], sent[.desktop] ?? [])
            let took = simulation.run(within: .seconds(60)) {
                $0.desktop.received.count >= all.0.count && $0.phone.received.count >= all.1.count
            }
            #expect(took != nil, "seed \(seed): not everything arrived")
            simulation.run(for: .seconds(5))
            #expect(simulation.desktop.received == all.0, "seed \(seed)")
            #expect(simulation.phone.received == all.1, "seed \(seed)")
            #expect(simulation.phone.disk.outbound.isEmpty && simulation.desktop.disk.outbound.isEmpty, "seed \(seed)")
            if took == nil { break }
        }
    }

    @Test("durable messages arrive once and in order, whoever restarts at whatever moment", arguments: 0..<8)
    func randomRestarts(batch: Int) {
        for seed in 0..<Self.schedules {
            let seed = UInt64(batch * Self.schedules + seed)
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
            let took = simulation.run(within: .seconds(60)) {
                $0.phone.disk.outbound.isEmpty && $0.desktop.disk.outbound.isEmpty
            }
            #expect(took != nil, "seed \(seed): not everything was acknowledged")
            let fromPhone = simulation.phone.disk.lastOutbound
            let fromDesktop = simulation.desktop.disk.lastOutbound
            #expect(simulation.desktop.receivedDurable == Array(1..<(fromPhone + 1)), "seed \(seed)")
            #expect(simulation.phone.receivedDurable == Array(1..<(fromDesktop + 1)), "seed \(seed)")
            if took == nil { break }
        }
    }
}
