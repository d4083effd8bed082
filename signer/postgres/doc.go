// Package postgres opens a PostgreSQL database that several signers of one policy share.
//
//	db, err := postgres.Open(ctx, walletfi.NewSecret(url))
//	if err != nil {
//		return err
//	}
//	s, err := signer.Open(ctx, signer.Config{Shared: db, Policy: policy, Anchor: anchor, ...})
//
// Each signer has the same policy, the same log key and keys of the same owners, which may be held in other
// ways, and an anchor of its own. Each counts what the others have signed: whoever decides holds one row of
// the database, reads what the others wrote, and writes its debits before anyone else decides. Time is the
// database's.
//
// A signer signs nothing while it does not reach the database. After a failover to a replica, or if a copy
// was restored, all of them freeze until an admin thaws one: what was signed last may be missing, see the
// guide. The role of the URL must not be one that a backend has.
//
// The program walletfi-signer-postgres is walletfi-signer with such a store.
package postgres
