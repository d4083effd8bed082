package world_test

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// temper is how the exchange takes the calls of one set.
type temper struct {
	kind string
	set  int // whose transactions count for primed
}

// The tempers of the exchange.
const (
	idle     = "idle"     // does nothing
	steady   = "steady"   // does what its number says, simulated or not
	trader   = "trader"   // delivers, and takes nothing
	primed   = "primed"   // steady once a transaction of the set has landed, idle before
	turncoat = "turncoat" // idle in a simulation, steady on the ledger
)

// exchange is a pinned program that does anything with the accounts of a call,
// as the number in the call's data says, whatever state they are in.
type exchange struct {
	id, owner, pool solana.PublicKey
	holders         map[solana.PublicKey]holder
	tempers         map[string]temper // by the data of a call
	done            map[int]int       // transactions that have landed, by set
	price           uint64            // of what a trader delivers, in percent; 0 means 100
	simulated       bool              // a simulation runs
	moved           int               // calls of other programs that were carried out
}

// holder is a token account of the first hour.
type holder struct{ mint, wallet, program solana.PublicKey }

func (e *exchange) run(x *ledger.Invocation) {
	t, ok := e.tempers[string(x.Data)]
	switch {
	case !ok || len(x.Data) < 9 || t.kind == idle:
		return
	case t.kind == turncoat && e.simulated, t.kind == primed && e.done[t.set] == 0:
		return
	}
	r := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(x.Data[1:]), 0x65786368))
	if t.kind == trader {
		e.deliver(x, r)
		return
	}
	if r.IntN(4) == 0 {
		return
	}
	for range 1 + r.IntN(2) {
		x.Invoke(e.whim(x, r))
		e.count()
	}
}

func (e *exchange) count() {
	if !e.simulated {
		e.moved++
	}
}

// deliver pays out of others' accounts into the owner's, of each mint that the
// call names both of. The exchange's pool may take from the others.
func (e *exchange) deliver(x *ledger.Invocation, r *rand.Rand) {
	for _, d := range deliverable(e, keysOf(x.Accounts)) {
		data := binary.LittleEndian.AppendUint64([]byte{12}, (1+r.Uint64N(1<<20))*cmp.Or(e.price, 100)/100)
		x.Invoke(ledger.Instruction{
			Program: e.holders[d.from].program, Data: append(data, decimalsOf(x, d.mint)),
			Accounts: []ledger.Meta{
				{Key: d.from, Writable: true}, {Key: d.mint}, {Key: d.to, Writable: true}, {Key: e.pool, Signer: true},
			},
		}, e.pool)
		e.count()
	}
}

func keysOf(accounts []ledger.Meta) (keys []solana.PublicKey) {
	for _, a := range accounts {
		keys = append(keys, a.Key)
	}
	return keys
}

func decimalsOf(x *ledger.Invocation, mint solana.PublicKey) uint8 {
	if m, ok := ledger.AsMint(x.Peek(mint)); ok {
		return m.Decimals()
	}
	return 0
}

// delivery is a pair of accounts of one mint, the second of them the owner's.
type delivery struct{ mint, from, to solana.PublicKey }

func deliverable(e *exchange, keys []solana.PublicKey) (all []delivery) {
	for _, to := range keys {
		t, ok := e.holders[to]
		if !ok || t.wallet != e.owner || slices.ContainsFunc(all, func(d delivery) bool { return d.mint == t.mint }) {
			continue
		}
		for _, from := range keys {
			if f, ok := e.holders[from]; ok && f.mint == t.mint && f.wallet != e.owner {
				all = append(all, delivery{t.mint, from, to})
				break
			}
		}
	}
	return all
}

// whim is any instruction over the accounts of the call.
func (e *exchange) whim(x *ledger.Invocation, r *rand.Rand) ledger.Instruction {
	any := func() ledger.Meta { return x.Accounts[r.IntN(len(x.Accounts))] }
	writes := func() ledger.Meta { m := any(); m.Signer, m.Writable = false, true; return m }
	signs := ledger.Meta{Key: x.Accounts[0].Key, Signer: true}
	payer := ledger.Meta{Key: x.Accounts[0].Key, Signer: true, Writable: true}
	number := func(tag ...byte) []byte { return binary.LittleEndian.AppendUint64(tag, r.Uint64N(1<<(6+r.IntN(27)))) }
	source, target := e.pair(x, r)
	held := e.holders[source.Key]
	call := func(program solana.PublicKey, data []byte, accounts ...ledger.Meta) ledger.Instruction {
		return ledger.Instruction{Program: program, Accounts: accounts, Data: data}
	}
	switch r.IntN(14) {
	case 0, 1:
		return call(solana.SystemProgramID, number(2, 0, 0, 0), payer, writes())
	case 2, 3, 4, 5:
		data := append(number(12), decimalsOf(x, held.mint))
		return call(held.program, data, source, ledger.Meta{Key: held.mint}, target, signs)
	case 6:
		return call(held.program, number(4), source, any(), signs)
	case 7:
		return call(held.program, append([]byte{6, byte(2 + r.IntN(2)), 1}, target.Key[:]...), source, signs)
	case 8:
		return call(held.program, []byte{9}, source, writes(), signs)
	case 9:
		return call(held.program, number(8), source, ledger.Meta{Key: held.mint, Writable: true}, signs)
	case 10:
		return call(solana.SystemProgramID, append([]byte{1, 0, 0, 0}, e.id[:]...), payer)
	case 11:
		data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, 29_000_000)
		return call(solana.SystemProgramID, data, payer, writes())
	case 12:
		data := binary.LittleEndian.AppendUint64([]byte{0, 0, 0, 0}, r.Uint64N(40_000_000))
		data = binary.LittleEndian.AppendUint64(data, r.Uint64N(300))
		return call(solana.SystemProgramID, append(data, e.id[:]...), payer, x.Accounts[5])
	}
	return call(held.program, []byte{5}, source, signs)
}

// pair is one of the owner's token accounts and another account of its mint, if
// the call has any.
func (e *exchange) pair(x *ledger.Invocation, r *rand.Rand) (source, target ledger.Meta) {
	var ours []ledger.Meta
	for _, m := range x.Accounts {
		if e.holders[m.Key].wallet == e.owner {
			ours = append(ours, m)
		}
	}
	if len(ours) == 0 {
		return x.Accounts[1], x.Accounts[1]
	}
	source = ours[r.IntN(len(ours))]
	target = source
	for _, m := range x.Accounts {
		if h, ok := e.holders[m.Key]; ok && h.mint == e.holders[source.Key].mint && m.Key != source.Key {
			target = m
		}
	}
	return source, target
}
