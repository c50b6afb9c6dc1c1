package import Foundation
import Kernel

/// The hash of the page for phones that is installed here, by which a phone holds what a hub serves against what its computer has. It is made
/// once, when it is first asked for.
package struct PhonePageHash: Sendable {
    private let hash: OnceMade<String?>

    /// - Parameters:
    ///   - folder: The page's own files; nil where they are not installed.
    ///   - bundles: Folders in which a bundle of these files may be, which is served in their place.
    ///   - terminal: The files that draw its terminal.
    package init(files folder: URL?, bundles: [URL] = [], terminal: TerminalFiles?) {
        hash = OnceMade {
            try await PhonePage.work.finish {
                let bundle = PhoneBundle(files: folder, bundles: bundles, terminal: terminal, version: "")
                return bundle.isComplete ? bundle.hash : nil
            }
        }
    }

    /// Whether one of the folders holds a bundle of just these files, which is served in their place. All of the page is read for it.
    package static func isBundled(files folder: URL, in bundles: [URL]) async -> Bool {
        (try? await PhonePage.work.finish { BundledPage.find(in: bundles, madeOf: folder) != nil }) ?? false
    }

    /// SHA-256 in hexadecimal digits; nil where the page is not installed.
    package func value() async throws -> String? { try await hash.value() }
}
