/// The rules of one kind of bearer secrets.
package struct BearerPolicy: Sendable {
    package enum WhenFull: Sendable {
        case refuse
        case dropOldest
    }

    /// The rules by which a secret is replaced for a bearer that takes another.
    package struct Succession: Sendable {
        /// The age from which on.
        package let age: Duration
        /// How long a secret is good beside the one that was told in its place.
        package let overlap: Duration

        package init(age: Duration, overlap: Duration) {
            self.age = age
            self.overlap = overlap
        }
    }

    /// The most entries.
    package let limit: Int
    package let whenFull: WhenFull
    /// Nil: secrets are not replaced.
    package let succession: Succession?
    /// The time between two notes of the same visitor.
    package let visitInterval: Duration

    package init(
        limit: Int,
        whenFull: WhenFull,
        succession: Succession? = nil,
        visitInterval: Duration = .seconds(60)
    ) {
        self.limit = limit
        self.whenFull = whenFull
        self.succession = succession
        self.visitInterval = visitInterval
    }
}

/// Why a secret is not kept. The description is shown to the person: what happened, then what to do.
package enum BearerError: Error, Hashable, Sendable, CustomStringConvertible {
    case full(limit: Int)

    package var description: String {
        switch self {
        case .full(let limit): "There are \(limit) already. Take one back that is not used."
        }
    }
}
