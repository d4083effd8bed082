package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// Grammar draws sets of transactions from the instructions that a guard has
// rules for: honest, hostile and senseless ones, over accounts of the owner, of
// strangers and of pinned programs. What a guard signs of them may cost the
// owner no more than the intent's caps.
type Grammar struct{ k *cast }

// NewGrammar makes a grammar for the configuration's owner.
func NewGrammar(c Config) *Grammar { return &Grammar{newCast(c)} }

// holder is a token account of the grammar.
type holder struct {
	at, mint, owner Key
	of              txbuild.Token
	decimals        uint8
}

// drawing is one set being drawn.
type drawing struct {
	*cast
	r     *rand.Rand
	ours  []holder
	other []holder
}

// Draw makes a set of one to five transactions in one of the formats.
func (g *Grammar) Draw(r *rand.Rand) Case {
	k := g.k
	d := &drawing{cast: k, r: r,
		ours: []holder{
			{k.ourUSDC, k.usdc, k.owner, spl, 6}, {k.ourPump, k.pump, k.owner, t22, 6}, {k.ourBonk, k.bonk, k.owner, t22, 5},
			{k.ourSOL, txbuild.NativeMint, k.owner, spl, 9}, {k.listed, k.usdc, k.owner, spl, 6},
		},
		other: []holder{
			{k.vault, k.usdc, k.maker, spl, 6}, {k.vaultPump, k.pump, k.maker, t22, 6}, {k.vaultSOL, txbuild.NativeMint, k.maker, spl, 9},
			{k.other, k.usdc, k.friend, spl, 6}, {k.makersBonk, k.bonk, k.maker, t22, 5},
		},
	}
	s := &scene{intent: d.intent(), policy: Policy{
		Pins: map[string][]Key{"swap": {k.exchange}}, Accounts: []OwnAccount{{k.listed, k.usdc}}, LateCoSigners: 3,
	}}
	format := txbuild.Formats[r.IntN(len(txbuild.Formats))]
	for range 1 + r.IntN(5) {
		var list []ins
		for range 1 + r.IntN(5) {
			list = append(list, d.phrase()...)
		}
		tx := transaction{Transaction: k.build(list...)}
		tx.Signers = []Key{k.owner}
		if s.intent.Sponsor != "" && r.IntN(2) == 0 {
			tx.Payer = k.sponsor
		}
		s.txs = append(s.txs, tx)
	}
	s.last().needs = &format
	return k.render(fmt.Sprintf("drawn in %s", format), Set, s)
}

// chance is true once in n.
func (d *drawing) chance(n int) bool { return d.r.IntN(n) == 0 }

