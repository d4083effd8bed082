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

// over returns the error of debits that a limit does not allow in addition to the others, nil if all do.
func (s *Spend) over(limits []SpendLimit, debits []Debit) error {
	var worst *SpendLimitError
	for _, t := range sumOf(debits) {
		limited := false
		for _, l := range limits {
			if l.Mint != t.Mint {
				continue
			}
			limited = true
			w := s.window(l, debits)
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

// window counts under a limit, but for some debits.
func (s *Spend) window(l SpendLimit, but []Debit) *spendwindow.Window[int] {
	w := spendwindow.New[int](l.Within)
	for _, landed := range s.Landed[l.Mint] {
		w.Age(uint64(landed.Amount), landed.time())
	}
	for i, d := range s.Open {
		if !slices.ContainsFunc(but, d.same) {
			w.Open(i, uint64(d.of(l.Mint)))
		}
	}
	return w
}

// debits say how much transactions of a reported set take at worst, the first of them being of a number: all
// that leaves by any of them, whatever comes back.
func (e *execution) debits(txs []*signing.Transaction, r *signing.Report, first int) []Debit {
	var all []Debit
	for i, tx := range txs {
		d := Debit{Key: e.entry.Key, ID: messageID(tx), Claim: e.entry.Version}
		for _, m := range r.Leaves {
			if m.Transaction == first+i {
				cost := slices.Contains(spendCosts, m.CountsAs)
				d.add(m.Mint.String(), walletfi.Amount(m.Amount), cost)
			}
		}
		if at := first + i; at < len(r.Transactions) && r.Transactions[at].FeePayer == r.Owner {
			fee := spendwindow.Add(r.Transactions[at].BaseFeeLamports, r.Transactions[at].PriorityLamports)
			d.add(walletfi.NativeMint, walletfi.Amount(fee), true)
		}
		if slices.ContainsFunc(r.Reaches, func(reach signing.Reach) bool { return reach.Transaction == first+i }) {
			for _, a := range unshown(r) {
				d.add(a.Mint, a.Amount, false)
			}
		}
		all = append(all, d)
	}
	return all
}

// spendCosts are paid whether the rest of a transaction is or not.
var spendCosts = []signing.Counts{signing.CountsAsTip, signing.CountsAsRent, signing.CountsAsForeignRent}

// unshown lists how much the guard lets a called program take in addition to what was shown to leave.
func unshown(r *signing.Report) (all []walletfi.Asset) {
	for _, a := range sum(append(slices.Clone(r.Intent.Spend), r.Intent.Burn...)) {
		for _, m := range r.Leaves {
			if m.Mint.String() == a.Mint && !slices.Contains(spendCosts, m.CountsAs) {
				a.Amount -= min(a.Amount, walletfi.Amount(m.Amount))
			}
		}
		if a.Amount > 0 {
			all = append(all, a)
		}
	}
	return all
}

// within returns the options of a check with one more, by which what is signed counts under the limits.
func (e *execution) within(u walletfi.Unsigned, options []signing.Option) []signing.Option {
	if e.w.spend == nil {
		return options
	}
	return append(slices.Clip(options), signing.BeforeSigning(func(ctx context.Context, r *signing.Report) error {
		txs, err := signing.DecodeAll(u)
		if err != nil {
			return err
		}
		first, end := 0, len(txs)
		if e.stepwise {
			first = len(e.executed)
			end = first + 1
		}
		return e.w.spend.reserve(ctx, e.debits(txs[first:end], r, first))
	}))
}
