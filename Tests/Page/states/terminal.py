from states import State

COMPUTER = "9f0c6a1be2d34775a1c0ffee00d15ea5"
LIST = f"#/computers/{COMPUTER}/terminal"
SESSION = f"{LIST}?session=s-4f2a91c0"


def ready(page):
    page.wait_for_selector(".xterm-rows > div")
    page.wait_for_selector(".terminal-view:not([hidden]) .xterm-rows:has-text('$')")


def typed(line, text=None):
    """Types a line into the terminal and waits for what it writes."""

    def prepare(page):
        ready(page)
        page.evaluate("(line) => [...fake.shells.values()].at(-1).write(line + '\\r')", line)
        if text:
            page.wait_for_selector(text)

    return prepare


def new_session(page):
    page.click(".terminal-new > .icon-button, .empty-actions > .icon-button")
    page.wait_for_selector("dialog[open]")


def refused_shell(page):
    new_session(page)
    page.fill("dialog input >> nth=0", "nope")
    page.click("dialog .button.primary")
    page.wait_for_selector("dialog .failed")


def more_keys(page):
    ready(page)
    page.click(".key[aria-expanded]")
    page.click(".compose-key")
    page.fill(".compose-text", "echo 你好，世界")


def closing(page):
    ready(page)
    page.click(".terminal-head [aria-haspopup=menu] >> nth=-1")
    page.click(".menu-item.danger")
    page.wait_for_selector("dialog[open]")


STATES = [
    State("terminal-list", role="phone", hash=LIST),
    State("terminal-empty", role="phone", hash=LIST, scenario="no-terminals"),
    State("terminal-not-allowed", role="phone", hash=LIST, scenario="not-allowed"),
    State("terminal-away", role="phone", hash=LIST, scenario="away"),
    State("terminal-new", role="phone", hash=LIST, prepare=new_session),
    State("terminal-shell-refused", role="phone", hash=LIST, prepare=refused_shell),
    State("terminal-session", role="phone", hash=SESSION, prepare=ready),
    State("terminal-gone", role="phone", hash=f"{LIST}?session=s-none"),
    State("terminal-more-keys", role="phone", hash=SESSION, prepare=more_keys, wide=False),
    State("terminal-ended", role="phone", hash=SESSION, prepare=typed("exit", ".terminal-strips .banner")),
    State("terminal-lost", role="phone", hash=SESSION, prepare=typed("lose", ".terminal-strips .banner")),
    State("terminal-clipboard-asked", role="phone", hash=SESSION, prepare=typed("osc52", ".terminal-strips .banner")),
    State("terminal-hostile", role="phone", hash=SESSION, prepare=typed("evil")),
    State("terminal-close", role="phone", hash=SESSION, prepare=closing),
]
