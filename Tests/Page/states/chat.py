from states import State

GRACE = "si_tb_7_tb_9"
HOME = "#/chats"
ONE = f"#/chats/{GRACE}"


def rows(page):
    page.wait_for_selector(".chat-row, .empty, .banner")


def said(page):
    page.wait_for_selector(".said, .flow-begin, .empty, .banner")
    page.wait_for_timeout(80)


def top(page):
    said(page)
    page.evaluate("document.querySelector('.talk-flow').scrollTop = 0")
    page.wait_for_timeout(150)


def news(page):
    top(page)
    page.evaluate("fake.chat.come('tb_9', { text: 'Are you there?' }); fake.chat.come('tb_9', { text: 'It begins at three.' })")
    page.wait_for_selector(".below.primary")


def row_menu(page):
    rows(page)
    page.locator(".chat-link").first.click(button="right")
    page.wait_for_selector(".menu")


def message_menu(page):
    said(page)
    page.locator(".said.is-mine .bubble.is-text").last.click(button="right")
    page.wait_for_selector(".menu")


def found(page):
    rows(page)
    page.fill(".chat-search input", "the")
    page.wait_for_selector(".found-row, .found .empty")


def found_nothing(page):
    rows(page)
    page.fill(".chat-search input", "zzzz")
    page.wait_for_selector(".found .empty")


def found_here(page):
    page.fill("input[type=search]", "the")
    page.wait_for_selector(".found-row, .found .empty")


def typing(page):
    said(page)
    page.evaluate("fake.chat.tell({ typing: { conversation: '%s', isTyping: true } })" % GRACE)
    page.wait_for_selector(".talk-about.is-typing")


def written(page):
    said(page)
    page.fill(".write-text", "The second drawing is better:\nit shows where the relay stands,\nand what it can read.\n\nI would leave out the legend.\nAnd the colours.")


def not_sent(page):
    written(page)
    page.click(".write-line .icon-button.primary")
    page.wait_for_selector(".write-trouble .banner")


def tray(page, count=1):
    said(page)
    page.evaluate("""async (count) => {
        const canvas = new OffscreenCanvas(400, 300);
        const pen = canvas.getContext('2d');
        const files = [];
        for (let at = 0; at < count; at += 1) {
            pen.fillStyle = ['#27576b', '#6b3f27', '#2f6b3a'][at % 3];
            pen.fillRect(0, 0, 400, 300);
            files.push(new File([await canvas.convertToBlob({ type: 'image/png' })], `p${at}.png`, { type: 'image/png' }));
        }
        const data = new DataTransfer();
        for (const file of files) data.items.add(file);
        document.querySelector('.talk').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }""", count)
    page.wait_for_selector(".tray-picture")


def several(page):
    tray(page, 3)


def viewer(page):
    said(page)
    page.evaluate("document.querySelector('.talk-flow').scrollTop = 200")
    page.wait_for_timeout(120)
    page.locator(".picture:not(.is-gone)").first.click()
    page.wait_for_selector(".show[open]")
    page.wait_for_timeout(120)


def held(page):
    said(page)
    page.locator(".flash.is-closed").last.scroll_into_view_if_needed()
    page.locator(".flash.is-closed").last.focus()
    page.keyboard.down("Enter")
    page.wait_for_selector(".flash-shown")


def report(page):
    page.wait_for_selector(".profile")
    page.get_by_role("button", name="Report", exact=True).or_(page.get_by_role("button", name="举报", exact=True)).or_(page.locator(".row-main:has-text('Report')")).first.click()
    page.wait_for_selector("dialog[open]")


def clearing(page):
    page.wait_for_selector(".profile-acts .button")
    page.click(".profile-acts .button")
    page.wait_for_selector("dialog[open]")


def agreeing(page):
    said(page)
    page.click(".talk-foot .banner .button >> nth=1")
    page.wait_for_selector("dialog[open]")


def wrong_name(page):
    page.fill(".add-line input", "nobody-here")
    page.click(".add-line .button")
    page.wait_for_selector(".field.failed")


def safety(page):
    page.wait_for_selector(".safety-number, .no-number")


