package bearer

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/observe"
)

// Config says where tokens come from and how often they
// are renewed.
type Config struct {
	// Store keeps the tokens. Nil means memory.
	Store walletfi.TokenStore
	// Refresh asks the service for the successor of old. Its ctx ends with
	// RefreshTimeout and with nothing else. A successor without a refresh token
	// keeps the old one. Nil means that new tokens come from the store alone.
	Refresh func(ctx context.Context, old walletfi.Token) (walletfi.Token, error)
	// RefreshTimeout bounds one renewal, from its turn in Room on. 0 means 15 seconds.
	RefreshTimeout time.Duration
	// Early is how long before the expiry a token is renewed, at most half of
	// the time that it has left when it comes in. 0 means 30 seconds.
	Early time.Duration
	// Spread is up to how much earlier than that a token is renewed: a random part of
	// it, so that tokens that came at once do not go at once. It is at most a tenth of
	// the time that the token has left. 0 means no spread.
	Spread time.Duration
	// Room is where the renewals of all clients of one host wait for their turn. Nil
	// has no bound.
	Room *Room
	// MinInterval is the pace of refreshes: two may follow each other closely
	// (a renewal, and a 401 to its result), then one an interval, whatever
	// expiry the service states. A refused refresh is not repeated within it.
	// 0 means 10 seconds.
	MinInterval time.Duration
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
	// Observer is notified of each Refresh of Service. It may be nil.
	Observer observe.Observer
	Service  string
}

// Tokens puts a bearer token on each attempt and renews it: shortly before it
// expires, and when the service refuses it. One renewal runs at a time for any
// number of callers, and no caller's cancel ends it. Of several processes that
// share the store, one refreshes and the others take what it saved.
//
// A renewed token is used once the store has it, never before. While the store
// fails, callers get its error, the token waits in memory, and each further
// call that needs it tries to save it again; no second refresh is spent.
//
// A token whose expiry is unknown or made no sense on arrival is used until
// the service refuses it. So is one that cannot be refreshed.
type Tokens struct {
	cfg     Config
	current atomic.Pointer[credential]    // nil before a sign-in
	ahead   atomic.Pointer[time.Duration] // of the service's clock before ours, nil if unknown
	saving  chan struct{}                 // held while the store is written: a sign-in and a refresh must not cross

	mu       sync.Mutex
	flight   *flight         // the renewal under way, nil if none
	seen     walletfi.Token  // what the store held when last read or written
	unsaved  *walletfi.Token // renewed, but the store failed
	previous walletfi.Token  // the predecessor of current
	failed   failure
	pace     pace
}

// New returns a Tokens that reads its first token from the store.
func New(cfg Config) *Tokens {
	if cfg.Store == nil {
		cfg.Store = new(walletfi.MemoryTokenStore)
	}
	if cfg.RefreshTimeout <= 0 {
		cfg.RefreshTimeout = 15 * time.Second
	}
	if cfg.Early <= 0 {
		cfg.Early = 30 * time.Second
	}
	if cfg.MinInterval <= 0 {
		cfg.MinInterval = 10 * time.Second
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Tokens{cfg: cfg, saving: make(chan struct{}, 1)}
}

// Authorise sets the Authorization header. It waits for a renewal if the
// token has expired, was refused or is missing. A token that is about to expire
// stays in use if its renewal fails or is slow.
func (b *Tokens) Authorise(ctx context.Context, header http.Header) error {
	cred, err := b.credential(ctx)
	if err != nil {
		return err
	}
	// A slice of the request's own: a RoundTripper that masks the header in
	// place for its log must not reach the other requests.
	header["Authorization"] = []string{cred.value}
	return nil
}

// Refused renews the token after a 401, unless header carried an older one
// than the current. Its error answers to ErrUnauthorized if only signing in
// again helps.
func (b *Tokens) Refused(ctx context.Context, header http.Header) (again bool, err error) {
	cred := b.current.Load()
	if cred == nil {
		return false, errSignIn
	}
	if !carries(header, cred.value) {
		return true, nil
	}
	cred.refused.Store(true)
	renewed, err := b.await(ctx, cred)
	if err != nil {
		return false, err
	}
	if renewed.value == cred.value {
		return false, fmt.Errorf("%w: the refresh brought the refused token again", walletfi.ErrUnauthorized)
	}
	return true, nil
}

// Header is the header of the token.
func (b *Tokens) Header() string { return "Authorization" }

// Scheme is the word before the token.
func (b *Tokens) Scheme() string { return bearerScheme }

const bearerScheme = "Bearer "

// Spent marks the token that header carried as refused: the next call renews it.
func (b *Tokens) Spent(header http.Header) {
	if cred := b.current.Load(); cred != nil && carries(header, cred.value) {
		cred.refused.Store(true)
	}
}

// Secrets returns the current tokens, their predecessors and any that wait to
// be saved.
func (b *Tokens) Secrets() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	tokens := []walletfi.Token{b.previous}
	if cred := b.current.Load(); cred != nil {
		tokens = append(tokens, cred.token)
	}
	if b.unsaved != nil {
		tokens = append(tokens, *b.unsaved)
	}
	var secrets []string
	for _, t := range tokens {
		for _, s := range []walletfi.Secret{t.Access, t.Refresh} {
			if !s.IsZero() {
				secrets = append(secrets, s.Reveal())
			}
		}
	}
	return secrets
}

// Set saves t and uses it from then on, as after a sign-in. A refresh of the
// token before it that is still under way is discarded. The zero Token signs
// out. If the store fails, nothing changes.
func (b *Tokens) Set(ctx context.Context, t walletfi.Token) error {
	if t.Access.IsZero() && !t.Refresh.IsZero() {
		return &walletfi.ValidationError{Field: "accessToken", Problem: "is missing"}
	}
	if !headerSafe(t.Access.Reveal()) {
		return &walletfi.ValidationError{Field: "accessToken", Problem: "holds a character that no header can carry"}
	}
	select {
	case b.saving <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-b.saving }()
	t.Expiry, t.Ahead = sensibleExpiry(t.Expiry, b.cfg.Now()), b.serviceAhead()
	if err := b.cfg.Store.Save(ctx, t); err != nil {
		return storeFailure("save", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.install(t, time.Time{})
	return nil
}

// Token returns the token that a call would be sent with, renewed if need be.
func (b *Tokens) Token(ctx context.Context) (walletfi.Token, error) {
	cred, err := b.credential(ctx)
	if err != nil {
		return walletfi.Token{}, err
	}
	return cred.token, nil
}

// credential returns what to send now.
func (b *Tokens) credential(ctx context.Context) (*credential, error) {
	cred := b.current.Load()
	if cred == nil || cred.refused.Load() {
		return b.await(ctx, cred)
	}
	if cred.renewAt.IsZero() { // spares the clock
		return cred, nil
	}
	now := b.cfg.Now()
	switch cred.age(now) {
	case ended:
		return b.await(ctx, cred)
	case ageing:
		return b.awaitBriefly(ctx, cred)
	}
	if b.pastByService(cred, now) {
		return b.awaitOr(ctx, cred)
	}
	return cred, nil
}

// errSignIn is the error of a call without any token.
var errSignIn = fmt.Errorf("%w: no token, sign in first", walletfi.ErrUnauthorized)
