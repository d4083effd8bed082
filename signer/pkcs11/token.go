package pkcs11

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	cryptoki "github.com/miekg/pkcs11"
	"github.com/walletfi/walletfi-go"
)

// Config names a token. All but Serial and AllowExposed are required.
type Config struct {
	// Module is the path of the shared library that the token's maker provides. A process can
	// have one Token of a library at a time.
	Module string
	// Token is the token's label.
	Token string
	// Serial is the token's serial number. Empty is that of the only token with the label.
	Serial string
	// PIN is the user's. It is kept in memory for the login after a lost session.
	PIN walletfi.Secret
	// AllowExposed accepts keys that the token would give out, or that can be used without the
	// PIN: see [Held].
	AllowExposed bool
}

// ErrPIN is the error if a token did not take the PIN, and of all calls after that.
var ErrPIN = errors.New("pkcs11: the token did not take the PIN")

// callTimeout bounds how long a call waits for its turn and for the token.
const callTimeout = 10 * time.Second

// Token is a token that was logged in to. It is safe for concurrent use.
type Token struct {
	cfg  Config
	lib  library
	turn chan struct{} // full while somebody calls the library, who alone uses what follows

	begun   bool  // the library was initialised, and not finalised
	up      bool  // the session is good, as far as is known
	stopped error // of a wrong PIN, or of Close
	session cryptoki.SessionHandle
	slot    uint
	serial  string // that the token must have after the first login
	logins  int    // by which keys notice that their handles are old
}

// Open loads the library and logs in. Close the Token at the end.
func Open(ctx context.Context, cfg Config) (*Token, error) {
	if cfg.Module == "" || cfg.Token == "" || cfg.PIN.IsZero() {
		return nil, errors.New("pkcs11: the library's path, the token's label and the PIN are required")
	}
	lib, err := load(cfg.Module)
	if err != nil {
		return nil, fmt.Errorf("pkcs11: %s: %w", cfg.Module, err)
	}
	t := &Token{cfg: cfg, lib: lib, turn: make(chan struct{}, 1), serial: cfg.Serial}
	if _, err := do(ctx, t, func() (struct{}, error) { return struct{}{}, nil }); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// Close logs out and ends the library. Its keys sign no more. It fails if a call has not come
// back for ten seconds.
func (t *Token) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	if err := t.takeTurn(ctx); err != nil {
		return err
	}
	defer func() { <-t.turn }()
	t.stopped, t.up = errors.New("pkcs11: the token is closed"), false
	return t.end()
}

// end ends the library, and by that all sessions.
func (t *Token) end() error {
	if !t.begun {
		return nil
	}
	t.begun = false
	return t.lib.Finalize()
}

func (t *Token) takeTurn(ctx context.Context) error {
	if ctx.Err() == nil {
		select {
		case t.turn <- struct{}{}:
			return nil
		case <-ctx.Done():
		}
	}
	return fmt.Errorf("pkcs11: no turn at the token, where an earlier call may not have come back: %w", ctx.Err())
}

// do calls f, which calls the library, when nobody else does.
func do[T any](ctx context.Context, t *Token, f func() (T, error)) (value T, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := t.takeTurn(ctx); err != nil {
		return value, err
	}
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := repeated(t, f)
		<-t.turn
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return value, fmt.Errorf("pkcs11: the token has not answered yet: %w", ctx.Err())
	}
}

// repeated calls f again after a login if the session was lost, once.
func repeated[T any](t *Token, f func() (T, error)) (value T, err error) {
	if t.up {
		if value, err = f(); !lost(err) {
			return value, err
		}
	}
	if err := t.login(); err != nil {
		return value, err
	}
	value, err = f()
	t.up = !lost(err)
	return value, err
}

// login starts the library again, since some see a token that was put back only then, and logs
// in to the token that it was before.
func (t *Token) login() error {
	if t.stopped != nil {
		return t.stopped
	}
	t.up = false
	_ = t.end() // of what was lost
	if err := t.lib.Initialize(); err != nil {
		return fmt.Errorf("pkcs11: %s: %w", t.cfg.Module, err)
	}
	t.begun = true
	info, err := t.find()
	if err != nil {
		return err
	}
	if t.session, err = t.lib.OpenSession(t.slot, cryptoki.CKF_SERIAL_SESSION); err != nil {
		return fmt.Errorf("pkcs11: token %q: %w", t.cfg.Token, err)
	}
	if err := t.enter(info.Flags); err != nil {
		return err
	}
	t.serial, t.up = info.SerialNumber, true
	t.logins++
	return nil
}

// find finds the token's slot, which may be another one after it was put back.
func (t *Token) find() (found cryptoki.TokenInfo, err error) {
	slots, err := t.lib.GetSlotList(true)
	if err != nil {
		return found, fmt.Errorf("pkcs11: list tokens: %w", err)
	}
	fit := 0
	for _, slot := range slots {
		info, err := t.lib.GetTokenInfo(slot)
		if err != nil || strings.TrimRight(info.Label, " \x00") != t.cfg.Token {
			continue
		}
		if t.serial == "" || info.SerialNumber == t.serial {
			found, t.slot = info, slot
			fit++
		}
	}
	if fit != 1 {
		return found, fmt.Errorf("pkcs11: %d tokens have the label %q and the serial number %q, not one",
			fit, t.cfg.Token, t.serial)
	}
	return found, nil
}

// enter sends the PIN, unless it was wrong before or a wrong one would lock the token.
func (t *Token) enter(flags uint) error {
	switch {
	case flags&cryptoki.CKF_USER_PIN_LOCKED != 0:
		return fmt.Errorf("%w: it is locked, and its security officer must set another", ErrPIN)
	case flags&cryptoki.CKF_USER_PIN_FINAL_TRY != 0:
		return fmt.Errorf("%w: it was not sent, since one more that is wrong locks the token: "+
			"log in to it by another program first", ErrPIN)
	}
	err := t.lib.Login(t.session, cryptoki.CKU_USER, t.cfg.PIN.Reveal())
	switch {
	case wrongPIN(err):
		t.stopped = fmt.Errorf("%w, which is not sent again, since a few that are wrong lock the token: %w", ErrPIN, err)
		return t.stopped
	case err != nil && !is(err, cryptoki.CKR_USER_ALREADY_LOGGED_IN):
		return fmt.Errorf("pkcs11: log in to token %q: %w", t.cfg.Token, err)
	}
	return nil
}
