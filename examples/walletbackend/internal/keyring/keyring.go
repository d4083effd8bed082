// Package keyring keeps one key a user: encrypted in the database of this
// process, or in another process that only signs.
package keyring

import (
	"context"

	"github.com/walletfi/walletfi-go/signing"
)

// Keys are the users' keys.
type Keys interface {
	// Create makes a key for a new user and returns its address.
	Create(ctx context.Context, userID string) (signing.PublicKey, error)
	// Signer returns a user's signer.
	Signer(ctx context.Context, userID string) (signing.Signer, error)
}
