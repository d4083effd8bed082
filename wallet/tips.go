package wallet

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

// TipAsked returns the tip, in lamports, that Config.Tips asks the present Build of an order for, as
// FeeAsked does for the price.
func TipAsked(ctx context.Context) (lamports walletfi.Amount, ok bool) { return fees.TipFrom(ctx) }

// tips are those of bundles, as a wallet with a policy for them sees them.
type tips struct {
	policy walletfi.FeePolicy
	reader walletfi.TipReader // nil tells nothing
	clock  walletfi.Clock
}

// newTips returns nil if there is no policy.
func newTips(cfg Config) (*tips, error) {
	if err := cfg.Tips.Validate(); err != nil || cfg.Tips.IsZero() {
		return nil, err
	}
	t := &tips{
		policy: cfg.Tips, reader: find[walletfi.TipReader](cfg.TipReader, cfg.Bundles, cfg.Submitter), clock: cfg.Clock,
	}
	if t.reader == nil && cfg.Tips.Floor == 0 {
		return nil, &walletfi.ValidationError{
			Field: "tipReader", Problem: "is required with tips that have no floor, as nothing tells the recent ones",
		}
	}
	return t, nil
}

// ask returns the tip for each of n transactions of a key.
func (t *tips) ask(ctx context.Context, before Entry, n int) (uint64, error) {
	var recent walletfi.Amount
	if t.reader != nil {
		var err error
		recent, err = admit.Patiently(ctx, t.clock, func() (walletfi.Amount, error) {
			once, cancel := context.WithTimeout(ctx, marketTimeout)
			defer cancel()
			return t.reader.TipAt(once, t.policy.Percentile)
		})
		if err != nil {
			return 0, fmt.Errorf("the recent tips are not known: %w", err)
		}
	}
	bid := fees.Bid{Policy: t.policy, Tips: true} // what failed has tipped nothing
	for _, s := range before.Steps {
		if s.State == KeyExpired {
			bid.Last = max(bid.Last, uint64(s.Tip))
		}
	}
	return bid.Ask(fees.Recent{Written: []uint64{uint64(recent)}}, fees.Tipping(n))
}

// capped has the guard refuse what the policy does not allow for a whole set.
func (t *tips) capped(u walletfi.Unsigned) walletfi.Unsigned {
	if t == nil || len(u.Transactions) == 0 {
		return u
	}
	most := portion.Up(t.policy.MaxPerTransaction, uint64(len(u.Transactions)), 1)
	if t.policy.MaxPerKey > 0 {
		most = min(most, t.policy.MaxPerKey)
	}
	u.Intent.TipLamports = min(u.Intent.TipLamports, most)
	return u
}

// check refuses a tip that is above the cap of its transaction. The guard knows only their sum.
func (t *tips) check(r *signing.Report) error {
	if t == nil || r == nil {
		return nil
	}
	for i := range r.Transactions {
		if tip, most := tipOf(r, i), t.policy.MaxPerTransaction; tip > most {
			return &walletfi.MismatchError{
				Field: fmt.Sprintf("transactions[%d].tip", i), Asked: fmt.Sprintf("at most %d lamports", most),
				Answered: fmt.Sprintf("%d lamports", tip),
			}
		}
	}
	return nil
}

// tipped has the service build the order with the policy's tip: again, if it is of so many
// transactions that the key's cap allows less for each.
func (p *placing) tipped(ctx context.Context) (walletfi.Unsigned, error) {
	if p.w.tips == nil {
		return p.priced(ctx)
	}
	tip, err := p.w.tips.ask(ctx, p.before, 1)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	u, err := p.priced(fees.WithTip(ctx, walletfi.Amount(tip)))
	if n := len(u.Transactions); err == nil && n > 1 {
		less, askErr := p.w.tips.ask(ctx, p.before, n)
		if err = askErr; err == nil && less < tip {
			u, err = p.priced(fees.WithTip(ctx, walletfi.Amount(less)))
		}
	}
	if p.landing.Builds == 0 && err == nil {
		p.landing = LandingFee{Attempt: p.placed.Attempts, Builds: 1}
	}
	return u, err
}

// tipOf returns the tips of a transaction of a report.
func tipOf(r *signing.Report, i int) (sum walletfi.Amount) {
	for _, m := range r.Leaves {
		if m.Transaction == i && m.CountsAs == signing.CountsAsTip {
			sum += walletfi.Amount(m.Amount)
		}
	}
	return sum
}

// tellTips adds what the attempt tipped.
func (p *placing) tellTips(l *LandingFee) {
	r := p.placed.Result.Report
	if p.w.tips == nil || r == nil {
		return
	}
	for i := range r.Transactions {
		tip := tipOf(r, i)
		l.Tip += tip
		if i < len(p.placed.Result.Steps) && p.placed.Result.Steps[i].State == StateConfirmed {
			l.Paid += tip
		}
	}
}
