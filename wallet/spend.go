package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/takes"
)

// SpendLimit bounds what leaves of a mint within any window of a length: see Config.Spend.
type SpendLimit struct {
	// Mint is base58. walletfi.NativeMint is SOL, wrapped or not, with fees, tips and rent.
	Mint string
	// Within is the length of the window, from a minute to 366 days.
	Within time.Duration
	// Most is the greatest sum that leaves within any window, in smallest units. 0 lets none leave.
	Most walletfi.Amount
}

// ErrSpendLimit is answered to by a [*SpendLimitError].
var ErrSpendLimit = errors.New("the limit on what may leave is reached")

// SpendLimitError is the error of a payment that a limit of Config.Spend does not allow. It answers to
// [ErrSpendLimit] and, of Execute, Place and Prepare, to walletfi.ErrNotSent: nothing was signed,
// nothing counts, and the key can be used again. Amounts are in smallest units.
type SpendLimitError struct {
	Mint   string        // base58
	Within time.Duration // of the limit; 0 if the mint has none, and so does not leave
	Most   walletfi.Amount
	Used   walletfi.Amount // of it, by others
	Asked  walletfi.Amount // by the payment, at worst
	// FreeAt is when the payment fits if nothing else is signed until then. It is zero if that is not
	// known, as it takes the end of a transaction that may still land, or if the limit is less than it asks for.
	FreeAt time.Time
}

// Error says which limit does not allow how much, and when it frees.
func (e *SpendLimitError) Error() string {
	if e.Within == 0 {
		return fmt.Sprintf("%v: %d of %s are asked for, which has no limit in Config.Spend", ErrSpendLimit, e.Asked, e.Mint)
	}
	text := fmt.Sprintf("%v: %d of %s are asked for, and %d of %d within %v are used",
		ErrSpendLimit, e.Asked, e.Mint, e.Used, e.Most, e.Within)
	if !e.FreeAt.IsZero() {
		text += ", free at " + e.FreeAt.UTC().Format(time.RFC3339)
	}
	return text
}

// Unwrap returns ErrSpendLimit.
func (e *SpendLimitError) Unwrap() error { return ErrSpendLimit }

// checkSpend holds limits against what they may be.
func checkSpend(limits []SpendLimit) error {
	const longest = 366 * 24 * time.Hour
	var problems []error
	for i, l := range limits {
		at := fmt.Sprintf("spend[%d].", i)
		problems = append(problems, check.Address(at+"Mint", l.Mint))
		problems = append(problems, check.Range(at+"Within", l.Within, time.Minute, longest))
	}
	fees := func(l SpendLimit) bool { return l.Mint == walletfi.NativeMint }
	none := len(limits) > 0 && !slices.ContainsFunc(limits, fees)
	problems = append(problems, check.That(!none, "spend", "must limit SOL too: a mint without a limit does not leave"))
	return check.All(problems...)
}

// over returns the error of debits that a limit does not allow in addition to what counts, nil if all do.
func (s *Spend) over(limits []SpendLimit, debits []Debit) error {
	var worst *SpendLimitError
	for _, t := range sumOf(debits) {
		limited := false
		for _, l := range limits {
			if l.Mint != t.Mint {
				continue
			}
			limited = true
			w := s.window(l)
			if w.Fits(s.Time, uint64(t.Amount), uint64(l.Most)) {
				continue
			}
			e := &SpendLimitError{
				Mint: l.Mint, Within: l.Within, Most: l.Most, Used: walletfi.Amount(w.Sum(s.Time)), Asked: t.Amount,
			}
			e.FreeAt, _ = w.FitsAt(s.Time, uint64(t.Amount), uint64(l.Most))
			if worst == nil || !worst.FreeAt.IsZero() && (e.FreeAt.IsZero() || e.FreeAt.After(worst.FreeAt)) {
				worst = e
			}
		}
		if !limited {
			return &SpendLimitError{Mint: t.Mint, Asked: t.Amount}
		}
	}
	if worst == nil {
		return nil
	}
	return worst
}

// window counts under a limit.
func (s *Spend) window(l SpendLimit) *spendwindow.Window[int] {
	w := spendwindow.New[int](l.Within)
	for _, landed := range s.Landed[l.Mint] {
		w.Age(uint64(landed.Amount), landed.time())
	}
	for i, d := range s.Open {
		w.Open(i, uint64(d.of(l.Mint)))
	}
	return w
}

// debits say how much transactions of a reported set take at worst, the first of them being of a number: all
// that leaves by any of them, whatever comes back.
func (e *execution) debits(txs []*signing.Transaction, r *signing.Report, first int) (all []Debit) {
	for i, tx := range txs {
		all = append(all, e.debit(messageID(tx), takes.AtWorst(r, first+i)))
	}
	return all
}

func (e *execution) debit(id string, all takes.List) Debit {
	return Debit{Key: e.entry.Key, ID: id, Claim: e.entry.Version, Takes: taken(all)}
}

// within returns the options of a check with one more, by which what is signed counts under the limits.
func (e *execution) within(u walletfi.Unsigned, options []signing.Option) []signing.Option {
	if e.w.spend == nil {
		return options
	}
	return append(slices.Clip(options), signing.BeforeSigning(func(ctx context.Context, r *signing.Report) error {
		txs, err := signing.DecodeAll(u)
		switch {
		case err != nil:
			return err
		case e.stepwise:
			return e.w.spend.reserve(ctx, e.nextStep(txs, r))
		}
		return e.w.spend.reserve(ctx, reservation{debits: e.debits(txs, r, 0)})
	}))
}

// stepCount counts, under the limits, what a set takes that is signed step by step.
type stepCount struct {
	number int              // of the step that was judged last, from 1; 0 if none was
	shown  takes.List       // what that was shown to take
	left   []walletfi.Asset // what those before it had taken, as the guard says
	exact  takes.List       // what the one before it has taken, nil if this execution did not sign it
	taken  takes.List       // what those before it have taken, costs apart
}

// judge goes on to the next step. A step can be judged several times.
func (c *stepCount) judge(r *signing.Report, i int) {
	switch c.number {
	case i + 1:
	case 0:
		c.taken = takes.Executed(r)
	default:
		c.exact = takes.Exact(c.shown, c.left, r.Left)
		for _, t := range c.exact {
			c.taken.Add(t.Mint, t.Amount-t.Cost, false)
		}
	}
	c.number, c.shown, c.left = i+1, takes.Shown(r, i), r.Left
}

// nextStep counts the step to sign, and holds room for all of the set that is to come, so that the set does not stop
// half paid. What the steps before have taken is known by now.
func (e *execution) nextStep(txs []*signing.Transaction, r *signing.Report) reservation {
	i := len(e.executed)
	e.counts.judge(r, i)
	now, rest := takes.Step(r, i, e.counts.taken)
	res := reservation{debits: []Debit{e.debit(messageID(txs[i]), now)}, stepOf: e.entry.Key, exact: taken(e.counts.exact)}
	if len(rest) > 0 {
		res.debits = append(res.debits, e.debit(restID, rest))
	}
	if i > 0 {
		res.slot = e.entry.Steps[i-1].Slot
	}
	return res
}
