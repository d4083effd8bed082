// Command walletfi-signer-pkcs11 is walletfi-signer with keys that a PKCS#11 token holds. See
// packages signer and pkcs11.
package main

import (
	"os"

	"github.com/walletfi/walletfi-go/signer/internal/program"
)

func main() { os.Exit(program.Main(new(backend))) }
