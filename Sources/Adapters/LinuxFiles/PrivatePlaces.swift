/// Places below a home folder that hold a person's secrets, or programs that start by themselves. Sharing a folder above them does
/// not share them; naming one of them does.
enum PrivatePlaces {
    /// Places that are neither read nor written.
    static let secrets = [
        ".ssh", ".gnupg", ".pki", ".aws", ".azure", ".kube", ".docker", ".password-store", ".netrc", ".pgpass",
        ".my.cnf",
        ".git-credentials", ".npmrc", ".pypirc", ".vault-token", ".terraform.d", ".cargo/credentials",
        ".cargo/credentials.toml",
        ".gem/credentials", ".config/gcloud", ".config/gh", ".config/hub", ".config/rclone", ".config/sops",
        ".config/op",
        ".config/keepassxc", ".config/Bitwarden", ".config/1Password", ".local/share/keyrings", ".local/share/kwalletd",
        ".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware",
        ".config/microsoft-edge",
        ".config/vivaldi", ".config/opera", ".config/Signal", ".var/app", "snap/firefox", "snap/chromium",
        "snap/thunderbird",
        ".bash_history", ".zsh_history", ".python_history",
    ]

    /// Read, but never written: a shell, a session or another program runs what stands there.
    static let startFiles = [
        ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv",
        ".zprofile",
        ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".inputrc", ".config/fish", ".config/autostart",
        ".config/autostart-scripts", ".config/plasma-workspace", ".config/systemd", ".config/environment.d",
        ".config/git",
        ".config/nvim", ".config/tmux", ".config/i3", ".config/sway", ".gitconfig", ".vimrc", ".vim", ".emacs",
        ".emacs.d",
        ".tmux.conf", ".screenrc", ".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".Xresources",
        ".pam_environment", ".forward",
        ".local/share/applications", ".local/share/systemd", ".local/share/dbus-1", ".local/bin", ".cargo/bin", "bin",
        "go/bin",
    ]
}
