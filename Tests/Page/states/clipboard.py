from states import State

HASH = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/clipboard"


def fetch(page):
    page.click(".clip-card >> nth=0 >> .button.primary")


def send(page):
    page.fill("textarea", "Milch, Brot, 鸡蛋")
    page.click(".clip-card.way .button.primary")


def send_later(page):
    page.fill("textarea", "Milch, Brot, 鸡蛋")
    page.click(".clip-card.way .clip-actions .button:visible >> nth=-1")


def paste_html(page):
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData('text/html', '<b>Minutes</b>');
            data.setData('text/plain', 'Minutes');
            document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        }"""
    )


def history(page):
    page.click(".clip-wide .button")


def clear_history(page):
    history(page)
    page.click(".clip-wide .clip-actions .button.quiet")
    page.wait_for_selector("dialog[open]")


STATES = [
    State("clipboard", role="phone", hash=HASH),
    State("clipboard-text", role="phone", hash=HASH, prepare=fetch),
    State("clipboard-html", role="phone", hash=HASH, scenario="html", prepare=fetch),
    State("clipboard-picture", role="phone", hash=HASH, scenario="picture", prepare=fetch),
    State("clipboard-files", role="phone", hash=HASH, scenario="copiedfiles", prepare=fetch),
    State("clipboard-nothing", role="phone", hash=HASH, scenario="nothing", prepare=fetch),
    State("clipboard-not-allowed", role="phone", hash=HASH, scenario="refused", prepare=fetch),
    State("clipboard-sent", role="phone", hash=HASH, prepare=send),
    State("clipboard-pasted-html", role="phone", hash=HASH, prepare=paste_html),
    State("clipboard-away", role="phone", hash=HASH, scenario="away", prepare=send_later),
    State("clipboard-history", role="phone", hash=HASH, prepare=history),
    State("clipboard-history-clear", role="phone", hash=HASH, prepare=clear_history),
    State("clipboard-history-empty", role="phone", hash=HASH, scenario="empty-history", prepare=history),
    State("clipboard-history-off", role="phone", hash=HASH, scenario="no-history", prepare=history),
    State("clipboard-history-hostile", role="phone", hash=HASH, scenario="hostile", prepare=history),
    State("clipboard-history-away", role="phone", hash=HASH, scenario="away", prepare=history),
]
