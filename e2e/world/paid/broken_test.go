package paid

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"

	"github.com/walletfi/walletfi-go"
)

// perfect is a run in which nothing goes wrong by itself.
func perfect(keys int) plan {
	p := plan{
		Mode: "perfect", Seed: 1, World: world.Config{Seed: 1}, Crew: 3,
		GapMin: time.Second, GapMax: 5 * time.Second, Rest: 5 * time.Second, DownMin: time.Second, Down: time.Second,
		Stop: time.Second, Wrong: time.Minute,
	}
	for n := range keys {
		p.Keys = append(p.Keys, n)
	}
	return p
}

// broken hires wallets that are wrapped in something that breaks a promise.
func broken(wrap func(payer) payer) hire {
	return func(_ *proc, cfg wallet.Config) (payer, error) {
		w, err := wallet.New(cfg)
		if err != nil {
			return nil, err
		}
		return wrap(w), nil
	}
}

// forgetful pays under a new key each time.
type forgetful struct {
	payer
	n atomic.Int64
}

func (f *forgetful) Execute(ctx context.Context, u walletfi.Unsigned,
	o wallet.ExecuteOptions) (*wallet.Result, error) {
	o.Key += fmt.Sprintf(" time %d", f.n.Add(1))
	return f.payer.Execute(ctx, u, o)
}

// rash comes back at once and says the same of everything.
type rash struct {
	payer
	state wallet.State
	err   error
}

func (r rash) Execute(ctx context.Context, u walletfi.Unsigned,
	o wallet.ExecuteOptions) (*wallet.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	res, err := r.payer.Execute(ctx, u, o)
	if res == nil {
		return res, err
	}
	for i := range res.Steps {
		res.Steps[i].State = r.state
	}
	return res, r.err
}

// blind says that all is settled.
type blind struct{ payer }

func (b blind) Outcome(_ context.Context, key string) (wallet.Outcome, error) {
	return wallet.Outcome{Key: key}, nil
}

func (b blind) Unsettled(context.Context) ([]wallet.Unsettled, error) { return nil, nil }

// blank lists nothing as unsettled, and knows nothing of any key.
type blank struct{ payer }

func (b blank) Unsettled(context.Context) ([]wallet.Unsettled, error) { return nil, nil }

// fickle calls failed what it called confirmed.
type fickle struct{ payer }

func (f fickle) Outcome(ctx context.Context, key string) (wallet.Outcome, error) {
	o, err := f.payer.Outcome(ctx, key)
	for i := range o.Steps {
		if o.Steps[i].State == wallet.StateConfirmed {
			o.Steps[i].State = wallet.StateFailed
		}
	}
	return o, err
}

// inventive speaks of a transaction that nobody signed.
type inventive struct{ payer }

func (f inventive) Outcome(ctx context.Context, key string) (wallet.Outcome, error) {
	o, err := f.payer.Outcome(ctx, key)
	for i := range o.Steps {
		o.Steps[i].Signature = world.Signature{1, 2, 3}.String()
	}
	return o, err
}

