import Screen
import Testing

@testable import LinuxDesktopTools

@Suite("Lists of displays", .timeLimit(.minutes(4)))
struct DisplayListTests {
    private let two = [
        Display(id: 0, name: "HDMI-1", x: 1920, y: -120, width: 2560, height: 1440, isPrimary: true),
        Display(id: 1, name: "eDP-1", x: 0, y: 0, width: 1920, height: 1080, isPrimary: false),
    ]

    @Test("xrandr's list is read, the primary one first")
    func xrandr() {
        let text = """
            Monitors: 2
             0: +eDP-1 1920/344x1080/194+0+0  eDP-1
             1: +*HDMI-1 2560/597x1440/336+1920-120  HDMI-1
            """
        #expect(DisplayList.xrandr(text) == two)
    }

    @Test("wlr-randr's list is read without the outputs that are off")
    func wlrRandr() {
        let text = """
            HEADLESS-1 "Headless output 1"
              Enabled: yes
              Modes:
                1280x720 px, 60.000000 Hz (preferred)
                1920x1080 px, 60.000000 Hz (preferred, current)
              Position: 0,0
              Transform: normal
              Scale: 1.000000
            DP-2 "Maker Model 123"
              Enabled: no
              Modes:
                2560x1440 px, 59.951000 Hz (preferred)
            DP-3 "Another"
              Enabled: yes
              Modes:
                800x600 px, 60.000000 Hz (current)
              Position: 1920,40
            """
        #expect(
            DisplayList.wlrRandr(text) == [
                Display(id: 0, name: "HEADLESS-1", x: 0, y: 0, width: 1920, height: 1080, isPrimary: true),
                Display(id: 1, name: "DP-3", x: 1920, y: 40, width: 800, height: 600, isPrimary: false),
            ]
        )
    }

    @Test("sway's list is read, the focused one first")
    func sway() {
        let json = """
            [{"name":"eDP-1","active":true,"focused":false,"rect":{"x":0,"y":0,"width":960,"height":540},
              "current_mode":{"width":1920,"height":1080,"refresh":60000}},
             {"name":"HDMI-1","active":true,"focused":true,"rect":{"x":1920,"y":-120,"width":2560,"height":1440}},
             {"name":"DP-9","active":false,"rect":{"x":0,"y":0,"width":0,"height":0}}]
            """
        #expect(DisplayList.sway(Array(json.utf8)) == two)
    }

    @Test(
        "what is no list has no displays",
        arguments: ["", "Monitors: 1\n 0: +x 0/1x0/1+0+0 x", "nonsense\n  a: b", "{"]
    )
    func nonsense(text: String) {
        #expect(DisplayList.xrandr(text).isEmpty)
        #expect(DisplayList.wlrRandr(text).isEmpty)
        #expect(DisplayList.sway(Array(text.utf8)).isEmpty)
    }
}
