import Kernel
import Sections
import TandemPhone

/// The old phone's standing while its data moves.
struct PhoneHandover: Sendable {
    /// Sessions and features end within ``FeatureSet/closeLimit`` of 30 s; a phone that takes longer than this does not end.
    private static let patience = Duration.seconds(90)

    let phone: Phone
    let transferID: String
    let time: any TimeSource

    /// Lets the phone rest, and returns once it has ended everything that would change its data.
    ///
    /// - Parameter name: The new phone's, or that of what the data goes into.
    /// - Throws: `PhoneStandingError`, ``MigrationClientError/doesNotRest``.
    func begin(to name: String) async throws {
        let handover = Handover(transferID: transferID, newPhone: name, begunAt: time.date.millisecondsSince1970)
        try await phone.standing.change { try $0.beginning(handover) }
        let rested = await withTaskGroup(of: Bool.self) { [phone, time] group in
            group.addTask {
                for await hasRested in phone.hasRested.values() where hasRested { return true }
                return false
            }
            group.addTask {
                _ = await time.pause(for: Self.patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        guard rested else {
            try await giveBack()
            throw MigrationClientError.doesNotRest
        }
    }

    /// The new phone took nothing: this one goes on at the next start of its program.
    func giveBack() async throws {
        guard phone.standing.value.handover?.transferID == transferID else { return }
        try await phone.standing.change { [transferID] in try $0.givenBack(transferID) }
    }

    /// The new phone has everything.
    func retire() async throws {
        let now = time.date.millisecondsSince1970
        try await phone.standing.change { [transferID] in try $0.retiring(transferID, at: now) }
    }
}
