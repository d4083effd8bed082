package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/keyring"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
)

// runSigner is the process that holds the keys. The server reaches it by a Unix
// socket, which only this process's user may open.
func runSigner(ctx context.Context, arguments []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("signer", flag.ContinueOnError)
	data := flags.String("data", "", "folder of the encrypted keys")
	socket := flags.String("socket", "", "path of the Unix socket to serve")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if *data == "" || *socket == "" {
		return fmt.Errorf("-data and -socket are required")
	}
	master, err := masterKey(&settings.Settings{}, *data)
	if err != nil {
		return err
	}
	seal, err := keyring.NewSeal(master)
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, databaseOf(*data))
	if err != nil {
		return err
	}
	defer db.Close()
	os.Remove(*socket) // of an earlier process that was killed
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", *socket)
	if err != nil {
		return err
	}
	if err := os.Chmod(*socket, 0o600); err != nil {
		return err
	}
	fmt.Fprintln(out, "signer at", *socket)
	return serve(ctx, &http.Server{Handler: keyring.Server(keyring.NewLocal(db, seal), newLog(log))}, listener)
}
