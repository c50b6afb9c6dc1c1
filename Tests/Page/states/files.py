import pathlib
import tempfile

from states import State

COMPUTER = "9f0c6a1be2d34775a1c0ffee00d15ea5"
WINDOWS = "41d7b9e07c8e4c7b9a2f00d15ea59f0c"
HOME = f"#/computers/{COMPUTER}/files"


def at(path="", **query):
    members = {"path": path, **query}
    return HOME + "?" + "&".join(f"{name}={value}" for name, value in members.items() if value)


def by_field(page):
    """Without pickers of handles, which no test can press."""
    page.evaluate("delete window.showOpenFilePicker; delete window.showDirectoryPicker")


def menu(page, index, item):
    page.click(f".files-tools [aria-haspopup=menu] >> nth={index}")
    page.click(f".menu-item >> nth={item}")


def listed(page):
    page.wait_for_selector(".file-row, .empty, .refused, .banner")


def upload(page, *files):
    listed(page)
    by_field(page)
    folder = pathlib.Path(tempfile.mkdtemp())
    for name, size in files:
        (folder / name).write_bytes(b"x" * size)
    with page.expect_file_chooser() as chooser:
        menu(page, 0, 0)
    chooser.value.set_files([folder / name for name, _ in files])
    page.wait_for_selector(".transfer, dialog[open]")


def selecting(page):
    listed(page)
    menu(page, 2, 1)
    page.click(".file-row .row-main >> nth=1")
    page.click(".file-row .row-main >> nth=3")


def filtered(page):
    listed(page)
    page.fill(".files-tools input", "zzz")


def dialog(index, item):
    def prepare(page):
        listed(page)
        menu(page, index, item)
        page.wait_for_selector("dialog[open]")

    return prepare


def of_row(item):
    def prepare(page):
        listed(page)
        page.click(".file-row >> nth=4 >> [aria-haspopup=menu]")
        page.click(f".menu-item >> nth={item}")
        page.wait_for_selector("dialog[open]")

    return prepare


def shown(page):
    page.wait_for_selector("dialog[open]")
    page.wait_for_selector("dialog .spinner", state="detached")


def uploading(page):
    upload(page, ("holiday.mov", 4_000_000), ("notes.txt", 2_000_000))
    # Once there is a rate to tell.
    page.wait_for_selector(".transfer:has-text('/s')")


def paused(page):
    upload(page, ("holiday.mov", 4_000_000), ("notes.txt", 2_000_000))
    page.click(".transfer .icon-button >> nth=0")
    page.wait_for_selector(".transfer[data-state=paused]")


def as_grid(page):
    listed(page)
    page.click(".files-tools button:has(use[href*=grid])")
    page.wait_for_selector(".tile")
    if "Pictures" in page.url:
        page.wait_for_selector(".tile-picture")


def as_written(page):
    shown(page)
    page.click(".viewer-tools button:has(use[href*=text])")
    page.wait_for_selector(".viewer-text")


def editing(page):
    shown(page)
    page.click(".viewer-tools button:has(use[href*=edit])")
    page.fill(".viewer-edit", "one\ntwo\nthree")


def in_conflict(page):
    editing(page)
    page.evaluate("([id, path]) => fake.write(id, path, 'one\\ntheirs')", [COMPUTER, "/home/ada/Documents/dos.txt"])
    page.click(".dialog-actions .button.primary >> visible=true")
    page.click(".viewer-said .banner-actions .button >> nth=0")
    page.wait_for_selector(".viewer-theirs >> visible=true")


ADA = "/home/ada"
STATES = [
    State("files", role="phone", hash=HOME),
    State("files-windows", role="phone", hash=f"#/computers/{WINDOWS}/files?path=C:\\Users\\Ada\\Documents"),
    State("files-deep", role="phone", hash=at("/".join((ADA, "work", "src")))),
    State("files-many", role="phone", hash=at("/home/ada/many")),
    State("files-empty", role="phone", hash=HOME, scenario="empty-folder"),
    State("files-gone", role="phone", hash=at("/home/ada/none")),
    State("files-not-allowed", role="phone", hash=HOME, scenario="not-allowed"),
    State("files-away", role="phone", hash=HOME, scenario="away"),
    State("files-found", role="phone", hash=at(find="read")),
    State("files-found-nothing", role="phone", hash=at(find="zzzz")),
    State("files-no-match", role="phone", hash=HOME, prepare=filtered),
    State("files-selecting", role="phone", hash=HOME, prepare=selecting),
    State("files-new-folder", role="phone", hash=HOME, prepare=dialog(2, 0)),
    State("files-rename", role="phone", hash=HOME, prepare=of_row(2)),
    State("files-trash", role="phone", hash=HOME, prepare=of_row(4)),
    State("files-text", role="phone", hash=at(view="/home/ada/Documents/notes.md"), prepare=shown),
    State("files-as-written", role="phone", hash=at(view="/home/ada/Documents/notes.md"), prepare=as_written),
    State("files-grid", role="phone", hash=HOME, prepare=as_grid),
    State("files-grid-pictures", role="phone", hash=at("/home/ada/Pictures"), prepare=as_grid),
    State("files-editing", role="phone", hash=at(view="/home/ada/Documents/dos.txt"), prepare=editing),
    State("files-edit-conflict", role="phone", hash=at(view="/home/ada/Documents/dos.txt"), prepare=in_conflict),
    State("files-picture", role="phone", hash=at(view="/home/ada/Pictures/Berge%20am%20Morgen.png"), prepare=shown),
    State("files-broken-picture", role="phone", hash=at(view="/home/ada/Pictures/broken.jpg"), prepare=shown),
    State("files-binary", role="phone", hash=at(view="/home/ada/big.bin"), prepare=shown),
    State("files-uploading", role="phone", hash=HOME, scenario="slow-transfers", prepare=uploading),
    State("files-paused", role="phone", hash=HOME, scenario="slow-transfers", prepare=paused),
    State("files-full", role="phone", hash=HOME, scenario="full", prepare=lambda page: upload(page, ("holiday.mov", 4_000_000))),
    State("files-read-only", role="phone", hash=HOME, scenario="read-only", prepare=lambda page: upload(page, ("holiday.mov", 4_000_000))),
    State("files-doubled", role="phone", hash=HOME, prepare=lambda page: upload(page, ("song.flac", 10))),
]
