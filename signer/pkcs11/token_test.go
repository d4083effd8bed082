package pkcs11_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cryptoki "github.com/miekg/pkcs11"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/pkcs11"
)

// signed signs a message and verifies that.
func signed(t *testing.T, key *pkcs11.Key, text string) {
	t.Helper()
	signature, err := key.Sign(t.Context(), []byte(text))
	require.NoError(t, err)
	require.True(t, signature.Verify(key.PublicKey(), []byte(text)))
}

// TestLostSession: one login more, and the signature.
func TestLostSession(t *testing.T) {
	for name, lose := range map[string]func(*testing.T, *rig){
		"sessions closed": func(t *testing.T, r *rig) { r.closeSessions(t) },
		"logged out":      func(t *testing.T, r *rig) { require.NoError(t, r.raw.Logout(r.session(t))) },
		"library ended":   func(t *testing.T, r *rig) { require.NoError(t, r.raw.Finalize()) },
		"device removed": func(_ *testing.T, r *rig) {
			r.fails["SignInit"] = []error{cryptoki.Error(cryptoki.CKR_DEVICE_REMOVED)}
		},
		"token not present": func(_ *testing.T, r *rig) {
			r.fails["SignInit"] = []error{cryptoki.Error(cryptoki.CKR_TOKEN_NOT_PRESENT)}
		},
		"left amid a signature": func(t *testing.T, r *rig) {
			r.fails["SignInit"] = []error{cryptoki.Error(cryptoki.CKR_OPERATION_ACTIVE)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			key := r.withKey(t)
			signed(t, key, "before")
			require.Equal(t, 1, r.count("Login"))
			lose(t, r)
			signed(t, key, "after")
			assert.Equal(t, 2, r.count("Login"))
			signed(t, key, "later")
			assert.Equal(t, 2, r.count("Login"))
		})
	}
}

// TestRepeatedOnce: what is lost again at once is an error, and the next call begins with a login.
func TestRepeatedOnce(t *testing.T) {
	r := newRig(t)
	key := r.withKey(t)
	before := r.count("SignInit")
	gone := cryptoki.Error(cryptoki.CKR_DEVICE_REMOVED)
	r.fails["SignInit"] = []error{gone, gone}
	_, err := key.Sign(t.Context(), []byte("message"))
	require.ErrorIs(t, err, gone)
	assert.Equal(t, 2, r.count("SignInit")-before)
	assert.Equal(t, 2, r.count("Login"))
	signed(t, key, "message")
	assert.Equal(t, 3, r.count("Login"))
	r.fails["SignInit"] = []error{cryptoki.Error(cryptoki.CKR_FUNCTION_FAILED)}
	_, err = key.Sign(t.Context(), []byte("message"))
	require.Error(t, err, "what no login mends is not repeated")
	assert.Equal(t, 3, r.count("Login"))
}

func TestTokenRemovedAndPutBack(t *testing.T) {
	r := newRig(t)
	key := r.withKey(t)
	signed(t, key, "before")
	require.NoError(t, os.Rename(r.dir, r.dir+".away"))
	require.NoError(t, os.Mkdir(r.dir, 0o700))
	logins := r.count("Login")
	_, err := key.Sign(t.Context(), []byte("removed"))
	require.ErrorContains(t, err, `0 tokens have the label "walletfi"`)
	initToken(t) // another one of the same label and PIN
	_, err = key.Sign(t.Context(), []byte("another"))
	require.ErrorContains(t, err, `0 tokens have the label "walletfi"`)
	assert.Equal(t, logins, r.count("Login"), "the PIN is for the token that it was")
	require.NoError(t, os.RemoveAll(r.dir))
	require.NoError(t, os.Rename(r.dir+".away", r.dir))
	signed(t, key, "put back")
}

