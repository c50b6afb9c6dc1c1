public import Kernel
public import Signaling

/// Waits for the other phone in a room at a hub. The hub is met again after each loss.
public final class RelayLinkListener: MigrationLinks {
    public var dials: Bool { false }
    public let place: RelayPlace
    private let station: RelayStation

    /// Begins to register; whether the hub is there shows later.
    ///
    /// - Throws: ``MigrationTransferError/badAddress(what:)``.
    public static func open(
        _ place: RelayPlace,
        through access: SignalAccess,
        time: any TimeSource
    ) async throws(MigrationTransferError) -> RelayLinkListener {
        let identity = try place.room.identity()
        return RelayLinkListener(
            place,
            try await RelayStation.open(place, as: identity, accepts: true, through: access, time: time)
        )
    }

    private init(_ place: RelayPlace, _ station: RelayStation) {
        self.place = place
        self.station = station
    }

    /// - Throws: ``MigrationTransferError/hubCarriesNoMoves(hub:)`` for a hub of an earlier version or another program.
    public func next() async throws -> any MigrationLink {
        let station = station
        return try await withThrowingTaskGroup(of: RelayLink?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await station.accept() }
            group.addTask {
                try await station.untilUseless()
                return nil
            }
            while let next = try await group.next() { if let next { return next } }
            throw CancellationError()
        }
    }

    /// Ends the links that wait, and leaves the hub.
    public func close() async { await station.close() }
}
