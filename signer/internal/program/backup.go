package program

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

func newBackup() *cobra.Command {
	const short = "Write a copy of a serving signer's store to FILE, and its anchor to FILE.anchor; no key is in it"
	return newCommand("backup FILE", short, cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
		folder, err := os.MkdirTemp(filepath.Dir(args[0]), ".backup")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		part := filepath.Join(folder, "copy")
		if err := backup(c, part); err != nil {
			return err
		}
		var health signer.Health
		if err := on(c).Get(c.Context(), protocol.PathHealth, &health); err != nil {
			return err
		}
		key, err := hex.DecodeString(health.Log)
		if err != nil {
			return err
		}
		has, err := signer.CheckCopy(c.Context(), part, "", key)
		if err != nil {
			return err
		}
		anchor := fmt.Appendf(nil, "%d %s\n", has.Entries, has.Hash)
		if err := os.WriteFile(args[0]+".anchor", anchor, 0o600); err != nil {
			return err
		}
		if err := renamed(part, args[0]); err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "entries=%d hash=%s policy=%s\n", has.Entries, has.Hash, has.Policy)
		return err
	})
}

// backup writes a copy that survives a loss of power.
func backup(c *cobra.Command, path string) error {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(on(c).Backup(c.Context(), out), out.Sync(), out.Close())
}

func renamed(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func newRestore() *cobra.Command {
	var store, logKey string
	const short = "Put a copy that backup wrote where the store was; the signer that serves it is frozen until a thaw"
	c := newCommand("restore FILE", short, cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
		key, err := parsePublic(logKey)
		if err != nil {
			return err
		}
		has, err := signer.Restore(c.Context(), signer.Restoration{
			From: args[0], Anchor: args[0] + ".anchor", Store: store, LogKey: key,
		})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "entries=%d hash=%s policy=%s\n", has.Entries, has.Hash, has.Policy)
		return err
	})
	c.Flags().StringVar(&store, "store", "signer.db", "the store, which is not there")
	c.Flags().StringVar(&logKey, "log-public", "", "the public key of the log, in hexadecimal")
	return c
}
