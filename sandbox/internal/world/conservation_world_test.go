package world_test

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// conservedWorld is a ledger that forgets what a set did to it.
type conservedWorld struct {
	*mutationWorld
	exchange *exchange
	wrapped  solana.PublicKey
}

func (m *mutations) conserved(g *corpus.Grammar) *conservedWorld {
	table, held := g.Table()
	w := &conservedWorld{mutationWorld: m.world(corpus.Case{Lookups: map[corpus.Key][]corpus.Key{table: held}}, 1_000_000, 1_000_000_000)}
	w.wrapped = ledger.Associated(m.owner, solana.WrappedSol, solana.TokenProgramID)
	w.exchange = &exchange{id: corpus.NewLedger(m.config).Programs[0], seen: map[string]bool{}}
	w.Register(w.exchange.id, w.exchange.run)
	return w
}

// carryOut executes a set in order, keeps what each transaction does until the
// outcome is known, and puts everything back. A transaction that fails leaves
// the ledger as it was, and the next is tried all the same.
func (w *conservedWorld) carryOut(txs []*signing.Transaction) (o *outcome, landed int, errs []error) {
	before, after, was := map[string]uint64{}, map[string]uint64{}, map[solana.PublicKey]*ledger.Account{}
	o = &outcome{loss: map[string]uint64{}}
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
			if _, touched := was[key]; !touched {
				was[key] = w.Account(key)
				w.kept(before, key, was[key])
			}
			w.put(key, s.Touched(w.Ledger, key))
		}
	}
	for key := range was {
		if a := w.Account(key); a != nil && a.Lamports > 0 {
			o.taken = append(o.taken, w.kept(after, key, a)...)
		}
	}
	for key, a := range was {
		w.put(key, a)
	}
	clear(w.exchange.seen)
	for mint, had := range before {
		if has := after[mint]; has < had {
			o.loss[mint] = had - has
		}
	}
	return o, landed, errs
}

func (w *conservedWorld) put(key solana.PublicKey, a *ledger.Account) {
	if a == nil {
		a = &ledger.Account{}
	}
	w.Put(key, *a)
}

// kept is count, with the lamports at the address of the owner's wrapped-SOL
// account even if an earlier transaction has closed it: whoever makes it again,
// the owner takes them back.
func (w *conservedWorld) kept(to map[string]uint64, key solana.PublicKey, a *ledger.Account) (others []string) {
	if key == w.wrapped && a != nil && len(a.Data) == 0 {
		to[walletfi.NativeMint] += a.Lamports
		return nil
	}
	return w.count(to, key, a)
}
