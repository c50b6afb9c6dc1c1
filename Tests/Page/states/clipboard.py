from states import State

HASH = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/clipboard"


def fetch(page):
    page.click(".clip-card >> nth=0 >> .button.primary")
    page.wait_for_timeout(300)


def send(page):
    page.fill("textarea", "Milch, Brot, 鸡蛋")
    page.click(".clip-card.way .button.primary")
    page.wait_for_timeout(300)


def paste_html(page):
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData('text/html', '<b>Minutes</b>');
            data.setData('text/plain', 'Minutes');
            document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        }"""
    )


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
    State("clipboard-away", role="phone", hash=HASH, scenario="away", prepare=send),
]
