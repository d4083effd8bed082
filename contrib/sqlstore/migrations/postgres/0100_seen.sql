-- +goose Up

-- The deliveries that were handled, by the SHA-256 of their keys, and until when
-- they are remembered, in milliseconds since 1970.
CREATE TABLE walletfi_seen (
    key   bytea  NOT NULL PRIMARY KEY,
    until bigint NOT NULL
);

CREATE INDEX walletfi_seen_until ON walletfi_seen (until);
