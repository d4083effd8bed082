package walletfi

import (
	"context"
	"sync"
	"time"
)

// Token is a pair of bearer tokens.
type Token struct {
	Access  Secret
	Refresh Secret    // zero if the token cannot be refreshed
	Expiry  time.Time // of Access by the local clock; zero if unknown
	// Ahead is how far the service's clock was ahead of the local one when the token came,
	// by the Date of its answers; 0 if it did not say. A store that keeps it lets a process
	// whose clock differs know when the token expires.
	Ahead time.Duration
}

// Same reports whether t and u are the same pair, whatever their expiry.
func (t Token) Same(u Token) bool {
	return t.Access.Reveal() == u.Access.Reveal() && t.Refresh.Reveal() == u.Refresh.Reveal()
}

// TokenStore keeps a [Token] for longer than the client lives: in a file, in a
// database, in memory that several clients share. A refreshed token is saved
// before it is used, so that a rotated refresh token is never lost. Clients that
// share a store refresh once. Package tokenstoretest tests an implementation. All
// methods are safe for concurrent use.
type TokenStore interface {
	// Load returns the newest token, the zero Token if there is none.
	Load(ctx context.Context) (Token, error)
	// Save replaces the token, as after a sign-in. The zero Token signs out.
	Save(ctx context.Context, t Token) error
	// Replace saves next if the store still has old (see [Token.Same]), in one step,
	// and reports whether it did. So a refresh that took long does not undo what
	// another process saved meanwhile.
	Replace(ctx context.Context, old, next Token) (bool, error)
	// TryLock takes the right to refresh the token, and does not wait. unlock is nil
	// if another client or process has it. It ends with unlock, or after lease if the
	// process died. An unlock that comes later than that does nothing.
	TryLock(ctx context.Context, lease time.Duration) (unlock func(), err error)
}

// MemoryTokenStore keeps a token in memory. The zero value is empty and ready to
// use. Clients of one process may share it.
type MemoryTokenStore struct {
	mu     sync.Mutex
	token  Token
	holder *int      // of the lock, nil if it is free
	until  time.Time // when the lock ends by itself
}

// Load returns the token last saved.
func (m *MemoryTokenStore) Load(context.Context) (Token, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.token, nil
}

// Save replaces the token.
func (m *MemoryTokenStore) Save(_ context.Context, t Token) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.token = t
	return nil
}

// Replace implements [TokenStore].
func (m *MemoryTokenStore) Replace(_ context.Context, old, next Token) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.token.Same(old) {
		return false, nil
	}
	m.token = next
	return true, nil
}

// TryLock implements [TokenStore].
func (m *MemoryTokenStore) TryLock(_ context.Context, lease time.Duration) (unlock func(), err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.holder != nil && time.Now().Before(m.until) {
		return nil, nil
	}
	own := new(int)
	m.holder, m.until = own, time.Now().Add(lease)
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.holder == own {
			m.holder = nil
		}
	}, nil
}

var _ TokenStore = (*MemoryTokenStore)(nil)
