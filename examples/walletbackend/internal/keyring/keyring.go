// Package keyring keeps one key a user: encrypted in the database of this
// process, or in another process that only signs.
package keyring

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Keys are the users' keys.
type Keys interface {
	// Create makes a key for a new user and returns its address.
	Create(ctx context.Context, userID string) (signing.PublicKey, error)
	// Signer returns a user's signer of what that user approved.
	Signer(ctx context.Context, userID string, approved Approval) (signing.Signer, error)
}

// Approval holds what a user approved: the exact set that a service built, and the digest
// of its messages: the signer's guard has a policy of its own, and so another report.
type Approval struct {
	Unsigned walletfi.Unsigned `json:"unsigned"`
	Digest   string            `json:"digest"`
}
