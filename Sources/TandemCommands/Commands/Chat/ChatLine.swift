import Chat

/// A line that a person typed into an open conversation: words to say, or a command that begins with a slash.
enum ChatLine: Hashable {
    case say(String)
    case help
    case image([String])
    case flash(String)
    case voice(String)
    /// The number of a message, as it stands behind it.
    case open(Int)
    /// Nil for the newest own message.
    case recall(Int?)
    /// Nil for the newest that failed.
    case resend(Int?)
    case quote(signal: String, reply: String)
    case accept
    case decline
    case block
    case search(String)
    case read
    case quit
    /// What is wrong with it.
    case wrong(String)

    static let helpText = """
        /image FILE…         send up to \(ChatLimits.pictures) pictures as one message
        /flash FILE          send a picture that can be seen once
        /voice FILE          send a voice note
        /quote SIGNAL WORDS  answer a signal
        /open N              show the pictures of #N, or say where its recording is
        /recall [N]          take back #N, or your newest
        /resend [N]          send #N once more, or your newest that failed
        /search WORDS        find messages of this conversation
        /read                mark all of it as read
        /accept, /decline    answer a first message
        /block               take no more messages, or take them again
        /quit, Ctrl-D        end; Ctrl-C ends, too, at once
        //words              say a text that begins with a slash
        Alt-Enter or Ctrl-J begins a new line; the arrow up brings back what you wrote.
        """

    init(_ text: String) {
        guard text.hasPrefix("/") else {
            self = .say(text)
            return
        }
        guard !text.hasPrefix("//") else {
            self = .say(String(text.dropFirst()))
            return
        }
        let parts = text.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : ""
        switch parts.first ?? "" {
        case "help", "?", "": self = .help
        case "image": self = Self.files(rest, 1...ChatLimits.pictures) { .image($0) }
        case "flash": self = Self.files(rest, 1...1) { .flash($0[0]) }
        case "voice": self = Self.files(rest, 1...1) { .voice($0[0]) }
        case "open":
            self = Self.number(rest).map { .open($0) } ?? .wrong("Say which: /open N, the number behind the message.")
        case "recall" where rest.isEmpty: self = .recall(nil)
        case "recall":
            self = Self.number(rest).map { .recall($0) } ?? .wrong("/recall takes the number behind a message.")
        case "resend" where rest.isEmpty: self = .resend(nil)
        case "resend":
            self = Self.number(rest).map { .resend($0) } ?? .wrong("/resend takes the number behind a message.")
        case "quote":
            let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
            self =
                words.count == 2 ? .quote(signal: words[0], reply: words[1]) : .wrong("Say what: /quote SIGNAL WORDS")
        case "accept": self = .accept
        case "decline": self = .decline
        case "block": self = .block
        case "search":
            self = rest.contains { !$0.isWhitespace } ? .search(rest) : .wrong("Say what is looked for: /search WORDS")
        case "read": self = .read
        case "quit", "q", "exit": self = .quit
        case let word: self = .wrong("There is no /\(word). /help says what there is; //\(word) … says it as a text.")
        }
    }

    private static func number(_ text: String) -> Int? {
        let digits = text.drop { $0 == "#" || $0 == " " }
        return Int(digits).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func files(_ text: String, _ counts: ClosedRange<Int>, _ line: ([String]) -> ChatLine) -> ChatLine {
        let files = words(text)
        guard counts.contains(files.count) else {
            return .wrong(counts.upperBound == 1 ? "Name one file." : "Name 1 to \(counts.upperBound) files.")
        }
        return line(files)
    }

    /// Words as a shell reads them: a space within quotes or behind a backslash ends none.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}
