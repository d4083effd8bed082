// Package sqlstore keeps what a program must not forget in SQLite or PostgreSQL:
// the wallet's journal, tokens, webhook deliveries and what was spent.
package sqlstore

import _ "github.com/walletfi/walletfi-go"
