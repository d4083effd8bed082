package world_test

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// conservedWorld is a ledger that can forget what was done to it.
type conservedWorld struct {
	*mutationWorld
	exchange *exchange
	wrapped  solana.PublicKey                     // the owner's wrapped SOL
	was      map[solana.PublicKey]*ledger.Account // before anything happened, of what has changed
	landed   map[string]bool                      // by message: the ledger takes none twice
}

func (m *mutations) conserved(g *corpus.Grammar) *conservedWorld {
	table, held := g.Table()
	w := &conservedWorld{
		mutationWorld: m.world(corpus.Case{Lookups: map[corpus.Key][]corpus.Key{table: held}}, 1_000_000, 1_000_000_000),
		wrapped:       ledger.Associated(m.owner, solana.WrappedSol, solana.TokenProgramID),
		was:           map[solana.PublicKey]*ledger.Account{},
		landed:        map[string]bool{},
	}
	spec := corpus.NewLedger(m.config)
	for _, h := range spec.Holdings {
		if solana.PublicKey(h.Wallet) != m.owner {
			w.MintTo(h.Wallet, h.Mint, 1<<36) // what the exchange delivers
		}
	}
	w.exchange = &exchange{id: spec.Programs[0], owner: m.owner, pool: held[0]}
	w.exchange.tempers, w.exchange.done = map[string]temper{}, map[int]int{}
	w.exchange.holders = map[solana.PublicKey]holder{}
	w.Each(func(key solana.PublicKey, a *ledger.Account) bool {
		if t, ok := ledger.AsToken(a); ok {
			w.exchange.holders[key] = holder{t.Mint(), t.Owner(), a.Owner}
		}
		return true
	})
	for key, h := range w.exchange.holders {
		if h.wallet != m.owner {
			a := w.Account(key)
			a.Data[72] = 1
			copy(a.Data[76:], held[0][:])
			binary.LittleEndian.PutUint64(a.Data[121:], 1<<62)
			w.Put(key, *a)
		}
	}
	w.Register(w.exchange.id, w.exchange.run)
	return w
}

// effect holds what one transaction did on the ledger.
type effect struct {
	dropped error            // it did not land
	failed  error            // it landed and failed: only its fee was paid
	net     map[string]int64 // what the owner gained, by mint; SOL with all that is wrapped or rent
	out     map[string]int64 // what the intent's named outputs gained
	taken   []string         // powers over the owner's accounts that others got
	closed  uint64           // rent of the owner's accounts that are closed
	rent    uint64           // lamports that made new accounts of others exempt, or filled them up to it
	fee     uint64           // that the owner paid
}

// land executes a transaction and keeps what it does.
func (w *conservedWorld) land(tx *signing.Transaction, outputs []string) *effect {
	e := &effect{net: map[string]int64{}, out: map[string]int64{}}
	s, err := w.Simulate(tx.Bytes(), false, false)
	if err != nil {
		e.dropped = err
		return e
	}
	w.landed[string(tx.Message())] = true
	if s.Keys[0] == w.owner {
		e.fee = s.Fee
	}
	changed := s.Accounts
	if s.Err != nil {
		e.failed = s.Err
		payer := w.Account(s.Keys[0])
		payer.Lamports -= s.Fee
		changed = map[solana.PublicKey]*ledger.Account{s.Keys[0]: payer}
	}
	for key := range changed {
		before, after := w.Account(key), changed[key]
		if after != nil && after.Lamports == 0 {
			after = nil
		}
		e.taken = append(e.taken, w.settle(e.net, key, before, after)...)
		countOutput(e.out, outputs, key, before, -1)
		countOutput(e.out, outputs, key, after, 1)
		e.rent += w.exempted(key, before, after)
		if t, ok := ledger.AsToken(before); ok && t.Owner() == w.owner && !t.Native() && after == nil {
			e.closed += before.Lamports
		}
		w.put(key, after)
	}
	slices.Sort(e.taken)
	return e
}

