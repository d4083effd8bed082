package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
)

// masterKey encrypts the users' tokens. It comes from the environment, else
// from the file master.key in the data folder, which the first start writes. In
// production keep it away from the database.
func masterKey(s *settings.Settings, folder string) (walletfi.Secret, error) {
	master, err := s.Secret(settings.MasterKey)
	if err != nil || !master.IsZero() {
		return master, err
	}
	return masterFile(filepath.Join(folder, "master.key"))
}

func masterFile(path string) (walletfi.Secret, error) {
	text, err := os.ReadFile(path)
	if err == nil {
		return walletfi.NewSecret(string(text)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return walletfi.Secret{}, err
	}
	master := demo.NewMasterKey()
	return master, os.WriteFile(path, []byte(master.Reveal()), 0o600)
}
