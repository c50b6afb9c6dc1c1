package import Journal
import MigrationRestore

/// A restore closes the journal for the moment of its commit.
extension JournalFeature: LiveData {}
