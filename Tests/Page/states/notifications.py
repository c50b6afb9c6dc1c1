from states import State

COMPUTER = "9f0c6a1be2d34775a1c0ffee00d15ea5"
HOME = f"#/computers/{COMPUTER}/notifications"
OWN = "#/notifications"
# Of all computers, on a phone's page.
ALL = "#/notifications"


def drawn(page):
    page.wait_for_selector(".notice, .notice-list .empty, .refused, .notice-body-of-list .banner")


def of_unread(page):
    drawn(page)
    page.click(".notice-filters .segmented label >> nth=1")
    page.wait_for_timeout(60)


def menu(page):
    drawn(page)
    page.click(".notice-tools [aria-haspopup=menu]")


def clearing(page):
    menu(page)
    page.click(".menu-item.danger")
    page.wait_for_selector("dialog[open]")


def settings(page):
    menu(page)
    page.locator(".menu-item").last.click()
    page.wait_for_selector("dialog .quiet-day, dialog .banner.offline, dialog .banner.bad")
    page.wait_for_selector("dialog [data-local=push]")


def bottom(page):
    settings(page)
    page.evaluate("document.querySelector('dialog .dialog-body').scrollTop = 1e6")


def not_saved(page):
    settings(page)
    page.locator("[data-setting=soundEnabled]").evaluate("(each) => each.click()")
    page.wait_for_selector(".notice-saved.bad")


def not_pushed(page):
    page.evaluate("navigator.serviceWorker && (navigator.serviceWorker.getRegistration = async () => undefined)")
    settings(page)
    page.locator("[data-local=push]").evaluate("(each) => each.click()")
    page.wait_for_selector(".notice-trouble .banner")


def not_shown_here(page):
    settings(page)
    page.locator("[data-local=enabled]").evaluate("(each) => each.click()")
    page.wait_for_selector("dialog [data-local=push]:disabled")
    page.locator("[data-local=push]").evaluate("(each) => each.closest('section').scrollIntoView()")


def of_sheet(page):
    page.wait_for_selector("dialog .notice-sheet")
    page.wait_for_timeout(60)


def searched(page):
    drawn(page)
    page.fill(".notice-tools input", "disk")
    page.wait_for_timeout(300)


def searched_nothing(page):
    drawn(page)
    page.fill(".notice-tools input", "zzzz")
    page.wait_for_selector(".notice-list .empty")


def held(page):
    drawn(page)
    page.evaluate("window.scrollTo(0, 600)")
    page.wait_for_timeout(60)
    page.evaluate("fake.notices.add({ title: 'Fresh' })")
    page.wait_for_selector(".notice-newer:not([hidden])")


def failed(page):
    drawn(page)
    page.evaluate("fake.scenario.add('marks-fail')")
    page.locator(".notice-main").first.focus()
    page.keyboard.press("Delete")
    page.wait_for_selector(".notice-strips .banner.bad")


def stale(page):
    drawn(page)
    page.evaluate("fake.scenario.add('notices-failed'); fake.emit('notifications', {})")
    page.wait_for_selector(".notice-strips .banner.bad")


def toasted(page):
    page.wait_for_timeout(200)
    page.evaluate("fake.notices.add({ title: 'The disk is almost full', body: 'Only 1.2 GB are left.' })")
    page.wait_for_selector(".toast")


def own_settings(page):
    drawn(page)
    if page.locator(".notice-views").is_visible():
        page.click(".notice-views label >> nth=1")
    page.wait_for_selector(".quiet-day, .notice-aside .banner.bad")


def composing(page):
    drawn(page)
    page.click(".bar-actions .button.primary")
    page.wait_for_selector("dialog[open] textarea")


def composing_there(page):
    menu(page)
    page.locator(".menu-item").nth(2).click()
    page.wait_for_selector("dialog[open] textarea")


def not_shown(page):
    composing_there(page)
    page.fill("dialog input", "Lunch")
    page.click("dialog .dialog-actions .primary")
    page.wait_for_selector("dialog .banner.bad")


def not_sent(page):
    composing(page)
    page.fill("dialog input", "Lunch")
    page.select_option("dialog select", index=1)
    page.click("dialog .dialog-actions .primary")
    page.wait_for_selector("dialog .banner.bad")


def waits(page):
    page.wait_for_selector(".computer-unread .chip")


def stack_open(page):
    drawn(page)
    page.click(".notice.is-stack .notice-main >> nth=0")
    page.wait_for_selector(".notice.is-inside")


def all_settings(page):
    menu(page)
    page.locator(".menu-item").last.click()
    page.wait_for_selector("dialog [data-local=push]")


def all_sheet(page):
    drawn(page)
    page.click(".notice-main:has-text('Familie')")
    of_sheet(page)


