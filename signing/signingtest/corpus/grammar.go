package corpus

import (
	"fmt"
	"math/rand/v2"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// holder is a token account of the grammar.
type holder struct {
	at, mint, owner Key
	of              txbuild.Token
	decimals        uint8
}

// Grammar draws sets of transactions from the instructions that a guard has
// rules for: honest, hostile and senseless ones, over accounts of the owner, of
// strangers and of pinned programs. What a guard signs of them may cost the
// owner no more than the intent's caps.
type Grammar struct {
	k       *cast
	ours    []holder
	others  []holder
	held    []Key // by the lookup table
	derived map[[3]Key]Key
}

// NewGrammar makes a grammar for the configuration's owner.
func NewGrammar(c Config) *Grammar {
	k := newCast(c)
	g := &Grammar{k: k, derived: map[[3]Key]Key{}, held: []Key{k.pool, k.friend, k.relay, k.vault, k.usdc, k.vaultPump}}
	of := func(mint, owner Key, of txbuild.Token, decimals uint8) holder {
		return holder{g.associated(owner, mint, of), mint, owner, of, decimals}
	}
	g.ours = []holder{
		of(k.usdc, k.owner, spl, 6), of(k.pump, k.owner, t22, 6), of(k.bonk, k.owner, t22, 5),
		of(txbuild.NativeMint, k.owner, spl, 9), of(k.closable, k.owner, t22, 0),
		{k.listed, k.usdc, k.owner, spl, 6}, {k.listedPump, k.pump, k.owner, t22, 6}, {k.listedBonk, k.bonk, k.owner, t22, 5},
	}
	g.others = []holder{
		of(k.usdc, k.maker, spl, 6), of(k.pump, k.maker, t22, 6), of(txbuild.NativeMint, k.maker, spl, 9),
		of(k.usdc, k.friend, spl, 6), of(k.pump, k.friend, t22, 6),
		of(k.closable, k.thief, t22, 0), {k.makersBonk, k.bonk, k.maker, t22, 5},
	}
	return g
}

func (g *Grammar) associated(wallet, mint Key, of txbuild.Token) Key {
	by := [3]Key{wallet, mint, of.Program}
	at, ok := g.derived[by]
	if !ok {
		at = txbuild.Associated(wallet, mint, of.Program)
		g.derived[by] = at
	}
	return at
}

// Policies are the policies that sets are drawn for: by the bytes alone; with a
// resolver of tables and mints; with a mint and a protected account named.
func (g *Grammar) Policies() []Policy {
	k := g.k
	plain := Policy{
		Pins: map[string][]Key{"swap": {k.exchange}}, LateCoSigners: 3, Keys: []Key{k.multisig},
		AllowBlind: []string{"swap"},
		Accounts:   []OwnAccount{{k.listed, k.usdc}, {k.listedPump, k.pump}, {k.listedBonk, k.bonk}},
	}
	resolves, names := plain, plain
	resolves.Tables = map[Key][]Key{k.table: g.held}
	resolves.Fees = map[Key]Fee{k.pump: {100, 1 << 60}, k.bonk: {}}
	names.Mints, names.Protected, names.Sponsors = []Key{k.bonk, k.closable}, []Key{k.listedBonk}, []Key{k.sponsor}
	return []Policy{plain, resolves, names}
}

// Table is the lookup table that sets may name, and what it holds.
func (g *Grammar) Table() (at Key, held []Key) { return g.k.table, g.held }

// drawing is one set being drawn.
type drawing struct {
	*cast
	*Grammar
	r *rand.Rand
}

// Draw makes a set of one to five transactions in one of the formats, for one of
// the policies.
func (g *Grammar) Draw(r *rand.Rand, policy Policy) Case {
	k := g.k
	d := &drawing{cast: k, Grammar: g, r: r}
	s := &scene{intent: d.intent(), policy: policy}
	format := txbuild.Formats[r.IntN(len(txbuild.Formats))]
	if d.chance(8) {
		s.nonce = &Nonce{k.nonce, k.blockhash}
	}
	for range 1 + d.few() {
		tx := transaction{Transaction: k.build(d.instructions(s.nonce)...)}
		tx.Signers = []Key{k.owner}
		if s.intent.Sponsor != "" && r.IntN(2) == 0 {
			tx.Payer = k.sponsor
		}
		if format == txbuild.V0 && d.chance(3) {
			tx.Tables = []txbuild.Table{{Address: k.table, Holds: g.held}}
		}
		if format == txbuild.V1 && d.chance(3) {
			tx.Config.PriorityFee = new(d.amount(20_000))
		}
		s.txs = append(s.txs, tx)
	}
	s.last().needs = &format
	return k.render(fmt.Sprintf("drawn in %s", format), Set, s)
}

func (d *drawing) instructions(nonce *Nonce) (list []ins) {
	if nonce != nil && !d.chance(3) || d.chance(200) {
		list = append(list, txbuild.AdvanceNonce(d.nonce, d.owner))
	}
	for range 1 + d.few() {
		list = append(list, d.phrase()...)
	}
	return list
}

// few is from 0 to 4, and often little.
func (d *drawing) few() int { return min(d.r.IntN(5), d.r.IntN(7)) }

// chance is true once in n.
func (d *drawing) chance(n int) bool { return d.r.IntN(n) == 0 }

func (d *drawing) intent() walletfi.Intent {
	i := walletfi.Intent{Service: "swap", Owner: text(d.owner)}
	for _, a := range []walletfi.Asset{
		some(txbuild.NativeMint, d.spend), some(d.usdc, d.spendUSDC), some(d.pump, d.spendPump),
	} {
		if !d.chance(3) {
			i.Spend = append(i.Spend, a)
		}
	}
	if d.chance(2) {
		i.Burn = []walletfi.Asset{some(d.bonk, d.burnBonk)}
	}
	if d.chance(2) {
		i.TipLamports = walletfi.Amount(d.tip)
	}
	if d.chance(2) {
		i.ServiceFee = []walletfi.Asset{some(txbuild.NativeMint, d.fee), some(d.usdc, d.takeUSDC)}
	}
	switch d.r.IntN(4) {
	case 0:
		i.PayTo = []string{text(d.friend)}
	case 1, 2:
		i.OutputTo = []string{text(d.friend)}
	}
	if d.chance(3) {
		i.Delegates = []string{text(d.named)}
	}
	if d.chance(4) {
		i.Sponsor = text(d.sponsor)
	}
	if d.chance(2) {
		i.MaxForeignRentLamports = accountRent
	}
	if d.chance(3) {
		i.MaxRentLamports = new(walletfi.Amount(pick(d, 0, accountRent, 2*accountRent)))
	}
	if d.chance(6) {
		i.BurnAll = []string{text(d.closable)}
	}
	return i
}

// amount is often small, and at times at a cap or past all of them.
func (d *drawing) amount(most uint64) uint64 {
	switch d.r.IntN(16) {
	case 0, 1:
		return most
	case 2:
		return most/2 + 1
	case 3:
		return most + 1
	case 4:
		return 0
	case 5:
		return 5 * most
	}
	return 1 + d.r.Uint64N(most/8+1)
}

func (d *drawing) cap(mint Key) uint64 {
	switch mint {
	case d.usdc:
		return d.spendUSDC
	case d.pump:
		return d.spendPump
	case d.bonk:
		return d.burnBonk
	}
	return d.spend
}

func pick[E any](d *drawing, list ...E) E { return list[d.r.IntN(len(list))] }

// wallet is anybody's, the owner's most of the time.
func (d *drawing) wallet() Key {
	return pick(d, d.owner, d.owner, d.owner, d.friend, d.friend, d.thief, d.relay, d.partner, d.maker, d.sponsor)
}

// sameMint is an account of a holder's mint: ours or another's.
func (d *drawing) sameMint(h holder) holder {
	for {
		if o := pick(d, pick(d, d.ours...), pick(d, d.others...)); o.mint == h.mint {
			return o
		}
	}
}
