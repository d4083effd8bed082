package main

import (
	"context"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/keyring"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
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

// startSigner runs the signer's process beside a server, with a sandbox's pins, and
// returns its socket.
func startSigner(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "s") // short: a socket's path has at most 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	box, s, err := demo.Start(sandbox.Config{}, "127.0.0.1:1")
	require.NoError(t, err)
	box.Close()
	s.AllowBlind = slices.Collect(maps.Keys(s.Pins))
	config := filepath.Join(folder, "config.json")
	require.NoError(t, s.Save(config))
	socket := filepath.Join(folder, "socket")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- run(ctx, []string{"signer", "-data", folder, "-socket", socket, "-config", config}, io.Discard, io.Discard)
	}()
	t.Cleanup(func() { cancel(); require.NoError(t, <-done) })
	require.Eventually(t, func() bool { _, err := os.Stat(socket); return err == nil }, waitMost, waitEvery)
	return socket
}

// TestKeysInAnotherProcess runs the signer beside the server, by its socket.
func TestKeysInAnotherProcess(t *testing.T) {
	r := newRigWith(t, sandbox.Config{InstantConfirmation: true}, options{signer: startSigner(t)})
	_, err := r.backend.db.Key(t.Context(), r.user(t, "alice").ID)
	require.ErrorIs(t, err, store.ErrNotFound, "the server's database has no key")
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, p)
	alice.await(t, p.ID, "confirmed")
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"))
}

// TestTheSignerIsNotTheBackendsTool: whoever has the backend's socket gets no signature
// of what no one approved.
func TestTheSignerIsNotTheBackendsTool(t *testing.T) {
	socket := startSigner(t)
	r := newRigWith(t, sandbox.Config{InstantConfirmation: true}, options{signer: socket})
	keys := keyring.NewRemote(socket)
	alice, bob := r.user(t, "alice"), r.user(t, "bob")
	payment := func(amount string) store.Payment {
		p := r.signIn(t, "alice").prepare(t, r.swapOf(amount))
		kept, err := r.backend.db.Payment(t.Context(), alice.ID, p.ID)
		require.NoError(t, err)
		return kept
	}
	first, second := payment("25"), payment("26")
	message := func(p store.Payment) []byte {
		all, err := signing.DecodeAll(p.Unsigned)
		require.NoError(t, err)
		return all[0].Message()
	}
	elsewhere := first.Unsigned
	elsewhere.Intent.Service = "lending"
	thief, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	require.NoError(t, r.backend.control.Attack(t.Context(), thief.PublicKey().String()))
	theft := payment("27")
	require.Equal(t, store.Refused, theft.State)
	for _, c := range []struct {
		name     string
		user     string
		approved keyring.Approval
		message  []byte
		why      string // empty if it is signed
	}{
		{"approved", alice.ID, keyring.Approval{Unsigned: first.Unsigned, Digest: first.Report.MessagesDigest()}, message(first), ""},
		{"no approval", alice.ID, keyring.Approval{}, message(first), "the set is"},
		{"no digest", alice.ID, keyring.Approval{Unsigned: first.Unsigned}, message(first), "digest"},
		{"the digest of another set", alice.ID, keyring.Approval{Unsigned: first.Unsigned, Digest: second.Report.MessagesDigest()}, message(first), "digest"},
		{"a message of another set", alice.ID, keyring.Approval{Unsigned: first.Unsigned, Digest: first.Report.MessagesDigest()}, message(second), "not of the approved set"},
		{"any bytes", alice.ID, keyring.Approval{Unsigned: first.Unsigned, Digest: first.Report.MessagesDigest()}, []byte("a message to sign in with"), "not of the approved set"},
		{"another user's key", bob.ID, keyring.Approval{Unsigned: first.Unsigned, Digest: first.Report.MessagesDigest()}, message(first), "the set is"},
		{"another service", alice.ID, keyring.Approval{Unsigned: elsewhere, Digest: first.Report.MessagesDigest()}, message(first), "program"},
		{"a theft", alice.ID, keyring.Approval{Unsigned: theft.Unsigned, Digest: theft.Report.MessagesDigest()}, message(theft), string(signing.RuleSystemTransfer)},
	} {
		t.Run(c.name, func(t *testing.T) {
			signer, err := keys.Signer(t.Context(), c.user, c.approved)
			require.NoError(t, err)
			_, err = signer.Sign(t.Context(), c.message)
			if c.why == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "the signer refuses")
			require.ErrorContains(t, err, c.why)
		})
	}
}

// TestTheSignersFlags: without pins it does not start.
func TestTheSignersFlags(t *testing.T) {
	err := run(t.Context(), []string{"signer", "-data", t.TempDir(), "-socket", "s"}, io.Discard, io.Discard)
	require.ErrorContains(t, err, "-config")
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
	signer, err := keys.Signer(t.Context(), "alice", keyring.Approval{})
	require.NoError(t, err)
	require.Equal(t, address, signer.PublicKey())

	sealed, err := db.Key(t.Context(), "alice")
	require.NoError(t, err)
	require.NoError(t, db.AddKey(t.Context(), "bob", address.String(), sealed))
	_, err = keys.Signer(t.Context(), "bob", keyring.Approval{})
	require.ErrorContains(t, err, "cannot be decrypted")

	other, err := keyring.NewSeal(demo.NewMasterKey())
	require.NoError(t, err)
	_, err = keyring.NewLocal(db, other).Signer(t.Context(), "alice", keyring.Approval{})
	require.ErrorContains(t, err, "cannot be decrypted")
	_, err = keyring.NewSeal(walletSecret("c2hvcnQ="))
	require.Error(t, err)
}

// TestASignerWithoutANode: it signs nothing blind unless its settings say so.
func TestASignerWithoutANode(t *testing.T) {
	t.Setenv("WALLETBACKEND_RPC_URL", "")
	s := &settings.Settings{Pins: map[string][]signing.PublicKey{"swap": {{1}}, "lending": {{2}}}}
	_, err := signerGuard(s)
	require.ErrorContains(t, err, `"allowBlind": ["lending","swap"]`, "the line to add")
	require.ErrorContains(t, err, "RPC_URL")
	s.AllowBlind = []string{"lending"}
	_, err = signerGuard(s)
	require.NoError(t, err)
	_, err = signerGuard(&settings.Settings{})
	require.NoError(t, err, "nothing is pinned, so that nothing is blind")
	_, err = signerGuard((&settings.Settings{Pins: s.Pins}).WithSecrets(map[string]walletfi.Secret{settings.RPCURL: walletSecret("http://127.0.0.1:1")}))
	require.NoError(t, err)
}
