import Foundation
import HomeTesting
import Kernel
import Signaling

/// A run of a phone's program that ends when the test says so, so that the runs of two phones overlap as they like.
actor PhoneRun {
    private let ending = LatestValue(false)
    private let begun = LatestValue(0)
    private var result: Result<MovingPhone, any Error>?
    private var task: Task<Void, Never>?

    /// - Throws: Why the program did not start.
    static func start(
        _ name: String,
        in folder: StateFolder,
        of home: Home,
        signaling: (access: SignalAccess, hub: URL)? = nil
    ) async throws -> PhoneRun {
        let run = PhoneRun()
        await run.begin(name, folder, home, signaling)
        for await count in run.begun.values() where count > 0 { break }
        _ = try await run.phone
        return run
    }

    /// - Throws: Why it did not start; `HomeError.stopped` behind ``end()``.
    var phone: MovingPhone {
        get throws {
            guard let result else { throw HomeError.stopped }
            return try result.get()
        }
    }

    private func begin(
        _ name: String,
        _ folder: StateFolder,
        _ home: Home,
        _ signaling: (access: SignalAccess, hub: URL)?
    ) {
        task = Task {
            do {
                try await MovingPhone.run(name, in: folder, of: home, signaling: signaling) { phone in
                    await self.note(.success(phone))
                    for await isEnding in self.ending.values() where isEnding { return }
                }
            } catch {
                note(.failure(error))
            }
        }
    }

    private func note(_ result: Result<MovingPhone, any Error>) {
        self.result = result
        begun.update { $0 += 1 }
    }

    /// Ends the program as at shutdown, and lets go of its state folder.
    func end() async {
        ending.set(true)
        await task?.value
        result = nil
    }
}
