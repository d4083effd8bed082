-- +goose Up

-- One row a token store. sealed is the token, encrypted with the key that key_id
-- names, empty if there is no token. holder has the right to refresh it, until
-- a time in milliseconds since 1970.
CREATE TABLE walletfi_tokens (
    name    TEXT    NOT NULL PRIMARY KEY,
    key_id  TEXT    NOT NULL,
    sealed  BLOB    NOT NULL,
    holder  TEXT    NOT NULL,
    locked  INTEGER NOT NULL,
    until   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
