package import Control
package import Kernel
package import MigrationRestore

/// What a person is shown of a move on one of its phones: the view of the wizard, whichever side it is on. Commands and pages draw it and decide
/// nothing themselves.
package struct MigrationFlowState: Codable, Hashable, Sendable {
    package enum Role: String, Codable, Hashable, Sendable {
        case oldPhone = "old"
        case newPhone = "new"
    }

    package enum Step: String, Codable, Hashable, Sendable {
        /// Nothing is under way.
        case idle
        /// The old phone ends its sessions and reads its data; on the new phone: the other one does.
        case preparing
        /// The old phone writes the package into a file.
        case writing
        /// The new phone shows its PIN and its code.
        case showing
        case connecting
        /// The old phone's person has to type the PIN or scan the code (`migrate.enter`).
        case entering
        /// The new phone's person has to agree and to give the password (`migrate.agree`).
        case agreeing
        case sending
        case receiving
        /// The new phone reads the package, proves it and puts it together beside its own data.
        case restoring
        /// All of it is there and proved; the next start of the new phone's program puts it into place.
        case ready
        case done
        case failed
    }

    @OrNull package var role: Role?
    package var step = Step.idle
    /// The package's file on this machine; nil where it moves between two phones.
    @OrNull package var path: String?
    /// The other phone, by the name that it gives itself.
    @OrNull package var peer: String?
    /// Six digits for the old phone's person; on the new phone only, while nobody used them.
    @OrNull package var pin: String?
    /// The text of the code to scan, under the same terms.
    @OrNull package var code: String?
    /// Where this phone listens, the likeliest first: `host:port`, and a room at a hub (`wss://hub.example.net#7kq2m-x94fd`). Empty where it dials.
    package var addresses: [String] = []
    /// Whether this phone dials the other one, which listens.
    package var dials = false
    package var isLinked = false
    /// Of all that is to be done, 0 to 1.
    package var fraction: Double = 0
    package var doneBytes: Int64 = 0
    package var totalBytes: Int64 = 0
    /// Seconds; nil until a rate is known.
    @OrNull package var timeLeft: Int64?
    /// Why this phone waits, a word such as `user` or `diskFull`; nil where it does not.
    @OrNull package var pausedHere: String?
    /// Why the other phone waits.
    @OrNull package var pausedThere: String?
    /// What keeps it from going on at the moment.
    @OrNull package var trouble: Failure?
    /// What an old phone offers, while the new phone's person is asked.
    @OrNull package var offer: Offer?
    /// Whether the person agreed that the next start of the program replaces this phone's data.
    package var isAgreed = false
    /// Whether this phone's program can start itself again. Then it does so a moment after the person agreed, and nobody has to.
    package var canStartAgain = false
    /// What this phone has and the move replaces, while the new phone's person is asked; nil where nobody could count it.
    @OrNull package var own: Own?
    /// Why it ended, where it failed.
    @OrNull package var failure: Failure?
    /// What came, once it was proved; where nothing is under way, what came with the data that this phone has.
    @OrNull package var report: RestoreReport?
    /// The way back to the data that was replaced.
    @OrNull package var undo: Undo?
    /// What the last start of the program put into place.
    @OrNull package var lastStart: LastStart?

    package struct Failure: Codable, Hashable, Sendable {
        /// The case, by which a page says it in its language; nil where there is only the sentence.
        @OrNull package var reason: String?
        package var message: String
        /// For the page's sentence, such as how many tries are left.
        package var values: [String: JSONValue]

        init(_ error: any Error) {
            let facts = (error as? any ClassifiedError)?.facts
            (reason, message, values) = (facts?.reason, "\(error)", facts?.values ?? [:])
        }
    }

    package struct Offer: Codable, Hashable, Sendable {
        /// Records by their table.
        package var counts: [String: Int]
        package var mediaFiles: Int
        package var mediaBytes: UInt64
        /// Media that the old phone could not read; their records come.
        package var brokenMedia: Int
        /// Bytes of this phone's disk.
        package var neededBytes: Int64
        package var freeBytes: Int64
    }

    package struct Own: Codable, Hashable, Sendable {
        /// Records of the journal by their table.
        package var counts: [String: Int]
        /// Paired computers.
        package var computers: Int

        package init(counts: [String: Int], computers: Int) {
            self.counts = counts
            self.computers = computers
        }
    }

    package struct Undo: Codable, Hashable, Sendable {
        /// Milliseconds since 1970-01-01T00:00:00Z.
        package var until: Int64
        package var since: Int64
        /// Records of the journal that were written since, which going back hides; nil where nobody could count them.
        @OrNull package var changes: Int?
    }

    package struct LastStart: Codable, Hashable, Sendable {
        /// `restore` or `undo`.
        package var change: String
        /// Why nothing changed; nil where it is done.
        @OrNull package var failure: String?
    }

    package init() {}

    init(_ role: Role?, _ step: Step, path: String? = nil, canStartAgain: Bool) {
        self.role = role
        self.step = step
        self.path = path
        self.canStartAgain = canStartAgain
    }
}