STATES = [
    State("chats", role="phone", hash=HOME, prepare=rows),
    State("chats-loading", role="phone", hash=HOME, scenario="never"),
    State("chats-none", role="phone", hash=HOME, scenario="no-chats", prepare=rows),
    State("chats-signed-out", role="phone", hash=HOME, scenario="chat-signed-out", prepare=rows),
    State("chats-away", role="phone", hash=HOME, scenario="chat-away", prepare=rows),
    State("chats-connecting", role="phone", hash=HOME, scenario="chat-connecting", prepare=rows),
    State("chats-failed", role="phone", hash=HOME, scenario="chat-failed", prepare=rows),
    State("chats-many", role="phone", hash=HOME, scenario="many-chats", prepare=rows),
    State("chats-hostile", role="phone", hash=HOME, scenario="hostile", prepare=rows),
    State("chats-menu", role="phone", hash=HOME, prepare=row_menu),
    State("chats-found", role="phone", hash=HOME, prepare=found),
    State("chats-found-nothing", role="phone", hash=HOME, prepare=found_nothing),
    State("chat-requests", role="phone", hash="#/chats/requests"),
    State("chat-requests-none", role="phone", hash="#/chats/requests", scenario="chat-requests-none"),
    State("chat-requests-hostile", role="phone", hash="#/chats/requests", scenario="hostile"),
    State("chat-add", role="phone", hash="#/chats/add"),
    State("chat-add-nobody", role="phone", hash="#/chats/add", prepare=wrong_name),
    State("chat", role="phone", hash=ONE, prepare=said),
    State("chat-top", role="phone", hash=ONE, prepare=top),
    State("chat-new-below", role="phone", hash=ONE, prepare=news),
    State("chat-long", role="phone", hash=ONE, scenario="chat-long", prepare=said),
    State("chat-typing", role="phone", hash=ONE, prepare=typing),
    State("chat-message-menu", role="phone", hash=ONE, prepare=message_menu),
    State("chat-written", role="phone", hash=ONE, prepare=written),
    State("chat-not-sent", role="phone", hash=ONE, scenario="chat-send-fails", prepare=not_sent),
    State("chat-tray", role="phone", hash=ONE, prepare=tray),
    State("chat-tray-several", role="phone", hash=ONE, prepare=several),
    State("chat-viewer", role="phone", hash=ONE, prepare=viewer),
    State("chat-flash-held", role="phone", hash=ONE, prepare=held),
    State("chat-no-media", role="phone", hash=ONE, scenario="chat-away", prepare=top),
    State("chat-incoming", role="phone", hash=ONE, scenario="chat-incoming", prepare=said),
    State("chat-outgoing", role="phone", hash=ONE, scenario="chat-outgoing", prepare=said),
    State("chat-first", role="phone", hash="#/chats/si_tb_40_tb_7", scenario="chat-first", prepare=said),
    State("chat-blocked", role="phone", hash=ONE, scenario="chat-blocked", prepare=said),
    State("chat-deleted", role="phone", hash=ONE, scenario="chat-deleted", prepare=said),
    State("chat-restarted", role="phone", hash=ONE, scenario="chat-restarted", prepare=said),
    State("chat-agreeing", role="phone", hash=ONE, scenario="chat-restarted", prepare=agreeing),
    State("chat-forked", role="phone", hash=ONE, scenario="chat-forked", prepare=said),
    State("chat-clear-now", role="phone", hash=ONE, scenario="chat-clear-now", prepare=said),
    State("chat-not-sealed", role="phone", hash="#/chats/si_tb_12_tb_7", prepare=said),
    State("chat-gone", role="phone", hash="#/chats/si_tb_5_tb_7", prepare=said),
    State("chat-hostile", role="phone", hash=ONE, scenario="hostile", prepare=said),
    State("chat-settings", role="phone", hash=f"{ONE}/settings"),
    State("chat-settings-clear", role="phone", hash="#/chats/si_tb_12_tb_7/settings"),
    State("chat-clearing", role="phone", hash=f"{ONE}/settings", prepare=clearing),
    State("chat-safety", role="phone", hash=f"{ONE}/safety", prepare=safety),
    State("chat-safety-verified", role="phone", hash=f"{ONE}/safety", scenario="chat-verified", prepare=safety),
    State("chat-safety-none", role="phone", hash=f"{ONE}/safety", scenario="chat-no-number", prepare=safety),
    State("chat-search", role="phone", hash=f"{ONE}/search", prepare=found_here),
]
