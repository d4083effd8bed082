package signing

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// A climb is a set of which some transactions have been executed, and what a node shows of
// the next.
type climb struct {
	name     string
	set      []*scene
	executed []*walletfi.Effects
	shows    Simulator
	honest   bool
	change   func(*scene) // the first scene's policy and intent
	options  []Option
}

func (c climb) try(t *testing.T, format txbuild.Format) (*Transaction, *Report, error) {
	t.Helper()
	policy := c.set[0].policy
	policy.AllowBlind, policy.Simulator = nil, c.shows
	for i, e := range c.executed { // what it has changed, it wrote
		if i < len(c.set) && e != nil {
			c.set[i].instructions = append(c.set[i].instructions, touching(e)...)
		}
	}
	u := set(format, c.set...)
	if c.change != nil {
		s := *c.set[0]
		s.intent, s.policy = s.intent.Clone(), policy.clone()
		c.change(&s)
		u.Intent, policy = s.intent, s.policy
	}
	return NewGuard(policy).SignStep(t.Context(), u, executed(t, u, c.executed...), ownerKey, c.options...)
}

// touching is a call that writes what the effects name.
func touching(e *walletfi.Effects) []txbuild.Instruction {
	call := txbuild.Call(exchange, []byte{77})
	add := func(account string) {
		if k, err := ParsePublicKey(account); err == nil && k != owner && k != sponsor {
			call.Accounts = append(call.Accounts, txbuild.Writable(k))
		}
	}
	for _, l := range e.Lamports {
		add(l.Account)
	}
	for _, c := range e.Tokens {
		add(c.Account)
	}
	if len(call.Accounts) == 0 {
		return nil
	}
	return []txbuild.Instruction{call}
}

// pays shows the owner losing lamports beside the fee.
func pays(slot, n uint64) *stage {
	return play(slot, usdcNow(500), accts{owner: ownerAt(900_000_000 - 5000 - n)})
}

func runClimbs(t *testing.T, climbs []climb) {
	t.Helper()
	for _, c := range climbs {
		t.Run(c.name, func(t *testing.T) {
			tx, _, err := c.try(t, txbuild.V0)
			if c.honest {
				require.NoError(t, err, "honest")
				return
			}
			require.Error(t, err, "signed")
			require.Nil(t, tx)
			t.Log(err)
		})
	}
}

type change func(*walletfi.Effects)

// effects are those of a transaction that the owner paid for, at a slot.
func effects(slot uint64, changes ...change) *walletfi.Effects {
	e := &walletfi.Effects{Slot: slot, FeePayer: owner.String(), Fee: 5000}
	lam(owner, 1_000_000_000, 1_000_000_000-5000)(e)
	for _, c := range changes {
		c(e)
	}
	return e
}

func lam(account PublicKey, before, after uint64) change {
	return func(e *walletfi.Effects) {
		e.Lamports = append(e.Lamports, walletfi.LamportChange{Account: account.String(),
			Change: walletfi.Change{Before: walletfi.Amount(before), After: walletfi.Amount(after)}})
	}
}

// ownerLoses takes lamports from the owner beside the fee.
func ownerLoses(n uint64) change {
	return func(e *walletfi.Effects) { e.Lamports[0].After -= walletfi.Amount(n) }
}

func ownerGains(n uint64) change {
	return func(e *walletfi.Effects) { e.Lamports[0].After += walletfi.Amount(n) }
}

func tok(account, of, mint PublicKey, before, after uint64) change {
	return func(e *walletfi.Effects) {
		e.Tokens = append(e.Tokens,
			walletfi.TokenChange{Account: account.String(), Owner: of.String(), Mint: mint.String(),
				Decimals: 6, Change: walletfi.Change{Before: walletfi.Amount(before), After: walletfi.Amount(after)}})
	}
}

func usdcFrom(before, after uint64) change { return tok(ourUSDC, owner, usdc, before, after) }

// play shows accts before and after, and calls, at a slot.
func play(slot uint64, before, after map[PublicKey]AccountState, calls ...txbuild.Instruction) *stage {
	s := &stage{slot: slot, before: map[PublicKey]AccountState{owner: {Lamports: 900_000_000}},
		after: map[PublicKey]AccountState{owner: {Lamports: 900_000_000 - 5000}}}
	for k, v := range before {
		s.before[k] = v
	}
	for k, v := range after {
		s.after[k] = v
	}
	for _, c := range calls {
		s.inner = append(s.inner, inner(c))
	}
	return s
}

type accts = map[PublicKey]AccountState

func usdcNow(n uint64) accts { return accts{ourUSDC: holding(TokenProgram, usdc, owner, n)} }

// still shows that nothing changes but the fee.
func still(slot uint64) *stage { return play(slot, usdcNow(500), usdcNow(500)) }

func ownerAt(n uint64) AccountState { return AccountState{Lamports: walletfi.Amount(n)} }

func only2(n byte, more ...txbuild.Instruction) *scene {
	s := numbered(n)
	s.instructions = append(s.instructions, more...)
	return s
}

func just(ins ...txbuild.Instruction) *scene {
	s := ordinary(ins...)
	s.policy.AllowBlind = nil
	return s
}

func one(n *walletfi.Effects) []*walletfi.Effects { return []*walletfi.Effects{n} }

func noSOL(s *scene) {
	s.intent.Spend = s.intent.Spend[1:]
	s.intent.ServiceFee = s.intent.ServiceFee[1:]
}

func receive(mint PublicKey, n walletfi.Amount) func(*scene) {
	return func(s *scene) { s.intent.Receive = []walletfi.Asset{{Mint: mint.String(), Amount: n}} }
}

func paidBySponsor(s *scene) { s.build.Payer, s.intent.Sponsor = sponsor, sponsor.String() }
