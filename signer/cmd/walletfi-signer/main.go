// Command walletfi-signer holds keys and signs what a policy allows. See package signer.
package main

import (
	"os"

	"github.com/walletfi/walletfi-go/signer/internal/program"
)

func main() { os.Exit(program.Main()) }
