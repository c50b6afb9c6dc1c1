import Capabilities
import Foundation

/// Whether this computer's half goes on when its person signs out, where the system's services start it.
///
/// The services of an account end with its last session, unless the account may linger. Source: `loginctl(1)`.
enum Lingering {
    private static let command = "loginctl enable-linger"

    /// - Parameters:
    ///   - account: The person's name on this machine.
    ///   - configuration: The person's folder of settings, such as `~/.config`.
    ///   - root: Stands before the system's paths.
    /// - Returns: Nil where Tandem is not started with the account's services, or goes on.
    static func check(account: String, configuration: String, root: String = "") -> DoctorCheck? {
        let files = FileManager.default
        let unit = configuration + "/systemd/user/default.target.wants/tandem-desktop.service"
        // A link, to a file that need not be there any more.
        let isStarted = (try? files.attributesOfItem(atPath: unit)) != nil
        guard isStarted, files.fileExists(atPath: root + "/run/systemd/system"),
            !files.fileExists(atPath: root + "/var/lib/systemd/linger/" + account)
        else { return nil }
        return DoctorCheck(
            name: "Staying on",
            works: false,
            detail: "it starts with this computer's services and ends when you sign out: \(command)",
            mend: command
        )
        .saying("notLingering")
    }
}
