from states import State

ADA = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"
OLD = "did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG"


def of(phone):
    return "#/phones/" + phone.replace(":", "%3A")


def menu(page, item):
    page.click(".menu-button, .row-actions .icon-button")
    page.click(f".menu-item >> nth={item}")


def switch(page, number):
    page.click(f".switch >> nth={number}")


STATES = [
    State("phones", role="desktop", hash="#/phones"),
    State("phones-empty", role="desktop", hash="#/phones", scenario="empty"),
    State("phones-offline", role="desktop", hash="#/phones", scenario="offline"),
    State("phones-broken", role="desktop", hash="#/phones", scenario="broken"),
    State("phones-hostile", role="desktop", hash="#/phones", scenario="hostile"),
    State("phones-menu", role="desktop", hash="#/phones", prepare=lambda page: page.click(".row-actions .icon-button")),
    State("phones-rename", role="desktop", hash="#/phones", prepare=lambda page: menu(page, 0)),
    State("phones-forget", role="desktop", hash="#/phones", prepare=lambda page: menu(page, 1)),
    State("phone", role="desktop", hash=of(ADA)),
    State("phone-away", role="desktop", hash=of(ADA), scenario="offline idle"),
    State("phone-not-sealed", role="desktop", hash=of(OLD)),
    State("phone-unsigned", role="desktop", hash=of(OLD), prepare=lambda page: page.click(".right-note .button")),
    State("phone-hostile", role="desktop", hash=of(ADA), scenario="hostile"),
    State("phone-allow", role="desktop", hash=of(ADA), prepare=lambda page: switch(page, 5)),
    State("phone-loss", role="desktop", hash=of(ADA), prepare=lambda page: switch(page, 7)),
    State("phone-disk-full", role="desktop", hash=of(ADA), scenario="full", prepare=lambda page: switch(page, 3)),
    State("phone-gone", role="desktop", hash=of("did:key:nobody")),
]
