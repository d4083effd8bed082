package fees

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
)

// Tips are those of bundles, as a wallet with a policy for them sees them. Nil are those of a wallet
// without one.
type Tips struct {
	Policy walletfi.FeePolicy
	Reader walletfi.TipReader // nil tells nothing
	Clock  walletfi.Clock
}

// Ask returns the tip for each of n transactions of a key, of which the last that expired tipped so much.
func (t *Tips) Ask(ctx context.Context, last uint64, n int) (uint64, error) {
	var recent walletfi.Amount
	if t.Reader != nil {
		var err error
		recent, err = admit.Patiently(ctx, t.Clock, func() (walletfi.Amount, error) {
			once, cancel := context.WithTimeout(ctx, Timeout)
			defer cancel()
			return t.Reader.TipAt(once, t.Policy.Percentile)
		})
		if err != nil {
			return 0, fmt.Errorf("the recent tips are not known: %w", err)
		}
	}
	bid := Bid{Policy: t.Policy, Tips: true, Last: last} // what failed has tipped nothing
	return bid.Ask(Recent{Written: []uint64{uint64(recent)}}, Tipping(n))
}

// Capped has the guard refuse what the policy does not allow for a whole set.
func (t *Tips) Capped(u walletfi.Unsigned) walletfi.Unsigned {
	if t == nil || len(u.Transactions) == 0 {
		return u
	}
	u.Intent.TipLamports = min(u.Intent.TipLamports, Most(t.Policy, u))
	return u
}

// Check refuses a tip that is above the cap of its transaction. The guard knows only their sum.
func (t *Tips) Check(r *signing.Report) error {
	if t == nil || r == nil {
		return nil
	}
	for i := range r.Transactions {
		if tip, most := TipOf(r, i), t.Policy.MaxPerTransaction; tip > most {
			return &walletfi.MismatchError{
				Field: fmt.Sprintf("transactions[%d].tip", i), Asked: fmt.Sprintf("at most %d lamports", most),
				Answered: fmt.Sprintf("%d lamports", tip),
			}
		}
	}
	return nil
}

// TipOf returns the tips of a transaction of a report.
func TipOf(r *signing.Report, i int) (sum walletfi.Amount) {
	for _, m := range r.Leaves {
		if m.Transaction == i && m.CountsAs == signing.CountsAsTip {
			sum += walletfi.Amount(m.Amount)
		}
	}
	return sum
}
