public import Kernel
import Sealing
public import Signaling

/// Dials the other phone in its room at a hub. Nothing is sent to the hub before the first attempt.
public actor RelayLinkDialer: MigrationLinks {
    /// How long the hub may take to answer, and the other phone behind it.
    private static let patience = Duration.seconds(10)

    public nonisolated var dials: Bool { true }
    private let place: RelayPlace
    private let access: SignalAccess
    private let time: any TimeSource
    private var opening: Task<RelayStation, any Error>?

    public init(_ place: RelayPlace, through access: SignalAccess, time: any TimeSource) {
        self.place = place
        self.access = access
        self.time = time
    }

    public func next() async throws -> any MigrationLink {
        let station = try await station()
        try await station.untilRegistered(within: Self.patience)
        return try await station.dial(try place.room.identity().did.text, within: Self.patience)
    }

    /// Leaves the hub.
    public func close() async {
        guard let opening else { return }
        // One that could not be opened has nothing to end.
        try? await opening.value.close()
    }

    private func station() async throws -> RelayStation {
        if let opening { return try await opening.value }
        let opening = Task { [place, access, time] in
            // Nobody has to know again who dials, so its keys are those of this run.
            try await RelayStation.open(place, as: Identity(), accepts: false, through: access, time: time)
        }
        self.opening = opening
        return try await opening.value
    }
}
