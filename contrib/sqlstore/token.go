package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
)

// TokenStore is a [walletfi.TokenStore] in a database. Tokens are encrypted with
// the first of Config.Keys. If there is none, each method returns [ErrNoKey] and
// nothing is stored.
type TokenStore struct {
	store *Store
	name  string
}

// Tokens returns the token store of a name, such as that of the account whose token
// it keeps. Clients that share a token use the same name.
func (s *Store) Tokens(name string) *TokenStore { return &TokenStore{s, name} }

var _ walletfi.TokenStore = (*TokenStore)(nil)

// plainToken is a token before it is encrypted.
type plainToken struct {
	Access  string    `json:"access,omitempty"`
	Refresh string    `json:"refresh,omitempty"`
	Expiry  time.Time `json:"expiry,omitzero"`

	Ahead time.Duration `json:"ahead,omitempty"`
}

// Load implements [walletfi.TokenStore].
func (t *TokenStore) Load(ctx context.Context) (walletfi.Token, error) {
	if err := t.usable(); err != nil {
		return walletfi.Token{}, err
	}
	var keyID string
	var sealed []byte
	err := t.store.row(ctx, "SELECT key_id, sealed FROM walletfi_tokens WHERE name = ?", []any{t.name}, &keyID, &sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return walletfi.Token{}, nil
	}
	if err != nil {
		return walletfi.Token{}, err
	}
	token, err := t.unseal(keyID, sealed)
	return token, t.store.failed(err)
}

// Save implements [walletfi.TokenStore].
func (t *TokenStore) Save(ctx context.Context, token walletfi.Token) error {
	keyID, sealed, err := t.seal(token)
	if err != nil {
		return err
	}
	return t.store.write(ctx, func(ctx context.Context, tx transaction) error {
		_, err := tx.exec(ctx, `INSERT INTO walletfi_tokens (name, key_id, sealed, holder, locked, until)
			VALUES (?, ?, ?, '', 0, 0)
			ON CONFLICT (name) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed`, t.name, keyID, sealed)
		return err
	})
}

// Replace implements [walletfi.TokenStore].
func (t *TokenStore) Replace(ctx context.Context, old, next walletfi.Token) (replaced bool, err error) {
	keyID, sealed, err := t.seal(next)
	if err != nil {
		return false, err
	}
	err = t.store.write(ctx, func(ctx context.Context, tx transaction) error {
		if err := t.row(ctx, tx); err != nil {
			return err
		}
		var wasID string
		var was []byte
		const read = "SELECT key_id, sealed FROM walletfi_tokens WHERE name = ? FOR UPDATE"
		if err := tx.row(ctx, read, []any{t.name}, &wasID, &was); err != nil {
			return err
		}
		stored, err := t.unseal(wasID, was)
		if err != nil || !stored.Same(old) {
			return err
		}
		_, err = tx.exec(ctx, "UPDATE walletfi_tokens SET key_id = ?, sealed = ? WHERE name = ?", keyID, sealed, t.name)
		replaced = err == nil
		return err
	})
	return replaced && err == nil, err
}

// row makes the row of t, if it is not there: only a row can be locked.
func (t *TokenStore) row(ctx context.Context, tx transaction) error {
	_, err := tx.exec(ctx, `INSERT INTO walletfi_tokens (name, key_id, sealed, holder, locked, until)
		VALUES (?, '', ?, '', 0, 0)
		ON CONFLICT (name) DO NOTHING`, t.name, []byte{})
	return err
}

func (t *TokenStore) seal(token walletfi.Token) (keyID string, sealed []byte, err error) {
	if err := t.usable(); err != nil {
		return "", nil, err
	}
	if token.Same(walletfi.Token{}) {
		return "", []byte{}, nil
	}
	text, err := json.Marshal(plainToken{token.Access.Reveal(), token.Refresh.Reveal(), token.Expiry, token.Ahead})
	if err != nil {
		return "", nil, errors.New("sqlstore: the token cannot be encoded") // the error may show it
	}
	return t.store.sealer.seal(t.identity(), text)
}

func (t *TokenStore) unseal(keyID string, sealed []byte) (walletfi.Token, error) {
	if len(sealed) == 0 {
		return walletfi.Token{}, nil
	}
	text, err := t.store.sealer.open(t.identity(), keyID, sealed)
	if err != nil {
		return walletfi.Token{}, err
	}
	var p plainToken
	if err := json.Unmarshal(text, &p); err != nil {
		return walletfi.Token{}, fmt.Errorf("%w: the token of %q", ErrDamaged, t.name)
	}
	access, refresh := walletfi.NewSecret(p.Access), walletfi.NewSecret(p.Refresh)
	return walletfi.Token{Access: access, Refresh: refresh, Expiry: p.Expiry, Ahead: p.Ahead}, nil
}

// identity is the text that a sealed token is bound to.
func (t *TokenStore) identity() string { return "token " + t.name }

// usable refuses a store without a key before anything is read or written.
func (t *TokenStore) usable() error {
	if len(t.store.sealer.keys) == 0 {
		return t.store.failed(fmt.Errorf("%w: set Config.Keys", ErrNoKey))
	}
	return storable("name", t.name, maxKey)
}
