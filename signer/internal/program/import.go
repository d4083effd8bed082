package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go/signer"
)

func newImport(backends []Backend) *cobra.Command {
	f, template := serving{backends: backends}, ""
	const short = "Take in keys that were elsewhere, of a file that age has encrypted, with the signer stopped"
	c := newCommand("import FILE", short, cobra.ExactArgs(1), func(c *cobra.Command, files []string) error {
		return f.imports(c, files[0], template)
	})
	f.opens(c)
	c.Flags().StringVar(&template, "template", "", "the template of the policy that their owners are of")
	return c
}

// imports takes in the keys of a file, one after another. After an error it is run again: what is
// there is left as it is.
func (f *serving) imports(c *cobra.Command, path, template string) (err error) {
	identities, err := f.identities()
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	plain, err := age.Decrypt(file, identities...)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	cfg, err := f.config(c)
	if err != nil {
		return err
	}
	s, err := signer.Open(c.Context(), cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	lines, owners := json.NewDecoder(plain), 0
	for {
		var k signer.ImportedKey
		if err := lines.Decode(&k); errors.Is(err, io.EOF) {
			fmt.Fprintf(c.OutOrStdout(), "%d owners have a key that was elsewhere\n", owners)
			return nil
		} else if err != nil {
			return fmt.Errorf("%s, after %d keys: %w", path, owners, err)
		}
		key, err := s.ImportOwner(c.Context(), template, k)
		clear(k.Seed)
		if err != nil {
			return fmt.Errorf("owner %q, after %d: %w", k.Name, owners, err)
		}
		fmt.Fprintf(c.OutOrStdout(), "owner %q %s\n", k.Name, key)
		owners++
	}
}
