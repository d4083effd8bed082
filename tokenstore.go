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
}

// TokenStore keeps a [Token] for longer than the client lives: in a file, in a
// database, in memory that several clients share. A refreshed token is saved
// before it is used, so that a rotated refresh token is never lost.
type TokenStore interface {
	// Load returns the newest token, the zero Token if there is none.
	Load(ctx context.Context) (Token, error)
	// Save replaces the token.
	Save(ctx context.Context, t Token) error
}

// MemoryTokenStore keeps a token in memory. The zero value is empty and ready to
// use.
type MemoryTokenStore struct {
	mu    sync.Mutex
	token Token
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
