import Control
import Kernel
import Logging

/// Ends what methods do for browsers once these are signed out: by themselves, all at once, after their thirty days, or for a newer one. Who
/// is bound is on the disk, so that it also ends after a restart.
struct BoundBrowsers: Sendable {
    /// How often browsers are looked for whose time is over.
    static let pace = Duration.seconds(3600)

    let bindings: [BrowserBinding]
    let signIn: SignIn
    /// The role's methods.
    let control: ControlTable
    let time: any TimeSource
    let logger: Logger

    /// Notes a call; do so before the method is called: a failure between the two ends it for nothing, and it goes on for nobody.
    func note(_ method: String, _ params: JSONValue, of session: SignIn.Session?) async throws {
        guard let session, let binding = bindings.first(where: { $0.method == method }), binding.begins(params) else {
            return
        }
        try await signIn.bind(method, to: session)
    }

    /// Works until its task is cancelled.
    func run() async {
        guard !bindings.isEmpty else { return }
        await withDiscardingTaskGroup { group in
            group.addTask {
                while await time.pause(for: Self.pace) { signIn.dropEnded() }
            }
            group.addTask {
                for await open in signIn.open() {
                    for binding in bindings { await end(binding, besides: open) }
                }
            }
        }
    }

    /// Ends all when no browser is signed in any more, also work that began before it was noted for whom.
    func endAll() async {
        for binding in bindings { await end(binding, besides: nil) }
    }

    /// - Parameter open: The browsers that are signed in: what is done for one of them goes on. Nil: nothing does.
    private func end(_ binding: BrowserBinding, besides open: Set<SignIn.Session>?) async {
        do {
            let bound = try await signIn.bound(binding.method)
            if let open {
                guard let bound, !open.contains(bound) else { return }
            }
            _ = try await control.handle(ControlRequest(id: 0, method: binding.method, params: binding.ending))
            if let bound { try await signIn.unbind(binding.method, from: bound) }
        } catch {
            // It is still noted: the next look, an hour later at most, tries again.
            logger.error(
                "what was done for a browser that is signed out goes on",
                metadata: ["method": "\(binding.method)", "reason": "\(error)"]
            )
        }
    }
}
