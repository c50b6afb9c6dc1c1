"""Signing in on another day: after signing out, and after thirty days by a clock that is moved."""

import http.client
import urllib.parse

DAY = 86_400


class Browser:
    """As much of one as signing in takes: it follows a link, and keeps its cookie whatever its age, as a thief's would."""

    def __init__(self):
        self.cookies = {}

    def get(self, address):
        parts = urllib.parse.urlsplit(address)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
        try:
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
            connection.request("GET", f"{parts.path}?{parts.query}" if parts.query else parts.path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    cookie, _, said = value.partition("=")
                    self.cookies[cookie] = said.split(";")[0]
            return answer.status, answer.getheader("Location")
        finally:
            connection.close()

    def is_in(self, page):
        """Whether the page knows this browser."""
        status, _ = self.get(f"{page}/api/hello")
        if status not in (200, 401):
            raise AssertionError(f"the page answered {status}")
        return status == 200


def walk(link, sign_out, jump, restart):
    """
    The steps of a second day at one role, as pairs of a sentence and whether it holds. `link` makes a link, `sign_out` signs all browsers out,
    `jump` moves the program's clock by seconds, and `restart` starts it anew.
    """
    browser = Browser()

    def follows(address):
        status, place = browser.get(address)
        return status == 303 and "sign-in" not in (place or "") and browser.is_in(page_of(address))

    first = link()
    page = page_of(first)
    yield "the first link signs in", follows(first)
    yield "a used link leads a browser in that is signed in", browser.get(first) == (303, "/")
    yield "another link signs in who is signed in already", follows(link())
    sign_out()
    page = page_of(link())
    yield "who was signed out is not in", not browser.is_in(page)
    yield "the used link is refused then", browser.get(first) == (303, "/#/sign-in/expired")
    yield "a new one signs in again", follows(link())
    late = link()
    jump(3 * 60)
    yield "a link of three minutes ago is refused to a stranger", Browser().get(late) == (303, "/#/sign-in/expired")
    jump(29 * DAY)
    yield "twenty-nine days later the browser is in", browser.is_in(page)
    jump(2 * DAY)
    yield "after thirty days it is not", not browser.is_in(page)
    yield "a new link signs in then", follows(link())
    page = page_of(restart())
    yield "after a restart it is in", browser.is_in(page)


def page_of(link):
    parts = urllib.parse.urlsplit(link)
    return f"{parts.scheme}://{parts.netloc}"