STATES = [
    State("all-notices", role="phone", hash=ALL, scenario="told several-notices", prepare=drawn),
    State("all-notices-open", role="phone", hash=ALL, scenario="told several-notices", prepare=stack_open),
    State("all-notices-sheet", role="phone", hash=ALL, scenario="told several-notices", prepare=all_sheet),
    State("all-notices-menu", role="phone", hash=ALL, scenario="told several-notices", prepare=menu),
    State("all-notices-settings", role="phone", hash=ALL, scenario="told", prepare=all_settings),
    State("all-notices-empty", role="phone", hash=ALL, prepare=drawn),
    State("all-notices-failed", role="phone", hash=ALL, scenario="notices-failed", prepare=drawn),
    State("all-notices-hostile", role="phone", hash=ALL, scenario="hostile", prepare=drawn),
    State("notif", role="phone", hash=HOME, scenario="told", prepare=drawn),
    State("notif-unread", role="phone", hash=HOME, scenario="told", prepare=of_unread),
    State("notif-empty", role="phone", hash=HOME, prepare=drawn),
    State("notif-all-read", role="phone", hash=HOME, prepare=of_unread),
    State("notif-loading", role="phone", hash=HOME, scenario="notices-never"),
    State("notif-many", role="phone", hash=HOME, scenario="many-notices", prepare=drawn),
    State("notif-new-above", role="phone", hash=HOME, scenario="many-notices", prepare=held),
    State("notif-hostile", role="phone", hash=HOME, scenario="hostile", prepare=drawn),
    State("notif-hostile-sheet", role="phone", hash=HOME + "?show=h1", scenario="hostile", prepare=of_sheet),
    State("notif-away", role="phone", hash=HOME, scenario="told away", prepare=drawn),
    State("notif-queued", role="phone", hash=HOME, scenario="told away queued-marks idle", prepare=drawn),
    State("notif-failed", role="phone", hash=HOME, scenario="notices-failed", prepare=drawn),
    State("notif-stale", role="phone", hash=HOME, scenario="told", prepare=stale),
    State("notif-put-back", role="phone", hash=HOME, scenario="told", prepare=failed),
    State("notif-not-allowed", role="phone", hash=HOME, scenario="told notices-refused", prepare=lambda page: page.wait_for_selector(".refused")),
    State("notif-ask", role="phone", hash=HOME, scenario="told permission-default", prepare=drawn),
    State("notif-denied", role="phone", hash=HOME, scenario="told permission-denied", prepare=drawn),
    State("notif-menu", role="phone", hash=HOME, scenario="told", prepare=menu),
    State("notif-clear", role="phone", hash=HOME, scenario="told", prepare=clearing),
    State("notif-found", role="phone", hash=HOME, scenario="told", prepare=searched),
    State("notif-found-away", role="phone", hash=HOME, scenario="told away", prepare=searched),
    State("notif-found-nothing", role="phone", hash=HOME, scenario="told", prepare=searched_nothing),
    State("notif-sheet", role="phone", hash=HOME + "?show=urgent", scenario="told", prepare=of_sheet),
    State("notif-sheet-reply", role="phone", hash=HOME + "?show=chat", scenario="told", prepare=of_sheet),
    State("notif-sheet-data", role="phone", hash=HOME + "?show=tests", scenario="told", prepare=of_sheet),
    State("notif-sheet-progress", role="phone", hash=HOME + "?show=copy", scenario="told", prepare=of_sheet),
    State("notif-sheet-not-allowed", role="phone", hash=HOME + "?show=chat", scenario="told not-act", prepare=of_sheet),
    State("notif-settings", role="phone", hash=HOME, scenario="told quiet-night", prepare=settings),
    State("notif-settings-bottom", role="phone", hash=HOME, scenario="told quiet-night", prepare=bottom),
    State("notif-settings-away", role="phone", hash=HOME, scenario="told away permission-denied", prepare=settings),
    State("notif-settings-not-saved", role="phone", hash=HOME, scenario="told settings-fail quiet-day permission-default", prepare=not_saved),
    State("notif-settings-all-day", role="phone", hash=HOME, scenario="told quiet-all many-sources", prepare=bottom),
    State("notif-settings-no-sources", role="phone", hash=HOME, scenario="told no-sources", prepare=bottom),
    State("notif-settings-not-shown", role="phone", hash=HOME, scenario="told", prepare=not_shown_here),
    State("notif-settings-not-pushed", role="phone", hash=HOME, scenario="told", prepare=not_pushed),
    State("notif-compose", role="phone", hash=HOME, scenario="told", prepare=composing_there),
    State("notif-not-shown", role="phone", hash=HOME, scenario="told send-fails", prepare=not_shown),
    State("notif-toast", role="phone", hash="#/settings", scenario="permission-denied", prepare=toasted),
    State("notif-computers", role="phone", hash="#/computers", scenario="told", prepare=waits),
    State("own-notif", role="desktop", hash=OWN, scenario="told quiet-night", prepare=drawn),
    State("own-notif-empty", role="desktop", hash=OWN, scenario="empty", prepare=drawn),
    State("own-notif-failed", role="desktop", hash=OWN, scenario="notices-failed", prepare=drawn),
    State("own-notif-many", role="desktop", hash=OWN, scenario="many-notices many-sources", prepare=drawn),
    State("own-notif-hostile", role="desktop", hash=OWN, scenario="hostile", prepare=drawn),
    State("own-notif-sheet", role="desktop", hash=OWN + "?show=chat", scenario="told", prepare=of_sheet),
    State("own-notif-settings", role="desktop", hash=OWN, scenario="told quiet-day", prepare=own_settings),
    State("own-notif-settings-all-day", role="desktop", hash=OWN, scenario="told quiet-all no-sources", prepare=own_settings),
    State("own-notif-compose", role="desktop", hash=OWN, scenario="told", prepare=composing),
    State("own-notif-not-sent", role="desktop", hash=OWN, scenario="told send-fails", prepare=not_sent),
]