func TestTokensOfOneLabel(t *testing.T) {
	r := newRig(t)
	initToken(t)
	_, err := pkcs11.Open(t.Context(), r.cfg)
	require.ErrorContains(t, err, `2 tokens have the label "walletfi"`)
	assert.Zero(t, r.count("Login"))
}

func TestWrongPIN(t *testing.T) {
	r := newRig(t)
	r.cfg.PIN = walletfi.NewSecret("73512")
	_, err := pkcs11.Open(t.Context(), r.cfg)
	require.ErrorIs(t, err, pkcs11.ErrPIN)
	require.ErrorContains(t, err, "not sent again")
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, r.cfg, r.cfg), "73512")
	assert.Equal(t, 1, r.count("Login"))
}

// TestPINChanged: the PIN is sent once after the session was lost, and never again.
func TestPINChanged(t *testing.T) {
	r := newRig(t)
	key := r.withKey(t)
	require.NoError(t, r.raw.SetPIN(r.session(t), pin, "90125"))
	signed(t, key, "the session is good")
	r.closeSessions(t)
	for range 3 {
		_, err := key.Sign(t.Context(), []byte("message"))
		require.ErrorIs(t, err, pkcs11.ErrPIN)
	}
	assert.Equal(t, 2, r.count("Login"))
}

// TestPINNearlyLocked: SoftHSM locks no PIN, so what a token says that does is put in here.
func TestPINNearlyLocked(t *testing.T) {
	for flag, text := range map[uint]string{
		cryptoki.CKF_USER_PIN_LOCKED: "it is locked", cryptoki.CKF_USER_PIN_FINAL_TRY: "it was not sent",
	} {
		t.Run(text, func(t *testing.T) {
			r := newRig(t)
			r.flags = flag
			_, err := pkcs11.Open(t.Context(), r.cfg)
			require.ErrorIs(t, err, pkcs11.ErrPIN)
			require.ErrorContains(t, err, text)
			assert.Zero(t, r.count("Login"))
			r.flags = cryptoki.CKF_USER_PIN_COUNT_LOW
			require.NoError(t, r.open(t).Close())
		})
	}
}

func TestPINLocked(t *testing.T) {
	r := newRig(t)
	key := r.withKey(t)
	r.closeSessions(t)
	r.fails["Login"] = []error{cryptoki.Error(cryptoki.CKR_PIN_LOCKED)}
	for range 2 {
		_, err := key.Sign(t.Context(), []byte("message"))
		require.ErrorIs(t, err, pkcs11.ErrPIN)
		require.ErrorContains(t, err, "CKR_PIN_LOCKED")
	}
	assert.Equal(t, 2, r.count("Login"))
}

// TestCallThatDoesNotComeBack: who asked leaves, and who asks next waits until his context ends.
func TestCallThatDoesNotComeBack(t *testing.T) {
	r := newRig(t)
	key := r.withKey(t)
	hold := make(chan struct{})
	r.mu.Lock()
	r.hold = hold
	r.mu.Unlock()
	for _, text := range []string{"has not answered yet", "may not have come back"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		failed := make(chan error, 1)
		before := r.count("SignInit")
		go func() {
			_, err := key.Sign(ctx, []byte("message"))
			failed <- err
		}()
		if text == "has not answered yet" { // it is within the library
			require.Eventually(t, func() bool { return r.count("SignInit") > before }, 10*time.Second, time.Millisecond)
		}
		cancel(errors.New("the caller left"))
		err := <-failed
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, text)
	}
	r.mu.Lock()
	r.hold = nil
	r.mu.Unlock()
	close(hold)
	signed(t, key, "next")
}

