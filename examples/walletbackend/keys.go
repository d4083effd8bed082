package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"filippo.io/age"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/keyring"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// withKeys parses the flags of a command that moves keys, and runs it on the database.
func withKeys(
	ctx context.Context, name string, arguments []string, of, usage string,
	do func(db *store.DB, data, of string) error,
) (err error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	var o options
	flags.StringVar(&o.data, "data", "", "folder of the database and of the master key")
	flags.BoolVar(&o.postgres, "postgres", false, "the database is the one of "+settings.Variable(settings.DatabaseURL))
	value := flags.String(of, "", usage)
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if o.data == "" || *value == "" {
		return fmt.Errorf("-data and -%s are required", of)
	}
	db, err := openDatabase(ctx, o, &settings.Settings{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db, o.data, *value)
}

// runExportKeys writes the keys that the database has, encrypted for a signer's identity, as
// walletfi-signer's import reads them. It changes nothing.
func runExportKeys(ctx context.Context, arguments []string, out io.Writer) error {
	const usage = "age recipient whose identity the signer has"
	return withKeys(ctx, "export-keys", arguments, "recipient", usage, func(db *store.DB, data, recipient string) error {
		to, err := age.ParseX25519Recipient(recipient)
		if err != nil {
			return err
		}
		master, err := masterKey(&settings.Settings{}, data)
		if err != nil {
			return err
		}
		seal, err := keyring.NewSeal(master)
		if err != nil {
			return err
		}
		keys, err := db.Keys(ctx)
		if err != nil {
			return err
		}
		sealed, err := age.Encrypt(out, to)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if err := export(sealed, seal, k); err != nil {
				return err
			}
		}
		return sealed.Close()
	})
}

func export(to io.Writer, seal *keyring.Seal, k store.Key) error {
	seed, err := seal.Open(k.Sealed, k.UserID)
	if err != nil {
		return err
	}
	defer clear(seed)
	key, err := signing.NewLocalKeyFromSeed(seed)
	if err != nil {
		return err
	}
	if key.PublicKey().String() != k.Address {
		return fmt.Errorf("the key of user %s is not that of %s", k.UserID, k.Address)
	}
	return json.NewEncoder(to).Encode(signer.ImportedKey{Name: k.UserID, Seed: seed})
}

// runForgetKeys deletes the keys that the signer holds by now.
func runForgetKeys(ctx context.Context, arguments []string, out io.Writer) error {
	const usage = "Unix socket of the walletfi-signer that the keys were imported to"
	return withKeys(ctx, "forget-keys", arguments, "signer", usage, func(db *store.DB, _, socket string) error {
		holder := client.Connect(socket)
		defer holder.Close()
		var owners []protocol.Owner
		if err := holder.Get(ctx, protocol.PathOwners, &owners); err != nil {
			return err
		}
		held := map[string]string{}
		for _, o := range owners {
			held[o.Name] = o.Key
		}
		keys, err := db.Keys(ctx)
		if err != nil {
			return err
		}
		left := 0
		for _, k := range keys {
			if held[k.UserID] != k.Address {
				left++
				continue
			}
			if err := db.ForgetKey(ctx, k.UserID); err != nil {
				return err
			}
		}
		if err := db.Compact(ctx); err != nil {
			return err
		}
		fmt.Fprintf(out, "deleted %d keys\n", len(keys)-left)
		if left > 0 {
			return fmt.Errorf("%d keys stay, since the signer does not have them: import them first", left)
		}
		return nil
	})
}
