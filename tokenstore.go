package walletfi

import (
	"context"
	"sync"
	"time"
)

// Token is a pair of bearer tokens.
type Token struct {
	Access  Secret
	Refresh Secret    // zero where there is none to refresh with
	Expiry  time.Time // of Access by the local clock; zero where unknown
}

// TokenStore keeps a Token where it outlives the client: a file, a database,
// memory shared by several clients. A refreshed token is saved before it is
// used, so that a rotated refresh token is never lost.
type TokenStore interface {
	// Load returns the newest token, the zero Token where there is none.
	Load(ctx context.Context) (Token, error)
	// Save replaces the token.
	Save(ctx context.Context, t Token) error
}

// MemoryTokenStore keeps a token in memory. The zero value is empty and ready.
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
