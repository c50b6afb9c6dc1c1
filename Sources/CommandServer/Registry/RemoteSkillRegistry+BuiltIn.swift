import Commands

extension RemoteSkillRegistry {
    /// The families of methods that documented programs know, in our words.
    package static let builtIn = RemoteSkillRegistry(browsing + machine + desk + data)

    private static let browsing: [RemoteSkillEntry] = [
        RemoteSkillEntry(
            "extension",
            "Browser extension",
            "Drives a browser through an extension in it.",
            category: .browser,
            risk: .privileged,
            methodCount: 95,
            transport: .browserExtension
        ),
        RemoteSkillEntry(
            "browser",
            "Browser",
            "Opens pages in a browser of the computer's own.",
            category: .browser,
            risk: .mutating,
            methodCount: 40
        ),
        RemoteSkillEntry(
            "userBrowser",
            "Your browser",
            "Reads tabs, bookmarks and history of the person's browser.",
            category: .browser,
            risk: .mutating,
            methodCount: 18
        ),
    ]

    private static let machine: [RemoteSkillEntry] = [
        RemoteSkillEntry(
            "system",
            "System",
            "Says that the computer is there and what it runs.",
            category: .system,
            risk: .privileged,
            methodCount: 49,
            methods: [
                SkillMethod(
                    "system.ping",
                    "Answers at once.",
                    returnTypeHint: "{pong,ts,version}",
                    riskOverride: .safe
                ),
                SkillMethod("system.getStatus", "Whether it is up, and since when.", riskOverride: .safe),
                SkillMethod("system.getInfo", "The program, its version and the platform.", riskOverride: .safe),
                SkillMethod(
                    "system.notify",
                    "Shows a notification on the computer.",
                    parameterCount: 2,
                    parameterSummary: "title, message",
                    riskOverride: .mutating
                ),
            ]
        ),
        RemoteSkillEntry(
            "system.info",
            "System information",
            "Processor, memory, disks, network, battery, services and logs.",
            category: .system,
            risk: .safe,
            methodCount: 42,
            methods: [
                SkillMethod("system.info", "The most asked figures in one answer."),
                SkillMethod("sysinfo.getCPU", "The processor and how busy it is."),
                SkillMethod("sysinfo.getMemory", "Memory and swap."),
                SkillMethod("sysinfo.getOS", "The operating system."),
                SkillMethod("sysinfo.getUptime", "How long the computer has been up."),
                SkillMethod("sysinfo.getBattery", "The battery, where there is one."),
                SkillMethod("sysinfo.getTemperature", "Temperatures that the hardware reports."),
                SkillMethod("sysinfo.getHardware", "What the machine is made of."),
                SkillMethod("sysinfo.getPerformance", "Load now."),
                SkillMethod(
                    "sysinfo.getServices",
                    "Services and their state.",
                    parameterCount: 1,
                    parameterSummary: "limit"
                ),
                SkillMethod(
                    "sysinfo.getLogs",
                    "The newest lines of the system's log.",
                    parameterCount: 3,
                    parameterSummary: "limit, level?, source?"
                ),
            ]
        ),
        RemoteSkillEntry(
            "network",
            "Network",
            "Looks at connections and changes network settings.",
            category: .system,
            risk: .privileged,
            methodCount: 53
        ),
        RemoteSkillEntry(
            "storage",
            "Storage",
            "Looks at disks and frees space.",
            category: .system,
            risk: .mutating,
            methodCount: 41
        ),
        RemoteSkillEntry(
            "power",
            "Power",
            "Locks, sleeps, restarts and shuts down.",
            category: .system,
            risk: .privileged,
            methodCount: 34
        ),
        RemoteSkillEntry(
            "process",
            "Processes",
            "Lists, starts and ends programs.",
            category: .system,
            risk: .privileged,
            methodCount: 30
        ),
        RemoteSkillEntry(
            "device",
            "Devices",
            "Manages the devices that may connect.",
            category: .infra,
            risk: .privileged,
            methodCount: 12
        ),
        RemoteSkillEntry(
            "security",
            "Security",
            "Looks at and changes protection settings.",
            category: .infra,
            risk: .privileged,
            methodCount: 8
        ),
        RemoteSkillEntry(
            "workflow",
            "Workflows",
            "Runs sequences of other commands.",
            category: .infra,
            risk: .privileged,
            methodCount: 19
        ),
    ]

