package main

import (
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/keyring"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/sandbox"
)

const (
	waitMost  = 30 * time.Second
	waitEvery = 50 * time.Millisecond
)

func walletSecret(text string) walletfi.Secret { return walletfi.NewSecret(text) }

func mustURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	require.NoError(t, err)
	return u
}

// readAll reads the files of a folder whose names match.
func readAll(t *testing.T, folder, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var all strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}

// TestKeysInAnotherProcess runs the signer beside the server, by its socket.
func TestKeysInAnotherProcess(t *testing.T) {
	folder, err := os.MkdirTemp("", "s") // short: a socket's path has at most 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	socket := filepath.Join(folder, "socket")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- run(ctx, []string{"signer", "-data", folder, "-socket", socket}, io.Discard, io.Discard)
	}()
	t.Cleanup(func() { cancel(); require.NoError(t, <-done) })
	require.Eventually(t, func() bool { _, err := os.Stat(socket); return err == nil }, waitMost, waitEvery)

	r := newRigWith(t, sandbox.Config{InstantConfirmation: true}, options{signer: socket})
	_, err = r.backend.db.Key(t.Context(), r.user(t, "alice").ID)
	require.ErrorIs(t, err, store.ErrNotFound, "the server's database has no key")
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, p)
	alice.await(t, p.ID, "confirmed")
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"))
}

func TestASealedKeyIsItsUsers(t *testing.T) {
	db, err := store.Open(t.Context(), sqlstore.Config{Path: filepath.Join(t.TempDir(), "keys.db")})
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	seal, err := keyring.NewSeal(demo.NewMasterKey())
	require.NoError(t, err)
	keys := keyring.NewLocal(db, seal)
	address, err := keys.Create(t.Context(), "alice")
	require.NoError(t, err)
	signer, err := keys.Signer(t.Context(), "alice")
	require.NoError(t, err)
	require.Equal(t, address, signer.PublicKey())

	sealed, err := db.Key(t.Context(), "alice")
	require.NoError(t, err)
	require.NoError(t, db.AddKey(t.Context(), "bob", address.String(), sealed))
	_, err = keys.Signer(t.Context(), "bob")
	require.ErrorContains(t, err, "cannot be decrypted")

	other, err := keyring.NewSeal(demo.NewMasterKey())
	require.NoError(t, err)
	_, err = keyring.NewLocal(db, other).Signer(t.Context(), "alice")
	require.ErrorContains(t, err, "cannot be decrypted")
	_, err = keyring.NewSeal(walletSecret("c2hvcnQ="))
	require.Error(t, err)
}
