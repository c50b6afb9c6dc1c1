import ClipboardHost
import CommandServer
import FeatureTesting
import ScreenHost

/// A clipboard and a screen in memory, for tests that ask who may use them and not what is there.
enum MemoryDesktopSession {
    static var features: [CommandFeatureMaker] {
        let pictures = InMemoryPictures()
        return [
            ClipboardSkill.maker(clipboard: InMemoryClipboard(text: "copied"), pictures: pictures),
            ScreenSkill.maker(screen: InMemoryScreen(pictures.picture(width: 40, height: 30)), pictures: pictures),
        ]
    }
}
