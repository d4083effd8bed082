// Package sqlstore keeps what a program must not forget in SQLite or PostgreSQL:
// the wallet's journal, tokens, webhook deliveries and what was spent.
//
//	store, err := sqlstore.Open(ctx, sqlstore.Config{Path: "payments.db"})
//	w, err := wallet.New(wallet.Config{Journal: store.Journal(), ...})
//
// SQLite serves any number of processes on one machine, PostgreSQL a fleet.
package sqlstore
