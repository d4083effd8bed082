package keyring

import (
	"context"
	"crypto/ed25519"

	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signing"
)

// Local keeps the keys in the database, each encrypted under the master key.
type Local struct {
	db   *store.DB
	seal *Seal
}

// NewLocal returns the keys of a database.
func NewLocal(db *store.DB, seal *Seal) *Local { return &Local{db, seal} }

// Create implements Keys.
func (l *Local) Create(ctx context.Context, userID string) (signing.PublicKey, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return signing.PublicKey{}, err
	}
	key, err := signing.NewLocalKey(private)
	if err != nil {
		return signing.PublicKey{}, err
	}
	sealed := l.seal.Close(private.Seed(), label(userID))
	return key.PublicKey(), l.db.AddKey(ctx, userID, key.PublicKey().String(), sealed)
}

// Signer implements Keys. The key is decrypted for each payment and kept no longer.
// What may be signed is the wallet's to check, in this process.
func (l *Local) Signer(ctx context.Context, userID string, _ Approval) (signing.Signer, error) {
	sealed, err := l.db.Key(ctx, userID)
	if err != nil {
		return nil, err
	}
	seed, err := l.seal.Open(sealed, label(userID))
	if err != nil {
		return nil, err
	}
	defer clear(seed)
	return signing.NewLocalKeyFromSeed(seed)
}

// label binds a sealed key to its user.
func label(userID string) string { return "key of user " + userID }
