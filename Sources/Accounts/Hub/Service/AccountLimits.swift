import Accounts
import Kernel
import Principals
import Synchronization

/// The rates at which accounts are asked for, and the delays after wrong passwords and codes.
///
/// Wrong passwords are counted by address, and by name and address: a stranger who guesses at a name keeps that person out at no other address.
/// This machine's own programs are not limited, but for guesses: behind a reverse proxy that the hub does not trust, everybody comes from here.
final class AccountLimits: Sendable {
    private struct State {
        var addresses = AccountRate.addresses.buckets
        var people = AccountRate.people.buckets
        /// Questions who has a name, of a person and of an address.
        var finders = AccountRate.finders.buckets
        var findingAddresses = AccountRate.findingAddresses.buckets
        /// New accounts where anybody may make one.
        var newcomers = AccountRate.newcomers.buckets
        var passwords = AccountLimits.guesses(each: 20, all: nil)
        var names = AccountLimits.guesses(each: 5, all: nil)
        var codes = AccountLimits.guesses(each: 5, all: 60)
    }

    private let time: any TimeSource
    private let state = Mutex(State())

    init(time: any TimeSource) { self.time = time }

    /// - Parameter all: Nil: sources together are not bounded.
    private static func guesses(each: Int, all: Int?) -> GuessThrottle {
        func limits(_ failures: Int) -> GuessThrottle.Limits {
            .init(failures: failures, within: .seconds(60), firstWait: .seconds(10), longestWait: .seconds(900))
        }
        return GuessThrottle(each: limits(each), all: limits(all ?? .max))
    }

    // MARK: Rates

    /// Counts a request that bears no token.
    ///
    /// - Throws: ``AccountsError/tooOften(seconds:)``.
    func request(_ call: AccountCall) throws(AccountsError) {
        guard !call.isLocal else { return }
        try pass { $0.addresses.take(call.address, now: time.ticks) }
    }

    /// Counts a request that a person's device sent.
    ///
    /// - Throws: ``AccountsError/tooOften(seconds:)``.
    func request(of person: UserID) throws(AccountsError) {
        try pass { $0.people.take(person.imUserID, now: time.ticks) }
    }

    /// Counts a question who has a name.
    ///
    /// - Throws: ``AccountsError/tooOften(seconds:)``.
    func find(by person: UserID, _ call: AccountCall) throws(AccountsError) {
        let ticks = time.ticks
        try pass { state in
            if let wait = state.finders.take(person.imUserID, now: ticks) { return wait }
            // Many accounts of one hand come from few addresses.
            return call.isLocal ? nil : state.findingAddresses.take(call.address, now: ticks)
        }
    }

    /// Counts a new account without an invitation.
    ///
    /// - Throws: ``AccountsError/tooOften(seconds:)``.
    func newcomer(_ call: AccountCall) throws(AccountsError) {
        guard !call.isLocal else { return }
        try pass { $0.newcomers.take(call.address, now: time.ticks) }
    }

    // MARK: Guesses

    /// - Throws: ``AccountsError/tooOften(seconds:)`` while the address has to wait.
    func mayGuessPassword(of name: AccountName, _ call: AccountCall) throws(AccountsError) {
        let (address, pair) = Self.sources(name, call)
        let now = time.now
        try pass { state in
            let waits = [state.passwords.wait(of: address, now: now), state.names.wait(of: pair, now: now)]
            return waits.compactMap(\.self).max()
        }
    }

    func guessed(rightly isRight: Bool, passwordOf name: AccountName, _ call: AccountCall) {
        let (address, pair) = Self.sources(name, call)
        let now = time.now
        state.withLock { state in
            guard !isRight else { return state.names.succeed(pair) }
            state.passwords.fail(address, now: now)
            state.names.fail(pair, now: now)
        }
    }

    /// - Throws: ``AccountsError/tooOften(seconds:)`` while the address has to wait.
    func mayGuessCode(_ call: AccountCall) throws(AccountsError) {
        let now = time.now
        try pass { $0.codes.wait(of: .of(call.address), now: now) }
    }

    func guessed(rightly isRight: Bool, codeBy call: AccountCall) {
        let now = time.now
        state.withLock { state in
            isRight ? state.codes.succeed(.of(call.address)) : state.codes.fail(.of(call.address), now: now)
        }
    }

    // MARK: Parts

    private static func sources(
        _ name: AccountName,
        _ call: AccountCall
    ) -> (address: GuessThrottle.Source, pair: GuessThrottle.Source) {
        // No name holds a space.
        (.of(call.address), .of("\(name) \(call.address)"))
    }

    /// - Parameter wait: How long to wait; nil for not at all.
    private func pass(_ wait: (inout State) -> Duration?) throws(AccountsError) {
        guard let wait = state.withLock({ wait(&$0) }) else { return }
        throw .tooOften(
            seconds: Int(clamping: max(1, wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)))
        )
    }
}
