from states import State

HOME = "#/journal"
WALK = "1f0c2b3a-0001-4000-8000-000000000001"
CHOIR = "1f0c2b3a-0001-4000-8000-000000000004"
DELETED = "1f0c2b3a-0001-4000-8000-000000000020"
TRAVEL = "2b1e0c5f-0001-4000-8000-000000000000"
ONE = f"{HOME}/{WALK}"


def rows(page):
    page.wait_for_selector(".story-row, .journal-rows .empty, .journal-rows .banner")


def story(page):
    page.wait_for_selector(".story-heading, .story .empty, .story .banner")


def editor(page):
    page.wait_for_selector(".editor-parts, .editor .banner")


def tree(page):
    page.wait_for_selector(".category-row, .empty, .banner")


def menu(page):
    rows(page)
    page.click(".bar-actions .icon-button[aria-haspopup]")
    page.wait_for_selector(".menu")


def purging(page):
    rows(page)
    page.click(".deleted-foot .button")
    page.wait_for_selector("dialog[open]")


def found(page):
    rows(page)
    page.fill(".journal-head input[type=search]", "the")
    page.wait_for_selector(".story-row mark")


def found_nothing(page):
    rows(page)
    page.fill(".journal-head input[type=search]", "zzzz")
    page.wait_for_selector(".journal-rows .empty")


def viewer(page):
    story(page)
    page.locator(".story .medium-picture").first.click()
    page.wait_for_selector(".show[open]")
    page.wait_for_timeout(120)


def written(page):
    editor(page)
    page.fill(".editor-words input", "The second day")
    page.fill(".editor-text textarea", "# Morning\n\nA **good** beginning.\n\n- bread\n- coffee")
    page.wait_for_timeout(60)


def preview(page):
    written(page)
    page.locator(".editor-tools .segmented label").nth(1).click()
    page.wait_for_selector(".editor-preview .md")


def not_kept(page):
    written(page)
    page.click(".bar-actions .button.primary")
    page.wait_for_selector(".editor-notes .banner")


def draft(page):
    written(page)
    page.evaluate("location.hash = '#/journal/categories'")
    tree(page)
    page.evaluate("location.hash = '#/journal/new'")
    page.wait_for_selector(".editor-notes .banner")


def elsewhere(page):
    editor(page)
    page.fill(".editor-words input", "Mine")
    page.evaluate("id => fake.journal.change(id, { title: 'Theirs' })", WALK)
    page.wait_for_selector(".editor-notes .banner.warn")


def category_menu(page):
    tree(page)
    page.locator(".category-row .icon-button").nth(1).click()
    page.wait_for_selector(".menu")


def new_category(page):
    tree(page)
    page.locator(".main .button.primary").first.click()
    page.wait_for_selector("dialog[open]")


def not_deleted(page):
    tree(page)
    page.locator(".category-row .icon-button").first.click()
    page.locator(".menu .menu-item.danger").click()
    page.click("dialog[open] .button.danger")
    page.wait_for_selector("dialog[open] .banner")


def ask(page, at, text):
    card = page.locator(".main .card").nth(at)
    card.locator("input").fill(text)
    card.locator(".button.primary").click()
    page.wait_for_selector(".exchange-outcome .banner, .field.failed")


def imported(page):
    ask(page, 0, "/home/ada/export.zip")


def not_found(page):
    ask(page, 0, "/home/ada/missing.zip")


def no_path(page):
    ask(page, 0, "export.zip")


def exported(page):
    ask(page, 1, "/home/ada/journal")


