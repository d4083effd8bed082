package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/keyring"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

// runSigner is the process that holds the keys. The server reaches it by a Unix
// socket, which only this process's user may open.
func runSigner(ctx context.Context, arguments []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("signer", flag.ContinueOnError)
	data := flags.String("data", "", "folder of the encrypted keys")
	socket := flags.String("socket", "", "path of the Unix socket to serve")
	config := flags.String("config", "", "JSON file of settings; the signer takes the pins from it")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if *data == "" || *socket == "" || *config == "" {
		return errors.New("-data, -socket and -config are required")
	}
	s, err := settings.Load(*config)
	if err != nil {
		return err
	}
	guard, err := signerGuard(s)
	if err != nil {
		return err
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
	return serve(ctx, &http.Server{Handler: keyring.Server(keyring.NewLocal(db, seal), guard, newLog(log))}, listener)
}

// signerGuard is the signer's own guard. With the secret RPC_URL it simulates at a node
// and reads lookup tables there. Without it the bytes alone are judged, and they do not
// show what a pinned program takes in its own calls: the settings have to allow that.
func signerGuard(s *settings.Settings) (*signing.Guard, error) {
	policy := signing.Policy{Pins: s.Pins, AllowBlind: s.AllowBlind}
	url, err := s.Secret(settings.RPCURL)
	if err != nil {
		return nil, err
	}
	if url.IsZero() && len(s.Pins) > 0 && len(s.AllowBlind) == 0 {
		line, err := json.Marshal(slices.Sorted(maps.Keys(s.Pins)))
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("the secret %s is missing, so that no node shows what is signed: set it, or add to the "+
			"settings \"allowBlind\": %s, at the risk of all that is in the accounts that its programs may write",
			settings.RPCURL, line)
	}
	if !url.IsZero() {
		node, err := rpcnode.New(rpcnode.Config{URL: url})
		if err != nil {
			return nil, err
		}
		policy.Simulator, policy.Resolver = node, node
	}
	return signing.NewGuard(policy), nil
}