// settle adds an account's change to what the owner gained.
func (w *conservedWorld) settle(
	net map[string]int64, key solana.PublicKey, before, after *ledger.Account,
) (taken []string) {
	had, has := map[string]uint64{}, map[string]uint64{}
	old := w.kept(had, key, before)
	taken = slices.DeleteFunc(w.kept(has, key, after), func(power string) bool { return slices.Contains(old, power) })
	for mint, n := range had {
		net[mint] -= int64(n)
	}
	for mint, n := range has {
		net[mint] += int64(n)
	}
	return taken
}

// kept is count, with the owner's nonce accounts, and with the lamports at the
// address of the owner's wrapped-SOL account even if an earlier transaction has
// closed it: whoever makes it again, the owner takes them back.
func (w *conservedWorld) kept(to map[string]uint64, key solana.PublicKey, a *ledger.Account) (others []string) {
	if key == w.wrapped && a != nil && len(a.Data) == 0 {
		to[walletfi.NativeMint] += a.Lamports
		return nil
	}
	if a != nil && a.Owner.IsZero() && len(a.Data) == 80 && solana.PublicKey(a.Data[8:40]) == w.owner {
		to[walletfi.NativeMint] += a.Lamports
		return nil
	}
	return w.count(to, key, a)
}

// exempted is how many lamports made somebody else's new account exempt from rent.
func (w *conservedWorld) exempted(key solana.PublicKey, before, after *ledger.Account) uint64 {
	ours := map[string]uint64{}
	if w.kept(ours, key, after); after == nil || len(ours) > 0 {
		return 0
	}
	had := uint64(0)
	if before != nil {
		had = before.Lamports
	}
	least := min(after.Lamports, ledger.Rent(len(after.Data)))
	return least - min(had, least)
}

func countOutput(to map[string]int64, outputs []string, key solana.PublicKey, a *ledger.Account, sign int64) {
	t, ok := ledger.AsToken(a)
	if ok && (slices.Contains(outputs, key.String()) || slices.Contains(outputs, t.Owner().String())) {
		to[t.Mint().String()] += sign * int64(t.Amount())
	}
}

func (w *conservedWorld) put(key solana.PublicKey, a *ledger.Account) {
	if _, ok := w.was[key]; !ok {
		w.was[key] = w.Account(key)
	}
	if a == nil {
		w.Remove(key)
		return
	}
	w.Put(key, *a)
}

// trial keeps what happens until undo puts it back.
func (w *conservedWorld) trial() (undo func()) {
	was, landed, done := w.was, maps.Clone(w.landed), maps.Clone(w.exchange.done)
	w.was = map[solana.PublicKey]*ledger.Account{}
	return func() {
		for key, a := range w.was {
			w.put(key, a)
		}
		w.was, w.landed, w.exchange.done = was, landed, done
	}
}

// reset puts everything back.
func (w *conservedWorld) reset() {
	for key, a := range w.was {
		w.put(key, a)
	}
	clear(w.was)
	clear(w.landed)
	clear(w.exchange.tempers)
	clear(w.exchange.done)
	w.exchange.price = 0
}

// plunder lets every delegate of the owner's accounts take what it may.
func (w *conservedWorld) plunder(net map[string]int64) {
	for key := range w.was {
		a := w.Account(key)
		t, ok := ledger.AsToken(a)
		if !ok || t.Owner() != w.owner || t.Frozen() {
			continue
		}
		if d, ok := t.Delegate(); !ok || d == w.owner {
			continue
		}
		before, n := w.Account(key), min(t.Amount(), t.DelegatedAmount())
		binary.LittleEndian.PutUint64(a.Data[64:], t.Amount()-n)
		binary.LittleEndian.PutUint64(a.Data[121:], t.DelegatedAmount()-n)
		if t.Native() {
			a.Lamports -= n
		}
		w.settle(net, key, before, a)
		w.put(key, a)
	}
}

// freeze lets an issuer freeze one of the owner's accounts, or thaw it.
func (w *conservedWorld) freeze(key solana.PublicKey) {
	a := w.Account(key)
	if t, ok := ledger.AsToken(a); ok {
		a.Data[108] = 3 - a.Data[108]
		if t.Owner() == w.owner && !t.Native() {
			w.put(key, a)
		}
	}
}
