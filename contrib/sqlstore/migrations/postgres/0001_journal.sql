-- +goose Up

-- One row a key. entry is the wallet's entry as JSON, which alone counts; the
-- other columns are for finding it. sum holds entry against damage.
CREATE TABLE walletfi_entries (
    key     text COLLATE "C" NOT NULL PRIMARY KEY,
    version bigint  NOT NULL,
    state   text    NOT NULL,
    open    boolean NOT NULL,
    intent  text COLLATE "C" NOT NULL,
    since   bigint  NOT NULL,
    entry   text    NOT NULL,
    sum     bytea   NOT NULL
);

CREATE INDEX walletfi_entries_since  ON walletfi_entries (since, key);
CREATE INDEX walletfi_entries_open   ON walletfi_entries (since, key) WHERE open;
CREATE INDEX walletfi_entries_intent ON walletfi_entries (intent, since, key);

-- The signatures that a key has had, to find the key of a transaction.
CREATE TABLE walletfi_signatures (
    signature text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    PRIMARY KEY (signature, key)
);

CREATE INDEX walletfi_signatures_key ON walletfi_signatures (key);

-- The wallets and until when each is alive, in milliseconds since 1970.
CREATE TABLE walletfi_holders (
    holder  text COLLATE "C" NOT NULL PRIMARY KEY,
    renewed bigint NOT NULL,
    until   bigint NOT NULL
);