    private static let desk: [RemoteSkillEntry] = [
        RemoteSkillEntry(
            "desktop",
            "Remote desktop",
            "Shows the screen live and takes over mouse and keyboard.",
            category: .control,
            risk: .privileged,
            methodCount: 70,
            methods: [
                SkillMethod("desktop.startSession", "Begins to show the screen."),
                SkillMethod("desktop.stopSession", "Ends it.", parameterCount: 1, parameterSummary: "sessionId"),
                SkillMethod("desktop.getFrame", "One picture.", parameterCount: 1, parameterSummary: "sessionId"),
                SkillMethod(
                    "desktop.sendInput",
                    "Moves the mouse or types.",
                    parameterCount: 3,
                    parameterSummary: "sessionId, type, data"
                ),
                SkillMethod("desktop.getDisplays", "The screens."),
                SkillMethod("desktop.switchDisplay", "Another screen.", parameterCount: 2),
                SkillMethod("desktop.getStats", "How well it works.", parameterCount: 1, parameterSummary: "sessionId"),
            ]
        ),
        RemoteSkillEntry(
            "input",
            "Input",
            "Presses keys and moves the mouse.",
            category: .control,
            risk: .mutating,
            methodCount: 24
        ),
        RemoteSkillEntry(
            "media",
            "Media",
            "Plays, pauses and sets the volume.",
            category: .control,
            risk: .mutating,
            methodCount: 61
        ),
        RemoteSkillEntry(
            "app",
            "Programs",
            "Lists and opens installed programs.",
            category: .control,
            risk: .mutating,
            methodCount: 8
        ),
        RemoteSkillEntry(
            "notification",
            "Notifications",
            "Shows what the computer announced, and marks it read.",
            category: .ui,
            risk: .mutating,
            methodCount: 11
        ),
        RemoteSkillEntry(
            "display",
            "Screen",
            "Lists screens and takes pictures of them.",
            category: .ui,
            risk: .mutating,
            methodCount: 11,
            methods: [
                SkillMethod(
                    "display.screenshot",
                    "A picture of one screen.",
                    parameterCount: 2,
                    parameterSummary: "displayId, format"
                ),
                SkillMethod(
                    "screen.capture",
                    "The same, by another name.",
                    parameterCount: 1,
                    parameterSummary: "displayId?"
                ),
            ]
        ),
        RemoteSkillEntry(
            "clipboard",
            "Clipboard",
            "Reads and sets what was copied.",
            category: .ui,
            risk: .mutating,
            methodCount: 9,
            methods: [
                SkillMethod("clipboard.get", "What was copied.", parameterCount: 1, parameterSummary: "type"),
                SkillMethod(
                    "clipboard.set",
                    "Copies something.",
                    parameterCount: 3,
                    parameterSummary: "type, content, html?"
                ),
                SkillMethod("clipboard.watch", "Tells when something is copied."),
                SkillMethod("clipboard.unwatch", "Stops telling."),
                SkillMethod("clipboard.getHistory", "What was copied before."),
                SkillMethod("clipboard.clearHistory", "Forgets what was copied before."),
            ]
        ),
    ]

    private static let data: [RemoteSkillEntry] = [
        RemoteSkillEntry(
            "file",
            "Files",
            "Lists, reads, moves and changes files below the shared folders.",
            category: .data,
            risk: .privileged,
            methodCount: 45,
            methods: [
                SkillMethod(
                    "file.listDirectory",
                    "What is in a folder.",
                    parameterCount: 4,
                    parameterSummary: "path, showHidden, recursive, maxDepth"
                ),
                SkillMethod(
                    "file.readFile",
                    "Part of a file.",
                    parameterCount: 4,
                    parameterSummary: "path, encoding, offset, length"
                ),
                SkillMethod(
                    "file.getFileInfo",
                    "What is known of a file.",
                    parameterCount: 1,
                    parameterSummary: "path"
                ),
                SkillMethod(
                    "file.exists",
                    "Whether there is such a file.",
                    parameterCount: 1,
                    parameterSummary: "path"
                ),
                SkillMethod(
                    "file.delete",
                    "Puts a file away.",
                    parameterCount: 3,
                    parameterSummary: "path, recursive?, force?"
                ),
                SkillMethod("file.createDirectory", "Makes a folder.", parameterCount: 1, parameterSummary: "path"),
                SkillMethod(
                    "file.requestUpload",
                    "Begins to receive a file.",
                    parameterCount: 4,
                    parameterSummary: "fileName, fileSize, checksum?, metadata"
                ),
                SkillMethod(
                    "file.uploadChunk",
                    "Takes a piece of it.",
                    parameterCount: 3,
                    parameterSummary: "transferId, chunkIndex, chunkData"
                ),
                SkillMethod(
                    "file.completeUpload",
                    "Puts it in its place.",
                    parameterCount: 1,
                    parameterSummary: "transferId"
                ),
                SkillMethod(
                    "file.requestDownload",
                    "Begins to send a file.",
                    parameterCount: 2,
                    parameterSummary: "filePath, fileName?"
                ),
                SkillMethod(
                    "file.downloadChunk",
                    "Gives a piece of it.",
                    parameterCount: 2,
                    parameterSummary: "transferId, chunkIndex"
                ),
                SkillMethod(
                    "file.cancelTransfer",
                    "Ends a transfer.",
                    parameterCount: 1,
                    parameterSummary: "transferId"
                ),
                SkillMethod("file.listTransfers", "Transfers that are under way."),
            ]
        ),
        RemoteSkillEntry(
            "knowledge",
            "Notes",
            "Reads and changes a collection of notes.",
            category: .data,
            risk: .mutating,
            methodCount: 30
        ),
        RemoteSkillEntry(
            "history",
            "History",
            "Shows what was done from phones.",
            category: .data,
            risk: .safe,
            methodCount: 7
        ),
        RemoteSkillEntry(
            "ai",
            "Assistant",
            "Talks with a language model on the computer.",
            category: .ai,
            risk: .privileged,
            methodCount: 37,
            methods: [
                SkillMethod("ai.chat", "One question, one answer."),
                SkillMethod("ai.chatStream", "The answer piece by piece."),
                SkillMethod("ai.getStreamChunk", "The next piece."),
                SkillMethod("ai.cancelStream", "Stops the answer."),
                SkillMethod("ai.getConversations", "Earlier conversations."),
                SkillMethod("ai.createConversation", "Begins one."),
                SkillMethod("ai.deleteConversation", "Removes one."),
                SkillMethod("ai.getMessages", "What was said in one."),
            ]
        ),
    ]
}
