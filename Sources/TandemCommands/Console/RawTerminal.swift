import Foundation
import Synchronization

/// The person's own terminal, handing over every key as it is typed. Put back by ``restore()``.
final class RawTerminal: Sendable {
    private let putBack: Mutex<(@Sendable () -> Void)?>

    /// - Parameter putBack: Called once.
    init(restoring putBack: @escaping @Sendable () -> Void) { self.putBack = Mutex(putBack) }

    /// The process's own. Nil when stdin is no terminal.
    convenience init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        let before = settings
        cfmakeraw(&settings)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        self.init {
            var settings = before
            tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        }
    }

    func restore() { putBack.withLock { $0.take() }?() }
}
