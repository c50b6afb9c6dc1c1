import Clipboard
public import CommandClient
import Files
public import Notifications
public import Rights
import Screen
import SystemInfo
import Terminal
import Threads

extension [PhoneFeatureMaker] {
    /// What an app has whose pages and commands show notifications.
    public static var standard: [PhoneFeatureMaker] { standard(presenter: FollowedPresenter()) }

    /// What an app has: a line for each feature.
    ///
    /// - Parameter presenter: Shows notifications as they come.
    public static func standard(presenter: any NotificationPresenter) -> [PhoneFeatureMaker] {
        [
            SystemFeature.maker, ClipboardFeature.maker, ScreenFeature.maker, FilesFeature.maker,
            TerminalFeature.maker, ThreadsFeature.maker, NotificationsFeature.maker(presenter: presenter),
        ]
    }

    /// The rights that these features declare. Messages between phone and computer have been every phone's right since the first version.
    public var rights: RightsCatalogue { RightsCatalogue([.notification] + flatMap(\.rights)) }
}
