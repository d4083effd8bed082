package keyring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
)

// check says why a request may not be signed with a key, nil if it may.
func (r signRequest) check(ctx context.Context, guard *signing.Guard, key signing.PublicKey) error {
	if owner := r.Unsigned.Intent.Owner; owner != key.String() {
		return fmt.Errorf("the set is %.50q's, and the key %s's", owner, key)
	}
	transactions, report, err := guard.CheckSet(ctx, r.Unsigned)
	if err != nil {
		return err
	}
	if r.Digest == "" || r.Digest != report.MessagesDigest() {
		return errors.New("the set is not the one that was approved: its digest is another")
	}
	for _, tx := range transactions {
		if bytes.Equal(tx.Message(), r.Message) {
			if !slices.Contains(tx.Signers(), key) {
				return errors.New("the key need not sign this message")
			}
			return nil
		}
	}
	return errors.New("the message is not of the approved set")
}
