public import Capabilities
import Clipboard
public import CommandClient
import Files
public import Notifications
import PortForwarding
import Power
import RemoteInput
public import Rights
import SavedCommands
import Screen
import SystemInfo
import Terminal
import Threads

extension [PeerFeatureMaker] {
    /// The features of an app whose pages and commands show notifications.
    public static var standard: [PeerFeatureMaker] { standard(presenter: FollowedPresenter()) }

    /// The features of an app: a line for each.
    ///
    /// - Parameter presenter: Shows notifications as they come.
    public static func standard(presenter: any NotificationPresenter) -> [PeerFeatureMaker] {
        [
            SystemFeature.maker, ClipboardFeature.maker, ScreenFeature.maker, FilesFeature.maker,
            TerminalFeature.maker, ThreadsFeature.maker, NotificationsFeature.maker(presenter: presenter),
            SavedCommandsFeature.maker, PowerFeature.maker, RemoteInputFeature.maker, PortsFeature.maker,
        ]
    }

    /// The rights that these features declare.
    public var rights: RightsCatalogue { map(\.manifest).rights }
}