// TestAtOnce: two keys of a token sign at once, while sessions are closed.
func TestAtOnce(t *testing.T) {
	r := newRig(t)
	token := r.open(t)
	var all sync.WaitGroup
	failed := make(chan error, 2*30)
	keys := map[string]*pkcs11.Key{}
	for _, label := range []string{"a", "b"} {
		key, err := token.Make(t.Context(), label)
		require.NoError(t, err)
		keys[label] = key
	}
	for label, key := range keys {
		for i := range 30 {
			all.Go(func() {
				text := fmt.Appendf(nil, "%s %d", label, i)
				if i%10 == 0 {
					r.mu.Lock()
					r.fails["SignInit"] = append(r.fails["SignInit"], cryptoki.Error(cryptoki.CKR_SESSION_CLOSED))
					r.mu.Unlock()
				}
				signature, err := key.Sign(t.Context(), text)
				if err == nil && !signature.Verify(key.PublicKey(), text) {
					err = errors.New("a signature does not verify")
				}
				failed <- err
			})
		}
	}
	all.Wait()
	bad := 0
	for range cap(failed) {
		if err := <-failed; errors.Is(err, cryptoki.Error(cryptoki.CKR_SESSION_CLOSED)) {
			bad++ // it met a failure more after its login
		} else {
			assert.NoError(t, err)
		}
	}
	assert.LessOrEqual(t, bad, 6, "no more than failures were put in")
}

// TestTwoProcesses: another process signs with the same key at the same time.
func TestTwoProcesses(t *testing.T) {
	const each = 50
	if os.Getenv("WALLETFI_PKCS11_CHILD") != "" {
		token, err := pkcs11.Open(t.Context(), pkcs11.Config{Module: softHSM, Token: "walletfi", PIN: walletfi.NewSecret(pin)})
		require.NoError(t, err)
		key, err := token.Key(t.Context(), pkcs11.Name{Label: "bot"})
		require.NoError(t, err)
		for i := range each {
			signed(t, key, fmt.Sprint("child ", i))
		}
		require.NoError(t, token.Close())
		fmt.Println("child signed", each)
		return
	}
	r := newRig(t)
	key := r.withKey(t)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTwoProcesses$")
	child.Env = append(slices.Clone(os.Environ()), "WALLETFI_PKCS11_CHILD=1")
	var out strings.Builder
	child.Stdout, child.Stderr = &out, &out
	require.NoError(t, child.Start())
	for i := range each {
		signed(t, key, fmt.Sprint("parent ", i))
	}
	require.NoError(t, child.Wait(), out.String())
	require.Contains(t, out.String(), "child signed 50")
	require.Equal(t, 1, r.count("Login"))
}

func TestClose(t *testing.T) {
	r := newRig(t)
	token := r.open(t)
	key, err := token.Make(t.Context(), "bot")
	require.NoError(t, err)
	_, err = pkcs11.Open(t.Context(), r.cfg)
	require.ErrorContains(t, err, "CKR_CRYPTOKI_ALREADY_INITIALIZED", "a process has one of a library")
	signed(t, key, "still good")
	require.NoError(t, token.Close())
	require.NoError(t, token.Close())
	_, err = key.Sign(t.Context(), []byte("message"))
	require.ErrorContains(t, err, "the token is closed")
	assert.Equal(t, 1, r.count("Login"))
	signed(t, func() *pkcs11.Key {
		key, err := r.open(t).Key(t.Context(), pkcs11.Name{Label: "bot"})
		require.NoError(t, err)
		return key
	}(), "opened again")
}

func TestOpenRefuses(t *testing.T) {
	r := newRig(t)
	for _, spoil := range []func(*pkcs11.Config){
		func(c *pkcs11.Config) { c.Module = "" }, func(c *pkcs11.Config) { c.Token = "" },
		func(c *pkcs11.Config) { c.PIN = walletfi.Secret{} }, func(c *pkcs11.Config) { c.Token = "other" },
		func(c *pkcs11.Config) { c.Serial = "1" }, func(c *pkcs11.Config) { c.Module = "/dev/null" },
	} {
		cfg := r.cfg
		spoil(&cfg)
		_, err := pkcs11.Open(t.Context(), cfg)
		require.Error(t, err)
	}
	assert.Zero(t, r.count("Login"))
}