func (d *drawing) intent() walletfi.Intent {
	i := walletfi.Intent{Service: "swap", Owner: text(d.owner)}
	for _, a := range []walletfi.Asset{some(txbuild.NativeMint, d.spend), some(d.usdc, d.spendUSDC), some(d.pump, d.spendPump)} {
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
	return i
}

// amount is often small, and at times at a cap or past all of them.
func (d *drawing) amount(most uint64) uint64 {
	switch d.r.IntN(8) {
	case 0:
		return most
	case 1:
		return most/2 + 1
	case 2:
		return most + 1
	case 3:
		return 0
	case 4:
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
	all := slices.DeleteFunc(slices.Concat(d.ours, d.other), func(o holder) bool { return o.mint != h.mint })
	return pick(d, all...)
}

// phrase is one instruction, or a few that belong together.
func (d *drawing) phrase() []ins {
	switch d.r.IntN(12) {
	case 0, 1:
		return []ins{d.lamports()}
	case 2, 3, 4:
		return []ins{d.tokens()}
	case 5:
		return d.wrapping()
	case 6:
		return d.account()
	case 7:
		return d.allowance()
	case 8:
		return []ins{d.closing()}
	case 9:
		h := pick(d, d.ours...)
		return []ins{h.of.BurnChecked(h.at, h.mint, d.owner, d.amount(d.cap(h.mint)), h.decimals)}
	case 10:
		return []ins{d.trade(txbuild.WritableSigner(d.owner), txbuild.Writable(pick(d, d.ours...).at), txbuild.Writable(d.pool))}
	}
	return []ins{pick(d, txbuild.Memo("x"), spl.SyncNative(d.ourSOL), txbuild.UnitPrice(d.r.Uint64N(3_000_000)), txbuild.UnitLimit(600_000),
		txbuild.Call(txbuild.Ed25519, []byte{0, 0}), spl.SetAuthority(d.ourUSDC, d.owner, 2, d.thief))}
}

func (d *drawing) lamports() ins {
	from := pick(d, d.owner, d.owner, d.owner, d.maker)
	to := pick(d, d.wallet(), d.wallet(), d.ourSOL, d.listed, d.ourUSDC, d.vaultSOL, txbuild.Associated(d.owner, d.usdc, t22.Program))
	return txbuild.Transfer(from, to, d.amount(pick(d, d.spend, d.tip, d.fee)))
}

func (d *drawing) tokens() ins {
	from := pick(d, pick(d, d.ours...), pick(d, d.ours...), pick(d, d.other...))
	to, n := d.sameMint(from), d.amount(d.cap(from.mint))
	one := from.of.TransferChecked(from.at, from.mint, to.at, from.owner, n, from.decimals)
	switch {
	case d.chance(4):
		one = from.of.Transfer(from.at, to.at, from.owner, n)
	case from.mint == d.pump && d.chance(2):
		one = t22.TransferCheckedWithFee(from.at, from.mint, to.at, from.owner, n, 6, feeOf(n))
	}
	if d.chance(5) {
		return from.of.Batch(one, from.of.SyncNative(d.ourSOL))
	}
	return one
}

// wrapping wraps at the associated address, or at a derived one.
func (d *drawing) wrapping() []ins {
	if d.chance(2) {
		return d.wrapped(d.amount(d.spend))
	}
	at := txbuild.Seeded(d.owner, "wsol-g", spl.Program)
	n := d.amount(d.spend)
	list := []ins{txbuild.CreateAccountWithSeed(d.owner, at, d.owner, "wsol-g", accountRent+n, 165, spl.Program), spl.InitializeAccount3(at, txbuild.NativeMint, d.owner)}
	if d.chance(2) {
		list = append(list, spl.Transfer(at, pick(d, d.vaultSOL, d.ourSOL), d.owner, n))
	}
	return append(list, spl.Close(at, d.wallet(), d.owner))
}

// account makes a token account.
func (d *drawing) account() []ins {
	if d.chance(3) {
		return []ins{txbuild.CreateAccount(d.owner, d.fresh, accountRent+pick(d, 0, 0, d.tip), 165, spl.Program),
			spl.InitializeAccount3(d.fresh, pick(d, d.usdc, txbuild.NativeMint), pick(d, d.owner, d.owner, d.thief))}
	}
	h, wallet := pick(d, d.ours...), d.wallet()
	return []ins{txbuild.CreateATA(pick(d, d.owner, d.owner, d.sponsor), txbuild.Associated(wallet, h.mint, h.of.Program), wallet, h.mint, h.of.Program, true)}
}

// allowance approves, and often revokes.
func (d *drawing) allowance() []ins {
	h := pick(d, d.ours...)
	approve := h.of.ApproveChecked(h.at, h.mint, pick(d, d.named, d.pool, d.thief), d.owner, d.amount(d.cap(h.mint)), h.decimals)
	revoke := pick(d, h.of, h.of, h.of, spl).Revoke(h.at, d.owner)
	switch d.r.IntN(4) {
	case 0:
		return []ins{approve}
	case 1:
		return []ins{revoke}
	}
	return []ins{approve, d.trade(txbuild.Writable(h.at), txbuild.Readonly(d.pool)), revoke}
}

// closing takes lamports out of a token account.
func (d *drawing) closing() ins {
	h, to := pick(d, d.ours...), pick(d, d.owner, d.owner, d.ourSOL, d.listed, d.ourUSDC, d.sponsor, d.thief)
	switch d.r.IntN(4) {
	case 0:
		return h.of.WithdrawExcess(h.at, to, d.owner)
	case 1:
		return spl.Unwrap(d.ourSOL, to, d.owner, d.amount(d.spend))
	}
	return h.of.Close(h.at, to, d.owner)
}
