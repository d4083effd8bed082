-- +goose Up

-- What the calls that share a budget have spent and reserved, in millionths of
-- the currency, and what each call has reserved of it.
CREATE TABLE walletfi_spend (
    name     TEXT    NOT NULL PRIMARY KEY,
    spent    INTEGER NOT NULL,
    reserved INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE walletfi_reservations (
    name     TEXT    NOT NULL,
    id       TEXT    NOT NULL,
    reserved INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    PRIMARY KEY (name, id)
) STRICT, WITHOUT ROWID;