// TestCourt shows that the court finds each loss that it is there for.
func TestCourt(t *testing.T) {
	slow := world.Landing{Late: 1, LateSpan: 40} // lands, and not soon
	never := world.Landing{Loss: 1}
	say := func(state wallet.State, err error) func(payer) payer {
		return func(p payer) payer { return rash{p, state, err} }
	}
	for _, c := range []struct {
		name, kind string
		wrap       func(payer) payer
		tweak      func(*plan)
	}{
		{"pays twice", "twice", func(p payer) payer { return &forgetful{payer: p} },
			func(p *plan) { p.Shares.Again = 1 }},
		{"expired too early", "false expired", say(wallet.StateExpired, wallet.ErrExpired),
			func(p *plan) { p.World.Landing = slow }},
		{"failed too early", "false failed", say(wallet.StateFailed, wallet.ErrFailed),
			func(p *plan) { p.World.Landing = slow }},
		{"not sent, and sent", "false not sent", say(wallet.StateNotSent, walletfi.ErrNotSent),
			func(p *plan) { p.World.Landing = slow }},
		{"confirmed and never landed", "false confirmed", say(wallet.StateConfirmed, nil),
			func(p *plan) { p.World.Landing = never }},
		{"expired and failed", "two states",
			say(wallet.StateExpired, errors.Join(wallet.ErrExpired, wallet.ErrFailed)), nil},
		{"no state at all", "two states", say(wallet.StateUnknown, errors.New("well")), nil},
		{"no error, and unknown", "two states", say(wallet.StateUnknown, nil), nil},
		{"settled, and lands", "false settled", func(p payer) payer { return blind{p} },
			func(p *plan) { p.World.Landing, p.Shares.Peek = slow, 1 }},
		{"not unsettled, and lands", "false settled", func(p payer) payer { return blank{p} },
			func(p *plan) { p.World.Landing, p.Shares.Deadline, p.Rest = slow, 1, 2*time.Second }},
		{"confirmed, then failed", "changed", func(p payer) payer { return fickle{p} }, nil},
		{"of nobody's", "unknown transaction", func(p payer) payer { return inventive{p} }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := perfect(9)
			if c.tweak != nil {
				c.tweak(&p)
			}
			p.Hire = broken(c.wrap)
			tally, _ := perform(t, p)
			if tally.Keys != len(p.Keys) || tally.Kinds[c.kind] == 0 {
				t.Errorf("of %d keys none was found %q; found: %v %v", tally.Keys, c.kind, tally.Kinds, tally.Losses)
			}
		})
	}
}

// TestCourtBrokenWorld shows that it finds what comes of a journal that
// forgets, and of nodes that all lie, for which the wallet cannot be blamed.
func TestCourtBrokenWorld(t *testing.T) {
	p := perfect(9)
	p.Shares.Deaths, p.World.Landing = 1, world.Landing{Late: 1, LateSpan: 40}
	p.Hire = func(_ *proc, cfg wallet.Config) (payer, error) {
		cfg.Journal = wallet.NewMemoryJournal()
		return wallet.New(cfg)
	}
	if tally, _ := perform(t, p); tally.Twice == 0 {
		t.Errorf("with a journal that forgets, no key was paid twice: %v", tally.Kinds)
	}
	p = perfect(9)
	p.World.Nodes = []world.NodeConfig{{Liar: world.LiarSuccess}}
	p.World.Landing.Loss = 1
	if tally, _ := perform(t, p); tally.Kinds["false confirmed"] == 0 {
		t.Errorf("at a node that lies, nothing false was found: %v", tally.Kinds)
	}
}

// TestCourtAcquits shows that it finds nothing where there is nothing.
func TestCourtAcquits(t *testing.T) {
	p := perfect(9)
	p.Shares.Again = 1
	tally, _ := perform(t, p)
	if len(tally.Losses) > 0 || tally.Paid != len(p.Keys) || tally.Unsettled > 0 {
		t.Errorf("of %d keys %d were paid, %d are unsettled: %v", len(p.Keys), tally.Paid, tally.Unsettled, tally.Losses)
	}
}

// TestLateness shows that what is told too late, or never, is counted.
func TestLateness(t *testing.T) {
	p := perfect(9)
	p.World.Landing.Loss = 1
	tally, _ := perform(t, p)
	if tally.Provable != len(p.Keys) || tally.Told != tally.Provable {
		t.Errorf("of %d keys that expired %d could be proven and %d were told", len(p.Keys), tally.Provable, tally.Told)
	}
	p.Hire = func(_ *proc, cfg wallet.Config) (payer, error) {
		cfg.Confirmer, cfg.Heights = struct{ walletfi.Confirmer }{cfg.Confirmer}, nil
		return wallet.New(cfg)
	}
	tally, _ = perform(t, p)
	if tally.Provable != len(p.Keys) || tally.Told > 0 || tally.Unsettled != len(p.Keys) {
		t.Errorf("of %d keys %d could be proven, %d were told and %d are unsettled by a wallet that proves nothing",
			len(p.Keys), tally.Provable, tally.Told, tally.Unsettled)
	}
}
