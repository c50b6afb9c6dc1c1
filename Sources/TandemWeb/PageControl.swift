package import Control
import Kernel

/// The control methods of a role's page, for commands on this machine.
package enum PageControl {
    package static let link = ControlMethod<NoControlParameters, Link>(
        "page.link",
        summary: "A link that signs one browser in to this role's page, once and within two minutes."
    )
    package static let place = ControlMethod<NoControlParameters, Place>(
        "page.place",
        summary: "Where this role's page is."
    )
    package static let signOut = ControlMethod<NoControlParameters, SignedOut>(
        "page.signOut",
        summary: "Signs every browser out of this role's page."
    )

    package struct Link: Codable, Hashable, Sendable {
        package var url: String
        /// Milliseconds since 1970-01-01T00:00:00Z.
        package var expiresAt: Int64
        /// Whether the terminal can be drawn, and whether the page's own files are there.
        package var terminal: Bool
        package var files: Bool
    }

    package struct Place: Codable, Hashable, Sendable {
        package var url: String
    }

    package struct SignedOut: Codable, Hashable, Sendable {
        /// Browsers that were signed in.
        package var browsers: Int
    }
}
