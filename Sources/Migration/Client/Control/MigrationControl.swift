package import Control

/// What commands and pages on this machine ask of a phone's move. Whatever begins something answers at once with the state of the wizard, and goes
/// on without its asker; ``watch`` shows how it goes. PIN and password are in no answer but the one that shows the new phone's own PIN.
package enum MigrationControl {
    /// Told after each change, without data.
    package static let topic = "migrate"

    package static let state = ControlMethod<NoControlParameters, MigrationFlowState>(
        "migrate.state",
        summary: "How far a move is on this phone, and what it waits for."
    )
    package static let watch = ControlStream<NoControlParameters, MigrationFlowState, MigrationFlowState>(
        "migrate.watch",
        summary: "Each state of the move until it ends or waits for a start of the program."
    )
    package static let export = ControlMethod<Export, MigrationFlowState>(
        "migrate.export",
        summary: "Write this phone's data into a sealed package; the phone rests from then on."
    )
    package static let restore = ControlMethod<Restore, MigrationFlowState>(
        "migrate.restore",
        summary: "Read a package and prove it; nothing is replaced yet."
    )
    package static let send = ControlMethod<Send, MigrationFlowState>(
        "migrate.send",
        summary: "Send this phone's data to a new phone: in the same network, or through a hub."
    )
    package static let receive = ControlMethod<Receive, MigrationFlowState>(
        "migrate.receive",
        summary: "Wait for an old phone and show it a PIN and a code."
    )
    package static let enter = ControlMethod<Entry, MigrationFlowState>(
        "migrate.enter",
        summary: "Give the old phone the PIN or the code that the new one shows."
    )
    package static let agree = ControlMethod<Agreement, MigrationFlowState>(
        "migrate.agree",
        summary: "Agree that the data comes, or that it takes the place of this phone's."
    )
    package static let pause = ControlMethod<NoControlParameters, MigrationFlowState>(
        "migrate.pause",
        summary: "Let the transfer wait."
    )
    package static let resume = ControlMethod<NoControlParameters, MigrationFlowState>(
        "migrate.resume",
        summary: "Go on with the transfer."
    )
    package static let cancel = ControlMethod<NoControlParameters, MigrationFlowState>(
        "migrate.cancel",
        summary: "End the move; both phones keep what they had."
    )
    package static let rollback = ControlMethod<NoControlParameters, MigrationFlowState>(
        "migrate.rollback",
        summary: "Go back to the data that a restore replaced, at the next start of the program."
    )
    /// What the person agreed to begins it by itself; this is for one who waits for nothing else, and for a phone that rested.
    package static let restart = ControlMethod<NoControlParameters, MigrationFlowState>(
        "migrate.restart",
        summary: "Start this phone's program again, where that is all that it waits for."
    )

    package struct Export: Codable, Hashable, Sendable {
        /// A file of this machine that is not there yet.
        package var path: String
        package var password: String
        /// The journal alone: the phone goes on, and nothing but the journal is in the package.
        package var journalOnly: Bool?

        package init(path: String, password: String, journalOnly: Bool? = nil) {
            self.path = path
            self.password = password
            self.journalOnly = journalOnly
        }
    }

    package struct Restore: Codable, Hashable, Sendable {
        package var path: String
        package var password: String

        package init(path: String, password: String) {
            self.path = path
            self.password = password
        }
    }

    package struct Send: Codable, Hashable, Sendable {
        /// Where the new phone listens: `host:port`, or a room at a hub as it is shown there. May be empty where a code says it; else this phone
        /// listens, and shows where.
        package var addresses: [String]
        package var password: String
        /// What was scanned; nil where a PIN is typed (``enter``).
        package var code: String?
        /// Where this phone listens: a numeric address of this machine and a port, 0 for any; nil for all addresses and any port.
        package var host: String?
        package var port: Int?

        package init(
            addresses: [String],
            password: String,
            code: String? = nil,
            host: String? = nil,
            port: Int? = nil
        ) {
            self.addresses = addresses
            self.password = password
            self.code = code
            self.host = host
            self.port = port
        }
    }

    package struct Receive: Codable, Hashable, Sendable {
        /// A numeric address of this machine and a port, 0 for any; nil for all addresses and any port.
        package var host: String?
        package var port: Int?
        /// Where the old phone listens, as it is shown there; nil where this phone listens.
        package var addresses: [String]?

        package init(host: String? = nil, port: Int? = nil, addresses: [String]? = nil) {
            self.host = host
            self.port = port
            self.addresses = addresses
        }
    }

    package struct Entry: Codable, Hashable, Sendable {
        /// Six digits.
        package var pin: String?
        package var code: String?

        package init(pin: String? = nil, code: String? = nil) {
            self.pin = pin
            self.code = code
        }
    }

    package struct Agreement: Codable, Hashable, Sendable {
        /// For a package that an old phone offers; nil for one that was restored from a file.
        package var password: String?

        package init(password: String? = nil) { self.password = password }
    }
}
