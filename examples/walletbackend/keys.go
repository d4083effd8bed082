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

// The commands that move the keys of an older database to a signer.
const (
	exportKeys = "export-keys" // changes nothing
	forgetKeys = "forget-keys" // deletes what the signer holds by now
)

// runKeys runs one of the commands.
func runKeys(ctx context.Context, command string, arguments []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	var o options
	var recipient string
	flags.StringVar(&o.data, "data", "", "folder of the database and of the master key")
	flags.BoolVar(&o.postgres, "postgres", false, "the database is the one of "+settings.Variable(settings.DatabaseURL))
	flags.StringVar(&recipient, "recipient", "", "of "+exportKeys+": age recipient whose identity the signer has")
	flags.StringVar(&o.signer, "signer", "", "of "+forgetKeys+": Unix socket of the walletfi-signer that has the keys")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if o.data == "" || (recipient == "") != (command == forgetKeys) || (o.signer == "") != (command == exportKeys) {
		return fmt.Errorf("%s takes -data and -recipient, %s -data and -signer", exportKeys, forgetKeys)
	}
	db, err := openDatabase(ctx, o, &settings.Settings{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	keys, err := db.Keys(ctx)
	if err != nil {
		return err
	}
	if command == exportKeys {
		return exports(o.data, recipient, keys, out)
	}
	return forgets(ctx, db, o.signer, keys, out)
}

// exports writes keys as walletfi-signer's import reads them.
func exports(data, recipient string, keys []store.Key, out io.Writer) error {
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

// forgets deletes the keys that the signer lists.
func forgets(ctx context.Context, db *store.DB, socket string, keys []store.Key, out io.Writer) error {
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
	left := 0
	for _, k := range keys {
		if held[k.UserID] != k.Address {
			left++
		} else if err := db.ForgetKey(ctx, k.UserID); err != nil {
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
}
