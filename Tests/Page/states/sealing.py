from states import State

HOME = "#/account/devices"


def shown(page):
    page.wait_for_selector(".group, .banner")


def adding(page):
    shown(page)
    page.click(".row-actions .button")
    page.wait_for_selector("dialog[open]")


def wrong(page):
    adding(page)
    page.fill("dialog input:not([type=checkbox])", "lusab babad gutih tugad")
    page.click("dialog .button.primary")
    page.wait_for_selector(".field.failed")


def added(page):
    adding(page)
    page.fill("dialog input:not([type=checkbox])", "Gomal tulip  savor-nibud ")
    page.click("dialog .button.primary")
    page.wait_for_selector(".toast")


def removing(page):
    shown(page)
    page.click(".row-actions .icon-button >> nth=1")
    page.wait_for_selector("dialog[open]")


def handing_over(page):
    shown(page)
    page.click(".row-actions .icon-button >> nth=0")
    page.wait_for_selector("dialog[open]")


def beginning(page):
    shown(page)
    page.click(".card .button.quiet")
    page.wait_for_selector("dialog[open]")


def adopting(page):
    shown(page)
    page.click(".banner-actions .button")
    page.wait_for_selector("dialog[open]")


STATES = [
    State("sealing", role="phone", hash=HOME, prepare=shown),
    State("sealing-alone", role="phone", hash=HOME, scenario="sealing-alone", prepare=shown),
    State("sealing-many", role="phone", hash=HOME, scenario="sealing-many", prepare=shown),
    State("sealing-waits", role="phone", hash=HOME, scenario="sealing-waits", prepare=shown),
    State("sealing-begin", role="phone", hash=HOME, scenario="sealing-waits", prepare=beginning),
    State("sealing-other", role="phone", hash=HOME, scenario="sealing-other", prepare=shown),
    State("sealing-adopt", role="phone", hash=HOME, scenario="sealing-other", prepare=adopting),
    State("sealing-failed", role="phone", hash=HOME, scenario="sealing-failed", prepare=shown),
    State("sealing-hostile", role="phone", hash=HOME, scenario="hostile", prepare=shown),
    State("sealing-add", role="phone", hash=HOME, prepare=adding),
    State("sealing-add-wrong", role="phone", hash=HOME, prepare=wrong),
    State("sealing-added", role="phone", hash=HOME, prepare=added),
    State("sealing-history", role="phone", hash=HOME, scenario="sealing-history", prepare=shown),
    State("sealing-history-hostile", role="phone", hash=HOME, scenario="sealing-history hostile", prepare=shown),
    State("sealing-hand-over", role="phone", hash=HOME, prepare=handing_over),
    State("sealing-remove", role="phone", hash=HOME, prepare=removing),
]
