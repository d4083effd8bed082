-- +goose Up

-- The deliveries that were handled, by the SHA-256 of their keys, and until when
-- they are remembered, in milliseconds since 1970.
CREATE TABLE walletfi_seen (
    key   BLOB    NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX walletfi_seen_until ON walletfi_seen (until);
