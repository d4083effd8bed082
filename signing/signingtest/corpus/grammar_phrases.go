package corpus

import (
	"encoding/binary"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// phrase is one instruction, or a few that belong together.
func (d *drawing) phrase() []ins {
	switch d.r.IntN(16) {
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
		if d.chance(2) {
			return []ins{h.of.Burn(h.at, h.mint, d.owner, d.amount(d.cap(h.mint)))}
		}
		return []ins{h.of.BurnChecked(h.at, h.mint, d.owner, d.amount(d.cap(h.mint)), h.decimals)}
	case 10, 11, 13:
		return []ins{d.call()}
	case 12:
		if d.chance(3) {
			return []ins{d.hostile()}
		}
	}
	return []ins{d.harmless()}
}

// call is one of the pinned exchange: it has to do, and with what, by the number
// in its data.
func (d *drawing) call() ins {
	data := binary.LittleEndian.AppendUint64([]byte{9}, d.r.Uint64())
	ours, others := []holder{pick(d, d.ours...), pick(d, d.ours...)}, []holder{pick(d, d.others...), pick(d, d.others...)}
	accounts := []txbuild.Account{txbuild.WritableSigner(d.owner), txbuild.Writable(d.pool),
		txbuild.Readonly(txbuild.System), txbuild.Readonly(spl.Program), txbuild.Readonly(t22.Program)}
	if d.chance(3) {
		accounts[0] = txbuild.Readonly(d.owner)
	}
	if d.chance(4) {
		accounts = append(accounts, txbuild.WritableSigner(d.fresh))
	}
	for _, h := range slices.Concat(ours, others) {
		accounts = append(accounts, txbuild.Writable(h.at), txbuild.Writable(h.mint))
	}
	return txbuild.Call(d.exchange, data, accounts...)
}

// harmless costs a fee at the most.
func (d *drawing) harmless() ins {
	h := pick(d, d.ours...)
	return pick(d, txbuild.Memo("x"), txbuild.Memo("signed", d.owner), spl.SyncNative(d.ourSOL),
		txbuild.UnitPrice(d.r.Uint64N(1_500_000)), txbuild.UnitLimit(600_000),
		txbuild.HeapFrame(64*1024), txbuild.DataLimit(1<<20), txbuild.Call(txbuild.Ed25519, []byte{0, 0}),
		txbuild.Call(txbuild.Secp256k1, []byte{0}),
		t22.Raw([]byte{26, 4}, txbuild.Writable(d.pump), txbuild.Writable(d.ourPump)),
		h.of.Raw([]byte{21}, txbuild.Readonly(h.mint)),
		spl.Batch(), spl.Batch(spl.SyncNative(d.ourSOL), spl.Revoke(d.ourUSDC, d.owner)))
}

// hostile has to be refused whatever the intent says.
func (d *drawing) hostile() ins {
	h := pick(d, d.ours...)
	heir := pick(d, d.thief, d.pool, d.friend)
	return pick(d, h.of.SetAuthority(h.at, d.owner, uint8(d.r.IntN(4)), heir),
		txbuild.Assign(d.owner, d.exchange), txbuild.Allocate(d.owner, 80),
		txbuild.WithdrawNonce(d.nonce, heir, d.owner, 1_000_000), txbuild.AuthorizeNonce(d.nonce, d.owner, heir),
		txbuild.UpgradeNonce(d.nonce),
		h.of.MintTo(h.mint, h.at, d.owner, 5), h.of.Freeze(h.at, h.mint, d.owner),
		txbuild.Call(d.rogue, []byte{1}, txbuild.WritableSigner(d.owner)),
		txbuild.Call(txbuild.Stake, []byte{1, 0, 0, 0}, txbuild.WritableSigner(d.owner)), spl.Batch(spl.Batch()),
		txbuild.AllocateWithSeed(txbuild.Seeded(d.owner, "a", spl.Program), d.owner, "a", 165, spl.Program))
}

func (d *drawing) lamports() ins {
	from := pick(d, d.owner, d.owner, d.owner, d.maker)
	to := pick(d, d.wallet(), d.wallet(), d.ourSOL, d.listed, d.ourUSDC, d.vaultSOL, d.associated(d.owner, d.usdc, t22),
		d.associated(d.owner, txbuild.NativeMint2022, t22), d.associated(d.owner, d.closable, t22))
	if from == d.owner && d.chance(8) {
		return txbuild.TransferWithSeed(txbuild.Seeded(d.owner, "s", txbuild.System), d.owner, "s",
			txbuild.System, to, d.amount(d.tip))
	}
	return txbuild.Transfer(from, to, d.amount(pick(d, d.spend, d.tip, d.fee)))
}

func (d *drawing) tokens() ins {
	from := pick(d, pick(d, d.ours...), pick(d, d.ours...), pick(d, d.others...))
	to, n := d.sameMint(from), d.amount(d.cap(from.mint))
	one := from.of.TransferChecked(from.at, from.mint, to.at, from.owner, n, from.decimals)
	switch {
	case d.chance(4):
		one = from.of.Transfer(from.at, to.at, from.owner, n)
	case from.mint == d.pump && d.chance(2):
		one = t22.TransferCheckedWithFee(from.at, from.mint, to.at, from.owner, n, 6, feeOf(n))
	}
	if d.chance(5) && from.of == spl {
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
	list := []ins{txbuild.CreateAccountWithSeed(d.owner, at, d.owner, "wsol-g", accountRent+n, 165, spl.Program),
		spl.InitializeAccount3(at, txbuild.NativeMint, d.owner)}
	if d.chance(2) {
		list = append(list, spl.Transfer(at, pick(d, d.vaultSOL, d.ourSOL), d.owner, n))
	}
	return append(list, spl.Close(at, d.wallet(), d.owner))
}

// account makes a token account.
func (d *drawing) account() []ins {
	switch d.r.IntN(6) {
	case 0:
		return []ins{
			txbuild.CreateAccountAllowPrefund(d.owner, d.fresh, accountRent, 165, pick(d, d.exchange, d.exchange, d.rogue)),
		}
	case 1:
		return []ins{txbuild.CreateAccount(d.owner, d.fresh, mintRent, 82, spl.Program),
			spl.InitializeMint2(d.fresh, d.owner, 6)}
	case 2:
		mint, owner := pick(d, d.usdc, txbuild.NativeMint), pick(d, d.owner, d.owner, d.thief)
		init := pick(d, spl.InitializeAccount(d.fresh, mint, owner), spl.InitializeAccount2(d.fresh, mint, owner))
		list := []ins{
			txbuild.CreateAccount(pick(d, d.owner, d.maker), d.fresh, accountRent+pick(d, 0, d.tip), 165, spl.Program), init,
		}
		if d.chance(3) {
			list = slices.Insert(list, 1, d.call())
		}
		if d.chance(2) {
			list = append(list, txbuild.Transfer(d.owner, d.fresh, d.amount(d.spend)))
		}
		return list
	case 3:
		return []ins{txbuild.CreateAccount(d.owner, d.fresh, accountRent+pick(d, 0, 0, d.tip), 165, spl.Program),
			spl.InitializeAccount3(d.fresh, pick(d, d.usdc, txbuild.NativeMint), pick(d, d.owner, d.owner, d.thief))}
	}
	h, wallet := pick(d, d.ours...), d.wallet()
	return []ins{txbuild.CreateATA(pick(d, d.owner, d.owner, d.sponsor), d.associated(wallet, h.mint, h.of),
		wallet, h.mint, h.of.Program, true)}
}

// allowance approves, and often revokes.
func (d *drawing) allowance() []ins {
	h := pick(d, d.ours...)
	approve := h.of.ApproveChecked(h.at, h.mint, pick(d, d.named, d.pool, d.thief), d.owner,
		d.amount(d.cap(h.mint)), h.decimals)
	revoke := pick(d, h.of, h.of, h.of, spl).Revoke(h.at, d.owner)
	switch d.r.IntN(4) {
	case 0:
		if d.chance(2) {
			return []ins{h.of.Approve(h.at, d.named, d.owner, d.amount(d.cap(h.mint)))}
		}
		return []ins{approve}
	case 1:
		return []ins{revoke}
	}
	return []ins{approve, d.call(), revoke}
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