STATES = [
    State("journal", role="phone", hash=HOME, prepare=rows),
    State("journal-loading", role="phone", hash=HOME, scenario="never"),
    State("journal-none", role="phone", hash=HOME, scenario="no-journal", prepare=rows),
    State("journal-failed", role="phone", hash=HOME, scenario="journal-failed", prepare=rows),
    State("journal-many", role="phone", hash=HOME, scenario="many-stories", prepare=rows),
    State("journal-hostile", role="phone", hash=HOME, scenario="hostile", prepare=rows),
    State("journal-menu", role="phone", hash=HOME, prepare=menu),
    State("journal-found", role="phone", hash=HOME, prepare=found),
    State("journal-found-nothing", role="phone", hash=HOME, prepare=found_nothing),
    State("journal-in-category", role="phone", hash=f"{HOME}?in={TRAVEL}", prepare=rows),
    State("journal-before-all", role="phone", hash=f"{HOME}?until=1999-12-31", prepare=rows),
    State("journal-story", role="phone", hash=ONE, prepare=story),
    State("journal-story-sound", role="phone", hash=f"{HOME}/{CHOIR}", prepare=story),
    State("journal-story-no-media", role="phone", hash=ONE, scenario="journal-no-media", prepare=story),
    State("journal-story-cut", role="phone", hash=ONE, scenario="journal-cut", prepare=story),
    State("journal-story-hostile", role="phone", hash=ONE, scenario="hostile", prepare=story),
    State("journal-story-gone", role="phone", hash=f"{HOME}/nothing", prepare=story),
    State("journal-story-deleted", role="phone", hash=f"{HOME}/{DELETED}", prepare=story),
    State("journal-viewer", role="phone", hash=ONE, prepare=viewer),
    State("journal-deleted", role="phone", hash=f"{HOME}/deleted", prepare=rows),
    State("journal-deleted-none", role="phone", hash=f"{HOME}/deleted", scenario="no-deleted", prepare=rows),
    State("journal-purging", role="phone", hash=f"{HOME}/deleted", prepare=purging),
    State("journal-new", role="phone", hash=f"{HOME}/new", prepare=editor),
    State("journal-new-written", role="phone", hash=f"{HOME}/new", prepare=written),
    State("journal-new-preview", role="phone", hash=f"{HOME}/new", prepare=preview),
    State("journal-new-not-kept", role="phone", hash=f"{HOME}/new", scenario="journal-fails", prepare=not_kept),
    State("journal-new-draft", role="phone", hash=f"{HOME}/new", prepare=draft),
    State("journal-edit", role="phone", hash=f"{ONE}/edit", prepare=editor),
    State("journal-edit-cut", role="phone", hash=f"{ONE}/edit", scenario="journal-cut", prepare=editor),
    State("journal-edit-elsewhere", role="phone", hash=f"{ONE}/edit", prepare=elsewhere),
    State("journal-edit-hostile", role="phone", hash=f"{ONE}/edit", scenario="hostile", prepare=editor),
    State("journal-edit-no-categories", role="phone", hash=f"{ONE}/edit", scenario="no-categories", prepare=editor),
    State("journal-categories", role="phone", hash=f"{HOME}/categories", prepare=tree),
    State("journal-categories-none", role="phone", hash=f"{HOME}/categories", scenario="no-categories", prepare=tree),
    State("journal-categories-failed", role="phone", hash=f"{HOME}/categories", scenario="journal-failed", prepare=tree),
    State("journal-categories-hostile", role="phone", hash=f"{HOME}/categories", scenario="hostile", prepare=tree),
    State("journal-category-menu", role="phone", hash=f"{HOME}/categories", prepare=category_menu),
    State("journal-category-new", role="phone", hash=f"{HOME}/categories", prepare=new_category),
    State("journal-category-not-deleted", role="phone", hash=f"{HOME}/categories", prepare=not_deleted),
    State("journal-exchange", role="phone", hash=f"{HOME}/exchange"),
    State("journal-imported", role="phone", hash=f"{HOME}/exchange", prepare=imported),
    State("journal-imported-some", role="phone", hash=f"{HOME}/exchange", scenario="journal-problems", prepare=imported),
    State("journal-imported-hostile", role="phone", hash=f"{HOME}/exchange", scenario="journal-problems hostile", prepare=imported),
    State("journal-not-imported", role="phone", hash=f"{HOME}/exchange", prepare=not_found),
    State("journal-no-path", role="phone", hash=f"{HOME}/exchange", prepare=no_path),
    State("journal-exported", role="phone", hash=f"{HOME}/exchange", scenario="journal-problems", prepare=exported),
]
