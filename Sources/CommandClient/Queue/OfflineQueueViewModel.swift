public import Foundation
public import Observation

/// The commands that wait for their computers.
@MainActor @Observable
public final class OfflineQueueViewModel {
    /// The functions that the screen calls, so that previews need no phone.
    public struct Dependencies: Sendable {
        /// The list now and after each change, oldest first: ``OfflineCommandQueue/list()``.
        public var commands: @Sendable () -> AsyncStream<[OfflineCommand]>
        /// Events from now on: ``OfflineCommandQueue/events()``.
        public var events: @Sendable () -> AsyncStream<OfflineQueueEvent>
        /// Tries a failed command again, by its id.
        public var retry: @Sendable (UUID) async throws -> Void
        /// Takes a command out of the queue, by its id.
        public var remove: @Sendable (UUID) async throws -> Void
        /// Clears the queue of one computer, or with nil of all.
        public var clear: @Sendable (String?) async throws -> Void

        public init(
            commands: @escaping @Sendable () -> AsyncStream<[OfflineCommand]>,
            events: @escaping @Sendable () -> AsyncStream<OfflineQueueEvent>,
            retry: @escaping @Sendable (UUID) async throws -> Void,
            remove: @escaping @Sendable (UUID) async throws -> Void,
            clear: @escaping @Sendable (String?) async throws -> Void
        ) {
            self.commands = commands
            self.events = events
            self.retry = retry
            self.remove = remove
            self.clear = clear
        }

        public init(_ queue: OfflineCommandQueue) {
            self.init(
                commands: { queue.list() },
                events: { queue.events() },
                retry: { try await queue.retry($0) },
                remove: { try await queue.remove($0) },
                clear: { try await queue.clear(for: $0) }
            )
        }
    }

    /// Oldest first; nil until they were read.
    public private(set) var commands: [OfflineCommand]?
    /// The end of a command that the person may believe to wait: it failed, or made room for another.
    public private(set) var notice: String?
    /// Why the last request failed; the list is unchanged then.
    public private(set) var failureMessage: String?
    private let dependencies: Dependencies

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Commands that are still to be done, or on their way.
    public var waitingCount: Int { (commands ?? []).count { $0.status != .failed } }
    /// Commands that are not tried any more.
    public var failedCount: Int { (commands ?? []).count { $0.status == .failed } }

    /// Follows the list until the task is cancelled: called from the screen's `.task`.
    public func follow() async {
        for await list in dependencies.commands() { commands = list }
    }

    /// Follows what happens until the task is cancelled: called from another `.task`.
    public func followEvents() async {
        for await event in dependencies.events() {
            switch event {
            case .failed(let command):
                notice = "\(command.method) was not done: \(command.errorMessage ?? "no reason was given.")"
            case .evicted(let command):
                notice = """
                    \(OfflineCommandQueue.capacity) commands wait already, so the oldest will not be sent: \
                    \(command.method). Send it again once the computer is connected.
                    """
            case .queued, .delivered, .removed: break
            }
        }
    }

    /// Tries a failed command again. When that could not be written down, ``failureMessage`` says why.
    public func retry(_ command: OfflineCommand) async {
        await perform { [dependencies] in try await dependencies.retry(command.id) }
    }

    /// Takes a command out of the queue. When that could not be written down, ``failureMessage`` says why.
    public func remove(_ command: OfflineCommand) async {
        await perform { [dependencies] in try await dependencies.remove(command.id) }
    }

    /// Called after the person confirmed.
    public func clear(for desktopID: String? = nil) async {
        await perform { [dependencies] in try await dependencies.clear(desktopID) }
    }

    /// The person has read ``notice``.
    public func dismissNotice() { notice = nil }

    /// The person has read ``failureMessage``.
    public func dismissFailure() { failureMessage = nil }

    private func perform(_ work: @Sendable () async throws -> Void) async {
        failureMessage = nil
        do { try await work() } catch { failureMessage = "\(error)" }
    }
}
