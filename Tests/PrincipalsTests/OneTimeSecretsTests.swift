import KernelTesting
import Principals
import Testing

@Suite("Secrets that are good once", .timeLimit(.minutes(1)))
struct OneTimeSecretsTests {
    private let clock = ManualClock()
    private let secrets: OneTimeSecrets<Int>

    init() { secrets = OneTimeSecrets(lifetime: .seconds(120), limit: 3, time: clock) }

    private static func hash(_ number: Int) -> SecretHash { SecretHash(of: "\(number)") }

    @Test("a secret gives what it was made for, once; another text gives nothing")
    func once() {
        #expect(secrets.add(Self.hash(1), 1) == [])
        #expect(secrets.take(Self.hash(2)) == nil)
        #expect(secrets.take(Self.hash(1)) == 1)
        #expect(secrets.take(Self.hash(1)) == nil)
    }

    @Test("of many who take one at once one has it")
    func racing() async {
        secrets.add(Self.hash(1), 1)
        let taken = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { [secrets] in secrets.take(Self.hash(1)) } }
            return await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
        }
        #expect(taken == 1)
    }

    @Test("a secret is over with its time, and who adds the next one is told")
    func over() {
        secrets.add(Self.hash(1), 1)
        clock.advance(by: .seconds(119))
        secrets.add(Self.hash(2), 2)
        clock.advance(by: .seconds(1))
        #expect(secrets.add(Self.hash(3), 3) == [1])
        #expect(secrets.take(Self.hash(1)) == nil)
        #expect(secrets.take(Self.hash(2)) == 2)
        clock.advance(by: .seconds(120))
        #expect(secrets.take(Self.hash(3)) == nil)
    }

    @Test("of too many the oldest gives way, and who adds the next one is told")
    func many() {
        for number in 1...3 { #expect(secrets.add(Self.hash(number), number) == []) }
        #expect(secrets.add(Self.hash(4), 4) == [1])
        #expect(secrets.take(Self.hash(1)) == nil)
        for number in 2...4 { #expect(secrets.take(Self.hash(number)) == number) }
    }

    @Test("all can be taken back")
    func removed() {
        secrets.add(Self.hash(1), 1)
        secrets.removeAll()
        #expect(secrets.take(Self.hash(1)) == nil)
    }
}
