import Clipboard
public import CommandClient
import Files
import Notifications
public import Rights
import Screen
import SystemInfo
import Terminal
import Threads

extension [PhoneFeatureMaker] {
    /// What an app has: a line for each feature.
    public static var standard: [PhoneFeatureMaker] {
        [
            SystemFeature.maker, ClipboardFeature.maker, ScreenFeature.maker, FilesFeature.maker,
            TerminalFeature.maker, ThreadsFeature.maker, NotificationsFeature.maker,
        ]
    }

    /// The rights that these features declare. Messages between phone and computer have been every phone's right since the first version.
    public var rights: RightsCatalogue { RightsCatalogue([.notification] + flatMap(\.rights)) }
}
