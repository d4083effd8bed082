package world_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/corpus"
	"github.com/walletfi/walletfi-go/signing/corpus/hold"
)

// The long mode: go test -run Conservation ./sandbox/internal/world -conservation.sets 1000000
var (
	conservationSets = flag.Int("conservation.sets", 5000, "how many signed sets TestConservation carries out")
	conservationSeed = flag.Uint64("conservation.seed", 1, "the seed of TestConservation's draws")
)

// TestConservation draws random sets from a grammar of all supported
// instructions, carries out on a ledger what the guard lets pass, and holds the
// owner's losses against the intent's caps.
func TestConservation(t *testing.T) {
	sets := *conservationSets
	if underRace {
		sets /= 20
	}
	m := newMutations(t)
	grammar := corpus.NewGrammar(m.config)
	r := rand.New(rand.NewPCG(*conservationSeed, 0x636f6e73))
	signed, refused, landed, failed, above, costly := 0, 0, 0, 0, 0, 0
	for signed < sets {
		c := grammar.Draw(r)
		txs, report, err := hold.Guard(c).CheckSet(t.Context(), c.Unsigned)
		if err != nil {
			require.ErrorIs(t, err, signing.ErrRefused)
			refused++
			continue
		}
		signed++
		w := m.world(c, 1_000_000, 1_000_000_000)
		loss, ok, lost := w.carryOut(txs)
		landed += ok
		failed += len(txs) - ok
		if len(loss.loss) > 0 {
			costly++
		}
		if why := w.above(c, report, loss); why != "" {
			above++
			t.Errorf("set %d of seed %d: %s\n%s\n%v", signed, *conservationSeed, why, report, lost)
		}
	}
	require.Greater(t, landed, sets/2, "next to nothing was carried out")
	require.Greater(t, costly, sets/10, "next to nothing cost anything")
	t.Logf("seed %d: %d refused, %d transactions landed, %d failed, %d sets cost the owner something", *conservationSeed, refused, landed, failed, costly)
	t.Logf("signed sets=%d losses above caps=%d", signed, above)
}

// carryOut executes a set in order and keeps what each transaction does. A
// transaction that fails leaves the ledger as it was, and the next is tried all
// the same.
func (w *mutationWorld) carryOut(txs []*signing.Transaction) (o *outcome, landed int, errs []error) {
	before, after := map[string]uint64{}, map[string]uint64{}
	touched := map[solana.PublicKey]bool{}
	o = &outcome{loss: map[string]uint64{}}
	wrapped, _, err := solana.FindAssociatedTokenAddress(w.owner, solana.WrappedSol)
	if err != nil {
		return o, 0, []error{err}
	}
	for _, tx := range txs {
		s, err := w.Simulate(tx.Bytes(), false, false)
		if err == nil && s.Err != nil {
			err = s.Err
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		landed++
		for key := range s.Accounts {
			if !touched[key] {
				touched[key] = true
				w.kept(before, key, wrapped, w.Account(key))
			}
		}
		for key := range s.Accounts {
			if a := s.Touched(w.Ledger, key); a != nil {
				w.Put(key, *a)
			} else {
				w.Put(key, ledger.Account{})
			}
		}
	}
	for key := range touched {
		if a := w.Account(key); a != nil && a.Lamports > 0 {
			o.taken = append(o.taken, w.kept(after, key, wrapped, a)...)
		}
	}
	for mint, had := range before {
		if has := after[mint]; has < had {
			o.loss[mint] = had - has
		}
	}
	return o, landed, errs
}

// kept is count, with the lamports at the address of the owner's wrapped-SOL
// account even if an earlier transaction has closed it: whoever makes it again,
// the owner takes them back.
func (w *mutationWorld) kept(to map[string]uint64, key, wrapped solana.PublicKey, a *ledger.Account) (others []string) {
	if key == wrapped && a != nil && len(a.Data) == 0 {
		to[walletfi.NativeMint] += a.Lamports
		return nil
	}
	return w.count(to, key, a)
}

// above says how an outcome is past the caps, "" if it is not. The rent of an
// account that is closed to a named sponsor is the sponsor's.
func (w *mutationWorld) above(c corpus.Case, report *signing.Report, o *outcome) string {
	most := caps(c.Unsigned.Intent)
	for _, n := range report.Notes {
		if n.Kind == signing.NoteClose && n.To.String() == c.Unsigned.Intent.Sponsor {
			most[walletfi.NativeMint] += ledger.Rent(165)
		}
	}
	for mint, loss := range o.loss {
		if loss > most[mint] {
			return fmt.Sprintf("%d of %s lost, %d allowed", loss, mint, most[mint])
		}
	}
	for _, other := range o.taken {
		if !slices.Contains(c.Unsigned.Intent.Delegates, other) {
			return other + " has power over an account of the owner's"
		}
	}
	return ""
}
