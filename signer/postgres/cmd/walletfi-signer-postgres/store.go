package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/postgres"
	"github.com/walletfi/walletfi-go/signing"
)

// store has the signers' database.
type store struct{ file string }

func (s *store) Flags(f *pflag.FlagSet) {
	const usage = "a file with the URL of a PostgreSQL database that signers share, in place of --store"
	f.StringVar(&s.file, "postgres", "", usage)
}

// Database opens it, by a file, not a flag, which other users see: the URL may hold a password.
func (s *store) Database(ctx context.Context) (*sql.DB, error) {
	if s.file == "" {
		return nil, nil
	}
	info, err := os.Stat(s.file)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s can be read by others: chmod 600 it", s.file)
	}
	url, err := os.ReadFile(s.file)
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, walletfi.NewSecret(strings.TrimSpace(string(url))))
}

// Keys are none: they are where walletfi-signer has them.
func (s *store) Keys(context.Context, *signer.Policy) ([]signing.Signer, error) { return nil, nil }

// Close closes nothing: the signer closes its database.
func (s *store) Close() error { return nil }

// Command has what an administrator of the database does before.
func (s *store) Command() *cobra.Command {
	c := &cobra.Command{Use: "postgres", Short: "Make a store that signers share"}
	c.AddCommand(&cobra.Command{
		Use: "schema ROLE", Short: "Print the SQL that makes the store and lets ROLE use it", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			_, err := fmt.Fprint(c.OutOrStdout(), signer.SharedSchema(args[0]))
			return err
		},
	})
	return c
}
