package signer

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// Stats are the numbers that a signer is watched by.
type Stats struct {
	Health
	// Waiting are the grants that approvers were asked for and have not decided on.
	Waiting int
	// Windows say how far each is used. Of the owners of a template there is one each, that of the
	// owner who has used the most.
	Windows []WindowUse
	// Debits are the amounts of each mint that can still leave by what is signed.
	Debits map[Mint]int64
	// Decisions counts what SignSet has answered since the signer was opened: "signed", or the code of a
	// refusal.
	Decisions map[string]int64
	// Keys are the requests to the keys since then.
	Keys KeyStats
	// Beat is when an admin was there, Compared since when chain and log were not compared whole, and
	// Anchored when the anchor was written.
	Beat, Compared, Anchored time.Time
}

// WindowUse is how much of a window is used.
type WindowUse struct {
	// Owner is the owner's name, or "template:" and a template's, and Payee as in Used: one is empty.
	Owner, Payee string
	Mint         Mint
	Length       string
	Ratio        float64 // of what may leave, 1 if nothing more may
}

// KeyStats are the requests to the keys.
type KeyStats struct {
	Asked, Failed int64
	Took          time.Duration // in all
	Up            bool          // whether the last one was answered, true if there was none
}

// tally counts what a signer did since it was opened.
type tally struct {
	mu        sync.Mutex
	decisions map[string]int64
	keys      KeyStats
	began     time.Time
	anchored  time.Time
}

// decided counts an answer of SignSet.
func (t *tally) decided(err error) {
	verdict := "signed"
	if err != nil {
		verdict = asRefusal(err).Code
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.decisions[verdict]++
}

// sign has a key sign, and counts that.
func (t *tally) sign(ctx context.Context, key signing.Signer, message []byte) (signing.Signature, error) {
	began := time.Now()
	signature, err := signOnce(ctx, key, message)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keys.Asked++
	t.keys.Took += time.Since(began)
	if t.keys.Up = err == nil; err != nil {
		t.keys.Failed++
	}
	return signature, err
}

// wrote notes when the anchor was written.
func (t *tally) wrote(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.anchored = at
}

// Stats reads the numbers that the signer is watched by.
func (s *Signer) Stats(ctx context.Context) (out Stats, err error) {
	if out.Health, err = s.Health(ctx); err != nil {
		return out, err
	}
	for _, g := range s.Grants("") {
		if g.State == protocol.GrantWaiting {
			out.Waiting++
		}
	}
	beat, failed := getMeta(ctx, s.db, "beat")
	out.Beat, _ = time.Parse(time.RFC3339Nano, beat)
	out.Windows, err = s.windows(ctx)
	out.Debits = map[Mint]int64{}
	left := rows(ctx, s.db, func(scan func(...any) error) error {
		var mint Mint
		var amount int64
		err := scan(&mint, &amount)
		if of := Mint(strings.TrimPrefix(string(mint), tradedMint)); of != turnover && of != loss {
			out.Debits[of] += amount
		}
		return err
	}, "SELECT mint, SUM(amount) FROM debit WHERE at = ? AND payee = '' GROUP BY mint", forever)
	out.Compared = s.lastCompared()
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	out.Decisions = map[string]int64{}
	for verdict, n := range s.tally.decisions {
		out.Decisions[verdict] = n
	}
	out.Keys, out.Anchored = s.tally.keys, s.tally.anchored
	return out, errors.Join(err, failed, left)
}

// lastCompared is since when the oldest comparison was whole, or the signer was opened.
func (s *Signer) lastCompared() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	oldest := s.balances.since
	for _, h := range s.histories {
		if h.comparison.since.Before(oldest) {
			oldest = h.comparison.since
		}
	}
	if oldest.IsZero() {
		return s.tally.began
	}
	return oldest
}

// windows say how far each window is used, by one question for each length of a template's.
func (s *Signer) windows(ctx context.Context) (all []WindowUse, err error) {
	var failed []error
	add := func(owner, payee string, ceilings []Ceiling, sum func(Mint, time.Duration) (int64, error)) {
		for _, c := range ceilings {
			for _, w := range c.Windows {
				used, err := sum(c.Mint, time.Duration(w.Length))
				failed = append(failed, err)
				all = append(all, WindowUse{owner, payee, c.Mint, w.Length.String(), ratio(used, w.Most)})
			}
		}
	}
	now, policy := s.time(), s.Policy()
	of := func(whose, who string) func(Mint, time.Duration) (int64, error) {
		return func(mint Mint, length time.Duration) (int64, error) {
			return spent(ctx, s.db, now, length, mint, whose, who)
		}
	}
	for _, o := range policy.Owners {
		if o.template == "" {
			add(o.Name, "", o.ceilings(), of(ofOwner, o.Key.String()))
		}
	}
	for _, t := range policy.Templates {
		add(ofTemplate+t.Name, "", t.Ceilings, func(mint Mint, length time.Duration) (int64, error) {
			return s.mostSpent(ctx, now, length, mint, t.Name)
		})
		add("", ofTemplate+t.Name, t.Sum, of(ofPayee, ofTemplate+t.Name))
	}
	for _, p := range policy.Payees {
		add("", cmp.Or(p.Name, p.Address.String()), p.Ceilings, of(ofPayee, p.Address.String()))
	}
	return all, errors.Join(failed...)
}

// mostSpent adds up what counts of the owner of a template who has used the most.
func (s *Signer) mostSpent(
	ctx context.Context, now time.Time, length time.Duration, mint Mint, template string,
) (most int64, err error) {
	err = rows(ctx, s.db, func(scan func(...any) error) error {
		var owner string
		var sum int64
		err := scan(&owner, &sum)
		if o := s.Policy().owner(owner); o != nil && o.template == template {
			most = max(most, sum)
		}
		return err
	}, "SELECT owner, SUM(amount) FROM debit WHERE mint = ? AND at >= ? AND payee = '' GROUP BY owner",
		string(mint), spendwindow.Since(now, length).UnixNano())
	return most, err
}

func ratio(used, most int64) float64 {
	if used >= most {
		return 1
	}
	return float64(used) / float64(most)
}
