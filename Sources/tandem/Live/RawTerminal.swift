import Foundation
import Synchronization

/// The person's own terminal, handing over every key as it is typed. Put back by ``restore()``.
final class RawTerminal: Sendable {
    private let before: Mutex<termios?>

    /// Nil when stdin is no terminal.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = Mutex(settings)
        cfmakeraw(&settings)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    func restore() {
        guard var settings = before.withLock({ $0.take() }) else { return }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// Columns and rows of the terminal on stdout; nil when there is none.
    static func size() -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
