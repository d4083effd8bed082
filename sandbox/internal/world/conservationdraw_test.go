package world_test

import (
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// ownerKey is the key of newMutations' owner.
func ownerKey(t *testing.T) *signing.LocalKey {
	t.Helper()
	seed := sha256.Sum256([]byte("owner of the mutations"))
	key, err := signing.NewLocalKeyFromSeed(seed[:])
	require.NoError(t, err)
	return key
}

// draw makes an act for the guard of a policy, or once in six takes one that a
// service would build.
func (c *conservation) draw(policy int) *act {
	a := &act{}
	if c.r.IntN(6) == 0 {
		*a = *c.benign[c.r.IntN(len(c.benign))]
	} else {
		a.drawn, a.guards = c.grammar.Draw(c.r, c.policy[policy]), map[sight]*signing.Guard{}
		for s, of := range c.guards {
			a.guards[s] = of[policy]
		}
	}
	a.sight = pick(c.r, ordered, ordered, ordered, ordered, alone, allowed, none, bare)
	a.chance, a.frozen = c.r.Uint64(), c.r.IntN(8) == 0
	a.temper = pick(c.r, steady, steady, steady, trader, trader, idle, primed, turncoat)
	c.arrange(a, policy)
	a.faults = pick(c.r, "", "", "cut", "shuffled")
	if a.temper == primed && a.faults == "shuffled" {
		a.faults = "cut"
	}
	c.trouble(a)
	return a
}

// arrange makes a trader's set one of calls that deliver what is expected; of
// others it puts some transactions in another order, and adds one of another set.
func (c *conservation) arrange(a *act, policy int) {
	txs := slices.Clone(a.drawn.Unsigned.Transactions)
	switch c.r.IntN(6) {
	case 0:
		c.r.Shuffle(len(txs), func(i, j int) { txs[i], txs[j] = txs[j], txs[i] })
	case 1:
		other := c.grammar.Draw(c.r, c.policy[policy]).Unsigned.Transactions
		txs = slices.Insert(txs, c.r.IntN(len(txs)+1), other[0])
	case 2:
		txs = txs[:1+c.r.IntN(len(txs))]
	}
	if a.temper == trader {
		for i, encoded := range txs {
			txs[i] = c.callsOf(encoded)
		}
	}
	a.drawn.Unsigned.Transactions = txs
	if a.temper == trader {
		c.expect(a)
	}
}

// callsOf is a transaction without much else than its calls of the exchange.
func (c *conservation) callsOf(encoded walletfi.EncodedTransaction) walletfi.EncodedTransaction {
	for i := 0; ; {
		tx, err := signing.Decode(encoded)
		if err != nil {
			return encoded
		}
		less := withoutOne(encoded)
		for j, ins := range tx.Instructions() {
			if j == i && solana.PublicKey(ins.Program) == c.world.exchange.id {
				i++
			}
		}
		if i >= len(less) {
			return encoded
		}
		encoded = less[i]
	}
}

func pick[E any](r *rand.Rand, list ...E) E { return list[r.IntN(len(list))] }

// trouble gives the node its moods: of all transactions, of one, or of one and
// those after it.
func (c *conservation) trouble(a *act) {
	n := len(a.drawn.Unsigned.Transactions)
	if c.r.IntN(2) == 0 || n == 0 {
		return
	}
	a.moods = slices.Repeat([]mood{honest}, n)
	from, to := 0, n
	switch c.r.IntN(3) {
	case 0:
		from = c.r.IntN(n)
		to = from + 1
	case 1:
		from = c.r.IntN(n)
	}
	m := pick(c.r, append(slices.Clone(moods), lies)...)
	for i := from; i < to; i++ {
		a.moods[i] = m
	}
}

// expect says that something arrives which the exchange can deliver.
func (c *conservation) expect(a *act) {
	intent := &a.drawn.Unsigned.Intent
	txs, err := signing.DecodeAll(a.drawn.Unsigned)
	if err != nil {
		return
	}
	for _, tx := range txs {
		static := tx.AccountKeys()
		for _, ins := range tx.Instructions() {
			var keys []solana.PublicKey
			for _, i := range ins.Accounts {
				if int(i) < len(static) {
					keys = append(keys, solana.PublicKey(static[i]))
				}
			}
			for _, d := range deliverable(c.world.exchange, keys) {
				mint := d.mint.String()
				if d.mint == solana.WrappedSol || solana.PublicKey(ins.Program) != c.world.exchange.id {
					continue
				}
				*intent = intent.Clone()
				for _, list := range []*[]walletfi.Asset{&intent.Spend, &intent.Burn, &intent.ServiceFee} {
					*list = slices.DeleteFunc(*list, func(a walletfi.Asset) bool { return a.Mint == mint })
				}
				intent.Receive = []walletfi.Asset{{Mint: mint, Amount: walletfi.Amount(1 + c.r.Uint64N(1<<19))}}
				return
			}
		}
	}
}
