package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/pkcs11"
	"github.com/walletfi/walletfi-go/signing"
)

// pinVariable has the PIN in the environment. It is never an argument, which other users see.
const pinVariable = "WALLETFI_PKCS11_PIN"

// backend has the keys of a token.
type backend struct {
	cfg     pkcs11.Config
	pinFile string
	token   *pkcs11.Token
}

func (b *backend) Flags(f *pflag.FlagSet) {
	f.StringVar(&b.cfg.Module, "pkcs11-module", "", "the PKCS#11 library of a token that holds keys of owners")
	f.StringVar(&b.cfg.Token, "pkcs11-token", "", "the label of the token")
	f.StringVar(&b.cfg.Serial, "pkcs11-serial", "", "its serial number, if several have the label")
	f.StringVar(&b.pinFile, "pkcs11-pin-file", "", "a file with the user's PIN; empty takes it from "+pinVariable)
	f.BoolVar(&b.cfg.AllowExposed, "pkcs11-allow-exposed", false, "take keys that the token would give out, too")
}

// open logs in to the token.
func (b *backend) open(ctx context.Context) (err error) {
	if b.cfg.PIN, err = readPIN(b.pinFile); err != nil {
		return err
	}
	b.token, err = pkcs11.Open(ctx, b.cfg)
	return err
}

func readPIN(path string) (walletfi.Secret, error) {
	pin := os.Getenv(pinVariable)
	if path != "" {
		info, err := os.Stat(path)
		if err != nil {
			return walletfi.Secret{}, err
		}
		if info.Mode().Perm()&0o077 != 0 {
			return walletfi.Secret{}, fmt.Errorf("%s can be read by others: chmod 600 it", path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return walletfi.Secret{}, err
		}
		pin = strings.TrimRight(string(text), "\r\n")
	}
	if pin == "" {
		return walletfi.Secret{}, errors.New("the PIN is in the file of --pkcs11-pin-file, or in " + pinVariable)
	}
	return walletfi.NewSecret(pin), nil
}

// Keys finds the keys of the policy's owners by their public keys.
func (b *backend) Keys(ctx context.Context, policy *signer.Policy) (keys []signing.Signer, err error) {
	if b.cfg.Module == "" {
		return nil, nil
	}
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	held, err := b.token.List(ctx)
	if err != nil {
		return nil, err
	}
	has := map[signing.PublicKey]pkcs11.Held{}
	for _, h := range held {
		has[h.Public] = h
	}
	for _, owner := range policy.Owners {
		h, ok := has[owner.Key]
		if !ok {
			continue
		}
		if h.Elsewhere && !owner.Elsewhere {
			return nil, fmt.Errorf("the key of owner %q was not made in the token, or could be extracted once: "+
				"the policy must say elsewhere = true of the owner", owner.Name)
		}
		key, err := b.token.Key(ctx, pkcs11.Name{Public: owner.Key})
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// Close logs out.
func (b *backend) Close() error {
	if b.token == nil {
		return nil
	}
	return b.token.Close()
}

// Command has what is done at the token before the signer serves its keys.
func (b *backend) Command() *cobra.Command {
	c := &cobra.Command{Use: "pkcs11", Short: "Make and list keys of a token"}
	b.Flags(c.PersistentFlags())
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the ed25519 keys of the token", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := b.open(c.Context()); err != nil {
				return err
			}
			held, err := b.token.List(c.Context())
			for _, h := range held {
				fmt.Fprintf(c.OutOrStdout(), "%s label=%q id=%x%s\n", h.Public, h.Label, h.ID, remarks(h))
			}
			return err
		},
	}, &cobra.Command{
		Use: "make LABEL", Short: "Make a key in the token that cannot be extracted", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := b.open(c.Context()); err != nil {
				return err
			}
			key, err := b.token.Make(c.Context(), args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "owner %s\n", key.PublicKey())
			return nil
		},
	})
	return c
}

// remarks say what speaks against a key.
func remarks(h pkcs11.Held) (text string) {
	if h.Exposed != "" {
		text += ": not safe, " + h.Exposed
	}
	if h.Elsewhere {
		text += ": it may have been elsewhere"
	}
	return text
}
