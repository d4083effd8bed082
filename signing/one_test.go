package signing

import (
	"context"

	"github.com/walletfi/walletfi-go"
)

// signOne checks and signs a decoded transaction as SignSet does a set.
func (g *Guard) signOne(ctx context.Context, tx *Transaction, signer Signer, intent walletfi.Intent, opts ...Option) (*Report, error) {
	report, err := g.Check(ctx, tx, intent, opts...)
	if err != nil {
		return report, err
	}
	return report, g.signAll(ctx, []*Transaction{tx}, signer, report)
}
