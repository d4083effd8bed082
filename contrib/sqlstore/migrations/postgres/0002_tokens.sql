-- +goose Up

-- One row a token store. sealed is the token, encrypted with the key that key_id
-- names, empty if there is no token. holder has the right to refresh it, until
-- a time in milliseconds since 1970.
CREATE TABLE walletfi_tokens (
    name    text COLLATE "C" NOT NULL PRIMARY KEY,
    key_id  text   NOT NULL,
    sealed  bytea  NOT NULL,
    holder  text   NOT NULL,
    locked  bigint NOT NULL,
    until   bigint NOT NULL
);
