from states import State

COMPUTER = "9f0c6a1be2d34775a1c0ffee00d15ea5"
HOME = f"#/computers/{COMPUTER}/threads"
OWN = "#/threads"
MAIN = "source=codex&thread=main"


def drawn(page):
    page.wait_for_selector(".thread-row, .found-text, .empty, .refused, .banner")


def opened(page):
    page.wait_for_selector(".flow-row, .thread .empty, .thread .banner")
    page.wait_for_timeout(50)


def top(page):
    opened(page)
    page.evaluate("document.querySelector('.flow').scrollTop = 0")
    page.wait_for_timeout(120)


def middle(page):
    opened(page)
    page.evaluate("document.querySelector('.flow').scrollTop = document.querySelector('.flow').scrollHeight * 0.5")
    page.wait_for_timeout(120)


def folders(page):
    drawn(page)
    page.click(".segmented label >> nth=1")
    page.wait_for_selector(".folder-row")


def filters(page):
    drawn(page)
    page.click(".list-tools [aria-haspopup=menu]")


def new(page):
    drawn(page)
    page.click(".list-tools .icon-button.primary")
    page.wait_for_selector(".agent-choice, .missing-agent")


def declining(page):
    opened(page)
    page.click(".approval-buttons .button >> nth=2")


def answered(page):
    opened(page)
    page.click(".approval-buttons .button.primary")
    page.wait_for_selector(".approval.is-over")


def writing(page):
    opened(page)
    page.evaluate("""() => {
        const place = fake.threadParts(fake.role === 'phone' ? '%s' : null);
        const main = place.threads[0];
        place.closed(place.approvals[0] ?? { id: '', thread_id: 'main', source: 'codex' }, null, null);
        place.delta(main, 'w1', 0, 'The flood needs **3.1 GB** because each phone keeps its own buffer:\\n\\n- 256 KiB for what comes,\\n- 64 KiB for what');
    }""" % COMPUTER)
    page.wait_for_selector(".is-writing")


def typed(page):
    opened(page)
    page.fill(".composer-text", "Please also look at the memory of the hub.\n\nIt should stay below 100 MB with 10,000 phones.")
    with page.expect_file_chooser() as chooser:
        page.click(".composer-row .icon-button >> nth=0")
    chooser.value.set_files([{"name": "flood.log", "mimeType": "text/plain", "buffer": b"phones 10000\nmemory 3.1 GB\n"}])
    page.wait_for_selector(".attachment")


def failed(page):
    opened(page)
    page.fill(".composer-text", "Go on")
    page.click(".composer-row .primary")
    page.wait_for_selector(".composer .banner")


def ended(page):
    opened(page)
    page.evaluate("(id) => { const place = fake.threadParts(id); place.change(place.threads[0], { state: 'failed', reason: 'Codex is not signed in. Run codex login at the computer, then try again.' }); }", COMPUTER)
    page.wait_for_selector(".ended:not([hidden])")


def below(page):
    top(page)
    page.evaluate("(id) => { const place = fake.threadParts(fake.role === 'phone' ? id : null); place.append(place.threads[0], [{ kind: 'agent', text: 'Done.' }]); }", COMPUTER)
    page.wait_for_selector(".below.primary")


def unfolded(page):
    opened(page)
    page.evaluate("document.querySelectorAll('.fold.tool.is-ok:not(.is-open) > .fold-head, .fold.thought > .fold-head').forEach((each) => each.click())")
    middle(page)


