from states import State

STATES = [
    State("audit", role="desktop", hash="#/audit"),
    State("audit-polling", role="desktop", hash="#/audit", scenario="polling"),
    State("audit-refused", role="desktop", hash="#/audit?result=refused"),
    State("audit-yours", role="desktop", hash="#/audit?result=yours"),
    State("audit-phone", role="desktop", hash="#/audit?phone=did%3Akey%3Az6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"),
    State("audit-older", role="desktop", hash="#/audit?result=done", prepare=lambda page: page.click(".audit-more .button")),
    State("audit-empty", role="desktop", hash="#/audit", scenario="empty"),
    State("audit-nothing-fits", role="desktop", hash="#/audit?result=failed&phone=gone", scenario="empty"),
    State("audit-broken", role="desktop", hash="#/audit", scenario="broken"),
    State("audit-hostile", role="desktop", hash="#/audit", scenario="hostile"),
]
