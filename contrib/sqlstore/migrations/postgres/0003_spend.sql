-- +goose Up

-- What the calls that share a budget have spent and reserved, in millionths of
-- the currency, and what each call has reserved of it.
CREATE TABLE walletfi_spend (
    name     text COLLATE "C" NOT NULL PRIMARY KEY,
    spent    bigint NOT NULL,
    reserved bigint NOT NULL
);

CREATE TABLE walletfi_reservations (
    name     text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    reserved bigint NOT NULL,
    since    bigint NOT NULL,
    PRIMARY KEY (name, id)
);
