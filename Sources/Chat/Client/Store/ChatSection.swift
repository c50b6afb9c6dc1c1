import AccountsClient
import Sections
import Storage

/// Everything that a phone has of its account and its conversations, as one part of its data: the tokens belong to the keys, and the history to both.
enum ChatSection {
    static let migrations = AccountStore.migrations + ChatStore.migrations + ChatKeyStore.migrations

    static let declaration = SectionDeclaration(
        "chat",
        migrations: migrations,
        tables: [
            "account", "messenger_account", "messenger_profile", "messenger_conversation", "messenger_message",
            "messenger_outbox", "messenger_devices", "messenger_notice", "messenger_handed", "messenger_taking",
            "messenger_offering", "messenger_offering_part", "sealing_account", "sealing_contact",
            "sealing_list", "sealing_count", "sealing_key",
            "sealing_outgoing", "sealing_object",
        ],
        // Files of messages that were not sent yet, and media as they were shown: a hub may have deleted its copies since.
        folders: ["accounts"]
    )

    static let leftBehind = [
        LeftBehind(
            .table("messenger_care"),
            because: "It counts copies of removed words in the old phone's files. The new phone's files have none."
        ),
        LeftBehind(
            .table("messenger_push"),
            because: "Where the old phone's browser is woken while it is closed. The new phone's page says its own."
        ),
        LeftBehind(
            .folder("attachments"),
            because: "Files that a page handed in, for an hour. The page hands them in again."
        ),
        LeftBehind(.folder("once"), because: "View-once pictures that a command opened, for a minute."),
    ]
}