STATES = [
    State("threads", role="phone", hash=HOME, prepare=drawn),
    State("threads-calm", role="phone", hash=HOME, scenario="no-waits", prepare=drawn),
    State("threads-empty", role="phone", hash=HOME, scenario="no-threads", prepare=drawn),
    State("threads-indexing", role="phone", hash=HOME, scenario="indexing", prepare=drawn),
    State("threads-many", role="phone", hash=HOME, scenario="many-threads no-waits", prepare=drawn),
    State("threads-folders", role="phone", hash=HOME, prepare=folders),
    State("threads-of-folder", role="phone", hash=HOME + "?folder=/home/ada/src/tandem&agent=codex", prepare=drawn),
    State("threads-none-such", role="phone", hash=HOME + "?folder=/nowhere", prepare=drawn),
    State("threads-filters", role="phone", hash=HOME, prepare=filters),
    State("threads-found", role="phone", hash=HOME + "?find=phones", prepare=drawn),
    State("threads-found-nothing", role="phone", hash=HOME + "?find=zzzz", prepare=drawn),
    State("threads-not-allowed", role="phone", hash=HOME, scenario="threads-refused", prepare=drawn),
    State("threads-away", role="phone", hash=HOME, scenario="away", prepare=drawn),
    State("threads-old", role="phone", hash=HOME, scenario="threads-old", prepare=drawn),
    State("threads-failed", role="phone", hash=HOME, scenario="threads-failed", prepare=drawn),
    State("threads-hostile", role="phone", hash=HOME, scenario="hostile", prepare=drawn),
    State("threads-new", role="phone", hash=HOME, prepare=new),
    State("threads-new-no-agent", role="phone", hash=HOME, scenario="no-agents", prepare=new),
    State("thread", role="phone", hash=f"{HOME}?{MAIN}", prepare=opened),
    State("thread-top", role="phone", hash=f"{HOME}?{MAIN}", scenario="no-waits", prepare=top),
    State("thread-middle", role="phone", hash=f"{HOME}?{MAIN}", scenario="no-waits", prepare=middle),
    State("thread-answer", role="phone", hash=f"{HOME}?{MAIN}", scenario="no-waits", prepare=opened),
    State("thread-unfolded", role="phone", hash=f"{HOME}?{MAIN}", scenario="no-waits", prepare=unfolded),
    State("thread-found", role="phone", hash=f"{HOME}?{MAIN}&find=10,000&at=160&item=i16", scenario="no-waits", prepare=opened),
    State("thread-writing", role="phone", hash=f"{HOME}?{MAIN}", prepare=writing),
    State("thread-new-below", role="phone", hash=f"{HOME}?{MAIN}", scenario="no-waits", prepare=below),
    State("thread-typed", role="phone", hash=f"{HOME}?{MAIN}", scenario="no-waits", prepare=typed),
    State("thread-not-sent", role="phone", hash=f"{HOME}?{MAIN}", scenario="no-waits post-fails", prepare=failed),
    State("thread-read-only", role="phone", hash=f"{HOME}?{MAIN}", scenario="threads-read-only", prepare=opened),
    State("thread-cannot-post", role="phone", hash=f"{HOME}?source=acp:gemini&thread=t7", scenario="no-waits", prepare=opened),
    State("thread-gone", role="phone", hash=f"{HOME}?source=codex&thread=none", prepare=opened),
    State("thread-hostile", role="phone", hash=f"{HOME}?{MAIN}", scenario="hostile", prepare=opened),
    State("thread-declining", role="phone", hash=f"{HOME}?{MAIN}", prepare=declining),
    State("thread-answered", role="phone", hash=f"{HOME}?{MAIN}", prepare=answered),
    State("thread-asks-change", role="phone", hash=f"{HOME}?{MAIN}", scenario="asks-change", prepare=opened),
    State("thread-asks-tool", role="phone", hash=f"{HOME}?{MAIN}", scenario="asks-tool", prepare=opened),
    State("thread-asks-permissions", role="phone", hash=f"{HOME}?{MAIN}", scenario="asks-permissions", prepare=opened),
    State("thread-asks-questions", role="phone", hash=f"{HOME}?{MAIN}", scenario="asks-questions", prepare=opened),
    State("thread-asks-long", role="phone", hash=f"{HOME}?{MAIN}", scenario="asks-long", prepare=opened),
    State("thread-failed", role="phone", hash=f"{HOME}?{MAIN}", scenario="no-waits", prepare=ended),
    State("thread-asks-unknown", role="phone", hash=f"{HOME}?{MAIN}", scenario="asks-unknown", prepare=opened),
    State("all-threads", role="phone", hash="#/threads"),
    State("all-threads-away", role="phone", hash="#/threads", scenario="away"),
    State("all-threads-none", role="phone", hash="#/threads", scenario="no-threads"),
    State("all-threads-not-paired", role="phone", hash="#/threads", scenario="empty"),
    State("all-threads-hostile", role="phone", hash="#/threads", scenario="hostile"),
    State("own-threads", role="desktop", hash=OWN, prepare=drawn),
    State("own-threads-empty", role="desktop", hash=OWN, scenario="no-threads", prepare=drawn),
    State("own-threads-failed", role="desktop", hash=OWN, scenario="threads-failed", prepare=drawn),
    State("own-thread", role="desktop", hash=f"{OWN}?{MAIN}", prepare=opened),
    State("own-thread-middle", role="desktop", hash=f"{OWN}?{MAIN}", scenario="no-waits", prepare=middle),
    State("own-thread-writing", role="desktop", hash=f"{OWN}?{MAIN}", prepare=writing),
]
