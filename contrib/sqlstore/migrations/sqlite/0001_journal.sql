-- +goose Up

-- One row a key. entry is the wallet's entry as JSON, which alone counts; the
-- other columns are for finding it. sum holds entry against damage.
CREATE TABLE walletfi_entries (
    key     TEXT    NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    state   TEXT    NOT NULL,
    open    INTEGER NOT NULL,
    intent  TEXT    NOT NULL,
    since   INTEGER NOT NULL,
    entry   TEXT    NOT NULL,
    sum     BLOB    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX walletfi_entries_since  ON walletfi_entries (since, key);
CREATE INDEX walletfi_entries_open   ON walletfi_entries (since, key) WHERE open = 1;
CREATE INDEX walletfi_entries_intent ON walletfi_entries (intent, since, key);

-- The signatures that a key has had, to find the key of a transaction.
CREATE TABLE walletfi_signatures (
    signature TEXT NOT NULL,
    key       TEXT NOT NULL,
    PRIMARY KEY (signature, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX walletfi_signatures_key ON walletfi_signatures (key);

-- The wallets and until when each is alive, in milliseconds since 1970.
CREATE TABLE walletfi_holders (
    holder  TEXT    NOT NULL PRIMARY KEY,
    renewed INTEGER NOT NULL,
    until   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
