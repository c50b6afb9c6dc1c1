package import CommandServer
import Commands
package import Foundation
import Kernel

/// What every paired device may ask: that the computer is there.
package enum SystemMethods {
    /// `system.ping` answers `{"pong":true,"ts":…,"version":…}`. Source: `docs/protocol.md`, "System".
    package static func ping(version: String, now: @escaping @Sendable () -> Date = { Date() }) -> RemoteMethod {
        RemoteMethod("system.ping", permission: nil, risk: .safe) { _, _ in
            ["pong": true, "ts": .integer(now().millisecondsSince1970), "version": .string(version)]
        }
    }
}
