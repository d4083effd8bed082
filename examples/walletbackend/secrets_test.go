package main

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/keyring"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// TestNoSecretInTheLogOfABadDay has everything go wrong that is logged, at the most
// talkative level, and looks for each secret that there is: the services' keys, the
// node's address, the control port's token, passwords, sessions, form tokens, users' keys
// in each form that a program could print, and what they are sealed with.
func TestNoSecretInTheLogOfABadDay(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, p)
	alice.await(t, p.ID, "confirmed")
	token, err := r.backend.db.Token(r.user(t, "alice").ID).Load(t.Context())
	require.NoError(t, err)
	require.False(t, token.Access.IsZero())

	wrong := &caller{rig: r, client: &http.Client{Transport: r.document}}
	wrong.call(t, "POST", "/api/login", map[string]string{"name": "alice", "password": r.password + "x"}, nil)
	alice.csrf, wrong.csrf = "guess", alice.csrf
	require.Equal(t, http.StatusForbidden, alice.call(t, "POST", "/api/payments", r.swapOf("25"), nil))
	alice.csrf = wrong.csrf
	hook, err := http.Post(r.url+"/hooks/ledger", "application/json", http.NoBody)
	require.NoError(t, err)
	hook.Body.Close()
	faults := 0
	for _, service := range sandbox.Services() {
		for _, f := range []sandbox.Fault{{Status: http.StatusUnauthorized, Times: 2}, {Reset: true, Times: 4}, {Garbage: true, Times: 2}} {
			r.box.Fault(sandbox.Route{Service: service}, f)
			faults++
		}
	}
	require.Positive(t, faults)
	failed := 0
	for range 3 {
		for _, path := range []string{"/", "/prices", "/swap?amount=25", "/lending", "/burn"} {
			if status, _ := alice.raw(t, "GET", path, nil); status >= 400 {
				failed++
			}
		}
		alice.call(t, "POST", "/api/payments", r.swapOf("25"), nil)
	}
	require.Positive(t, failed)
	require.Contains(t, r.log.String(), "request failed")

	secrets := map[string]string{
		"password": r.password, "form token": alice.csrf, "hash": r.user(t, "alice").Password,
		"access token": token.Access.Reveal(), "refresh token": token.Refresh.Reveal(),
	}
	for _, name := range settings.Names {
		secret, err := r.settings.Secret(name)
		require.NoError(t, err)
		if !secret.IsZero() {
			secrets[name] = secret.Reveal()
		}
	}
	for _, cookie := range alice.client.Jar.Cookies(mustURL(t, r.url)) {
		secrets["cookie"] = cookie.Value
	}
	master, err := os.ReadFile(filepath.Join(r.data, "master.key"))
	require.NoError(t, err)
	secrets["master key"] = string(master)
	secret, err := r.backend.settings.Secret(settings.MasterKey)
	require.NoError(t, err)
	if secret.IsZero() {
		secret = walletSecret(string(master))
	}
	seal, err := keyring.NewSeal(secret)
	require.NoError(t, err)
	user := r.user(t, "alice")
	sealed, err := r.backend.db.Key(t.Context(), user.ID)
	require.NoError(t, err)
	secrets["sealed key"] = sealed
	seed, err := seal.Open(sealed, "key of user "+user.ID)
	require.NoError(t, err)
	secrets["key in hex"], secrets["key in base58"] = hex.EncodeToString(seed), signing.PublicKey(seed).String()
	secrets["key in base64"] = base64.RawStdEncoding.EncodeToString(seed)[:40]
	require.Greater(t, len(secrets), 20)
	log := r.log.String()
	for name, secret := range secrets {
		require.Greater(t, len(secret), 5, name)
		if name == settings.RPCURL { // in the demo only an address, which errors name without its path
			continue
		}
		require.NotContains(t, log, secret, name)
	}
}
