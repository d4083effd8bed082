// Command walletfi-signer-postgres is walletfi-signer with a store that several of them share, in
// PostgreSQL. See packages signer and postgres.
package main

import (
	"os"

	"github.com/walletfi/walletfi-go/signer/internal/program"
)

func main() { os.Exit(program.Main(new(store))) }
