CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS signed (
	id TEXT PRIMARY KEY, owner TEXT NOT NULL, client TEXT NOT NULL, state TEXT NOT NULL, simulated INTEGER NOT NULL,
	tx BLOB NOT NULL, ours TEXT NOT NULL, evidence TEXT NOT NULL, signature TEXT NOT NULL, made INTEGER NOT NULL,
	ended INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS signed_live ON signed (owner) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS signed_simulated ON signed (id) WHERE state = 'open' AND simulated = 1;
CREATE INDEX IF NOT EXISTS signed_signature ON signed (owner, signature);
CREATE TABLE IF NOT EXISTS debit (
	id TEXT NOT NULL, owner TEXT NOT NULL, client TEXT NOT NULL, mint TEXT NOT NULL, payee TEXT NOT NULL,
	amount INTEGER NOT NULL, cost INTEGER NOT NULL, exposure INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS debit_owner ON debit (owner, mint, at, client, amount);
CREATE INDEX IF NOT EXISTS debit_payee ON debit (payee, mint, at, amount);
CREATE INDEX IF NOT EXISTS debit_id ON debit (id);
CREATE TABLE IF NOT EXISTS granted (
	id TEXT PRIMARY KEY, under TEXT NOT NULL, of_set TEXT NOT NULL, fees TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS granted_under ON granted (under);
CREATE TABLE IF NOT EXISTS holding (
	owner TEXT NOT NULL, mint TEXT NOT NULL, least INTEGER NOT NULL, PRIMARY KEY (owner, mint)
) STRICT;
CREATE TABLE IF NOT EXISTS log (
	seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, client TEXT NOT NULL, body TEXT NOT NULL,
	hash TEXT NOT NULL, signature TEXT NOT NULL
) STRICT;
