package signing_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func payTo(k pk) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) { i.PayTo = append(i.PayTo, k.String()) }
}

func tips(n uint64) func(*walletfi.Intent) {
	return func(i *walletfi.Intent) { i.TipLamports = walletfi.Amount(n) }
}

func delegates(i *walletfi.Intent) { i.Delegates = []string{xDeleg.String()} }

func sponsored(i *walletfi.Intent) { i.Sponsor = xSponsor.String() }

func raw(program pk, data []byte, accounts ...txbuild.Account) ins {
	return txbuild.Call(program, data, accounts...)
}

// TestOutsideBytes: what a drainer answers to a request to spend 500 USDC, without a simulator.
func TestOutsideBytes(t *testing.T) {
	var list []attempt
	add := func(name string, intent walletfi.Intent, i ...ins) {
		for _, f := range txbuild.Formats {
			list = append(list, attempt{name: name + "/" + f.String(), policy: xPolicy(), set: []xTx{{format: f, ins: i, by: signersOf(i)}}, intent: intent})
		}
	}
	max := uint64(math.MaxUint64)
	u := xIntent()
	steal := map[string]ins{
		"transfer of SOL":                txbuild.Transfer(xOwner, xThief, 1),
		"of all lamports":                txbuild.Transfer(xOwner, xThief, max),
		"USDC past the cap":              xTok.TransferChecked(xMyUSDC, xUSDC, xThUSDC, xOwner, 501, 6),
		"USDC of 2^64-1":                 xTok.TransferChecked(xMyUSDC, xUSDC, xThUSDC, xOwner, max, 6),
		"JUP":                            xTok.TransferChecked(xMyJUP, xJUP, xThief, xOwner, 1, 6),
		"BONK":                           xT22.TransferChecked(xMyBONK, xBONK, xThief, xOwner, 1, 5),
		"BONK with a fee":                xT22.TransferCheckedWithFee(xMyBONK, xBONK, xThief, xOwner, 1, 5, 1),
		"unchecked from an aux":          xTok.Transfer(outAddr("aux"), xThief, xOwner, 1),
		"unchecked USDC past":            xTok.Transfer(xMyUSDC, xThUSDC, xOwner, 501),
		"wrapped SOL":                    xTok.TransferChecked(xMyWSOL, signing.NativeMint, xThief, xOwner, 1, 9),
		"owner to thief":                 xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief),
		"close authority to thief":       xTok.SetAuthority(xMyUSDC, xOwner, 3, xThief),
		"mint authority to thief":        xTok.SetAuthority(xUSDC, xOwner, 0, xThief),
		"owner of aux to thief":          xT22.SetAuthority(outAddr("aux"), xOwner, 2, xThief),
		"approve the thief":              xTok.Approve(xMyUSDC, xThief, xOwner, 1),
		"approve the thief of all":       xTok.ApproveChecked(xMyUSDC, xUSDC, xThief, xOwner, max, 6),
		"approve on Token-2022":          xT22.Approve(xMyBONK, xThief, xOwner, 1),
		"close to thief":                 xTok.Close(xMyWSOL, xThief, xOwner),
		"close empty USDC to thief":      xTok.Close(xMyUSDC, xThief, xOwner),
		"close to own JUP account":       xTok.Close(xMyWSOL, xMyJUP, xOwner),
		"excess to thief":                xT22.WithdrawExcess(xMyBONK, xThief, xOwner),
		"unwrap to thief":                xTok.Unwrap(xMyWSOL, xThief, xOwner, 5),
		"burn":                           xTok.Burn(xMyUSDC, xUSDC, xOwner, 1),
		"burn checked":                   xTok.BurnChecked(xMyUSDC, xUSDC, xOwner, 1, 6),
		"assign the wallet":              txbuild.Assign(xOwner, xRogue),
		"allocate the wallet":            txbuild.Allocate(xOwner, 10),
		"assign with seed":               txbuild.AssignWithSeed(outAddr("x"), xOwner, "s", xRogue),
		"allocate with seed":             txbuild.AllocateWithSeed(outAddr("x"), xOwner, "s", 9, xRogue),
		"from a seed address":            txbuild.TransferWithSeed(signing.SeedAddress(xOwner, "s", signing.SystemProgram), xOwner, "s", signing.SystemProgram, xThief, 9),
		"nonce advance":                  txbuild.AdvanceNonce(outAddr("nonce"), xOwner),
		"nonce advance by a thief":       txbuild.AdvanceNonce(outAddr("nonce"), xThief),
		"nonce withdraw":                 txbuild.WithdrawNonce(outAddr("nonce"), xThief, xOwner, 5),
		"nonce authorize":                txbuild.AuthorizeNonce(outAddr("nonce"), xOwner, xThief),
		"nonce init":                     txbuild.InitializeNonce(outAddr("nonce"), xThief),
		"nonce upgrade":                  txbuild.UpgradeNonce(outAddr("nonce")),
		"stake delegate":                 raw(signing.StakeProgram, []byte{2, 0, 0, 0}, txbuild.Writable(outAddr("stake")), txbuild.Signer(xOwner)),
		"stake authorize":                raw(signing.StakeProgram, append([]byte{1, 0, 0, 0}, xThief[:]...), txbuild.Writable(outAddr("stake")), txbuild.Signer(xOwner)),
		"stake withdraw":                 raw(signing.StakeProgram, []byte{4, 0, 0, 0, 9, 9, 9, 9, 0, 0, 0, 0}, txbuild.Writable(outAddr("stake")), txbuild.Writable(xThief), txbuild.Signer(xOwner)),
		"vote withdraw":                  raw(signing.VoteProgram, []byte{3, 0, 0, 0}, txbuild.Writable(outAddr("vote")), txbuild.Signer(xOwner)),
		"program upgrade":                raw(signing.UpgradeableLoader, []byte{3, 0, 0, 0}, txbuild.Writable(outAddr("prog")), txbuild.Signer(xOwner)),
		"program close":                  raw(signing.UpgradeableLoader, []byte{5, 0, 0, 0}, txbuild.Writable(outAddr("prog")), txbuild.Writable(xThief), txbuild.Signer(xOwner)),
		"loader v4":                      raw(signing.LoaderV4, []byte{4, 0, 0, 0}, txbuild.Writable(outAddr("prog")), txbuild.Signer(xOwner)),
		"table extend":                   raw(signing.LookupTableProgram, []byte{2, 0, 0, 0}, txbuild.Writable(outAddr("table")), txbuild.Signer(xOwner)),
		"table close":                    raw(signing.LookupTableProgram, []byte{4, 0, 0, 0}, txbuild.Writable(outAddr("table")), txbuild.Signer(xOwner), txbuild.Writable(xThief)),
		"an unpinned program":            raw(xRogue, []byte{1}, txbuild.WritableSigner(xOwner)),
		"unpinned, without us":           raw(xRogue, []byte{1}),
		"ATA of the thief":               txbuild.CreateATA(xOwner, xThUSDC, xThief, xUSDC, signing.TokenProgram, true),
		"ATA at another address":         txbuild.CreateATA(xOwner, xThief, xOwner, xUSDC, signing.TokenProgram, true),
		"ATA recover nested":             raw(signing.AssociatedTokenProgram, []byte{2}, txbuild.Writable(xMyUSDC), txbuild.Readonly(xUSDC), txbuild.Writable(xThUSDC), txbuild.Writable(xMyUSDC), txbuild.Readonly(xUSDC), txbuild.WritableSigner(xOwner)),
		"ATA with a length":              raw(signing.AssociatedTokenProgram, []byte{3, 0xff, 0xff}, txbuild.WritableSigner(xOwner), txbuild.Writable(xMyUSDC), txbuild.Readonly(xOwner), txbuild.Readonly(xUSDC), txbuild.Readonly(pk{}), txbuild.Readonly(signing.TokenProgram)),
		"ATA of a rogue program":         txbuild.CreateATA(xOwner, signing.AssociatedTokenAddress(xOwner, xUSDC, xRogue), xOwner, xUSDC, xRogue, true),
		"create a rogue's account":       txbuild.CreateAccount(xOwner, xFresh, 1000, 0, xRogue),
		"create a System account":        txbuild.CreateAccount(xOwner, xFresh, 1000, 0, signing.SystemProgram),
		"create past the rent":           txbuild.CreateAccount(xOwner, xFresh, 40_000_000, 10_000, xProg),
		"create with much beyond":        txbuild.CreateAccount(xOwner, xFresh, 5_000_000_000, 10, xProg),
		"create a huge account":          txbuild.CreateAccount(xOwner, xFresh, max, max, xProg),
		"create a token account bare":    txbuild.CreateAccount(xOwner, xFresh, xRent, 165, signing.TokenProgram),
		"prefund create of a rogue's":    txbuild.CreateAccountAllowPrefund(xOwner, xFresh, 1000, 0, xRogue),
		"seed create by other base":      txbuild.CreateAccountWithSeed(xOwner, outAddr("x"), xFresh, "s", xRent, 165, signing.TokenProgram),
		"seed create at another address": txbuild.CreateAccountWithSeed(xOwner, outAddr("x"), xOwner, "s", xRent, 165, signing.TokenProgram),
		"CPI guard off":                  raw(signing.Token2022Program, []byte{34, 1}, txbuild.Writable(xMyBONK), txbuild.Signer(xOwner)),
		"memo transfers on":              raw(signing.Token2022Program, []byte{30, 0}, txbuild.Writable(xMyBONK), txbuild.Signer(xOwner)),
		"reallocate":                     raw(signing.Token2022Program, []byte{29, 5, 0}, txbuild.Writable(xMyBONK), txbuild.WritableSigner(xOwner), txbuild.Readonly(pk{}), txbuild.Signer(xOwner)),
		"confidential":                   raw(signing.Token2022Program, []byte{27, 5}, txbuild.Writable(xMyBONK), txbuild.Signer(xOwner)),
		"withheld to thief":              raw(signing.Token2022Program, []byte{26, 3, 1}, txbuild.Writable(xBONK), txbuild.Writable(xThief), txbuild.Signer(xOwner)),
		"set fee":                        raw(signing.Token2022Program, []byte{26, 5, 1, 1}, txbuild.Writable(xBONK), txbuild.Signer(xOwner)),
		"hook update":                    raw(signing.Token2022Program, append([]byte{36, 1}, xThief[:]...), txbuild.Writable(xBONK), txbuild.Signer(xOwner)),
		"pause":                          raw(signing.Token2022Program, []byte{44, 1}, txbuild.Writable(xBONK), txbuild.Signer(xOwner)),
		"permanent delegate":             raw(signing.Token2022Program, append([]byte{35}, xThief[:]...), txbuild.Writable(xBONK)),
		"mint to":                        xTok.MintTo(xUSDC, xThUSDC, xOwner, 9),
		"freeze ours":                    xTok.Freeze(xMyUSDC, xUSDC, xThief),
		"thaw by us":                     raw(signing.TokenProgram, []byte{11}, txbuild.Writable(xMyUSDC), txbuild.Readonly(xUSDC), txbuild.Signer(xOwner)),
		"init a multisig":                raw(signing.TokenProgram, []byte{2, 1}, txbuild.Writable(xFresh), txbuild.Readonly(txbuild.Rent), txbuild.Readonly(xOwner)),
		"init to the thief":              xTok.InitializeAccount3(xFresh, xUSDC, xThief),
		"unknown tag":                    raw(signing.TokenProgram, []byte{99}, txbuild.Writable(xMyUSDC), txbuild.Signer(xOwner)),
		"empty token data":               raw(signing.TokenProgram, nil, txbuild.Writable(xMyUSDC), txbuild.Signer(xOwner)),
		"short transfer":                 raw(signing.TokenProgram, []byte{3, 1}, txbuild.Writable(xMyUSDC), txbuild.Writable(xThUSDC), txbuild.Signer(xOwner)),
		"system unknown":                 raw(pk{}, []byte{14, 0, 0, 0}, txbuild.WritableSigner(xOwner)),
		"system empty":                   raw(pk{}, nil, txbuild.WritableSigner(xOwner)),
		"budget twice":                   txbuild.UnitPrice(max),
		"heap odd":                       txbuild.HeapFrame(32_769),
		"budget unknown":                 raw(signing.ComputeBudgetProgram, []byte{0, 1, 0, 0, 0, 1, 0, 0, 0}),
		"hook with us behind":            hookTransfer(),
		"ed25519 of 255 signatures":      raw(signing.Ed25519Program, append([]byte{255, 0}, make([]byte, 20)...)),
	}
	for _, name := range slices.Sorted(keysIn(steal)) {
		switch name {
		case "budget twice", "heap odd", "budget unknown":
			// in v1 these count for nothing
			list = append(list, attempt{name: name, policy: xPolicy(), set: []xTx{v0(steal[name])}, intent: u})
			continue
		case "ed25519 of 255 signatures":
			list = append(list, attempt{name: name, policy: xPolicy(func(p *signing.Policy) { p.MaxNetworkFeeLamports = new(walletfi.Amount(1_000_000)) }), set: []xTx{v0(steal[name])}, intent: u})
			continue
		case "nonce init":
			// by an account of the thief's alone: harmless, and refused all the same
		}
		add(name, u, steal[name])
		if p := steal[name].Program; p == txbuild.Key(signing.TokenProgram) || p == txbuild.Key(signing.Token2022Program) {
			if d := steal[name].Data; len(d) > 0 {
				list = append(list, attempt{name: "in a batch: " + name, policy: xPolicy(), set: []xTx{v0(txbuild.Token{Program: p}.Batch(steal[name]))}, intent: u})
			}
		}
		list = append(list, attempt{name: "after a memo, in the second: " + name, policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x")), v0(append([]ins{txbuild.Memo("y")}, steal[name])...).signedBy(signersOf([]ins{steal[name]}))}, intent: u})
	}
	runAttempts(t, list)
}

func keysIn(m map[string]ins) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (x xTx) signedBy(names []string) xTx { x.by = names; return x }

// signersOf names who must sign besides the owner.
func signersOf(list []ins) (names []string) {
	for _, i := range list {
		for _, a := range i.Accounts {
			for _, n := range []string{"fresh", "maker"} {
				if a.Signer && pk(a.Key) == outKey(n).PublicKey() && !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
		}
	}
	return names
}

func hookTransfer() ins {
	i := xT22.TransferChecked(outAddr("theirs"), xBONK, xThief, outKey("maker").PublicKey(), 1, 5)
	i.Accounts = append(i.Accounts, txbuild.WritableSigner(xOwner), txbuild.Readonly(xRogue))
	return i
}

// TestOutsideBudgets: amounts in pieces and by several ways add up; nothing is counted where it does not belong.
func TestOutsideBudgets(t *testing.T) {
	pay := func(n uint64) ins { return xTok.TransferChecked(xMyUSDC, xUSDC, xThUSDC, xOwner, n, 6) }
	sol := func(n uint64, to pk) ins { return txbuild.Transfer(xOwner, to, n) }
	u, max := xIntent(), uint64(math.MaxUint64)
	two := func(name string, i walletfi.Intent, p signing.Policy, a, b []ins) []attempt {
		return []attempt{{name: name + ": together", policy: p, set: []xTx{v0(append(slices.Clone(a), b...)...)}, intent: i},
			{name: name + ": in a set", policy: p, set: []xTx{v0(a...), v0(b...)}, intent: i},
			{name: name + ": backwards", policy: p, set: []xTx{v0(b...), v0(a...)}, intent: i}}
	}
	is := func(i ...ins) []ins { return i }
	fee := func(n uint64) func(*walletfi.Intent) {
		return func(i *walletfi.Intent) {
			i.ServiceFee = []walletfi.Asset{{Mint: xUSDC.String(), Amount: walletfi.Amount(n)}}
		}
	}
	del := xIntent(delegates)
	many := func(n int, i ins) (all []ins) { return slices.Repeat([]ins{i}, n) }
	var list []attempt
	list = append(list, two("halves", u, xPolicy(), is(pay(250)), is(pay(251)))...)
	list = append(list, two("wraps past 2^64", u, xPolicy(), is(pay(max)), is(pay(2)))...)
	list = append(list, two("approved and paid", del, xPolicy(), is(xTok.Approve(xMyUSDC, xDeleg, xOwner, 300)), is(pay(201)))...)
	list = append(list, two("approved twice", del, xPolicy(), is(xTok.Approve(xMyUSDC, xDeleg, xOwner, 300)), is(xTok.ApproveChecked(xMyUSDC, xUSDC, xDeleg, xOwner, 201, 6)))...)
	list = append(list, two("two fees", xIntent(fee(10)), xPolicy(), is(pay(500)), is(pay(10), pay(1)))...)
	list = append(list, two("two tips", xIntent(tips(10)), xPolicy(), is(sol(10, xThief)), is(sol(1, xPool)))...)
	list = append(list, two("tip and spend of SOL unnamed", xIntent(tips(10), spends(signing.NativeMint, 100)), xPolicy(), is(sol(10, xThief)), is(sol(5, xPool)))...)
	list = append(list, two("wrapped and plain", xIntent(onlySpends(walletfi.Asset{Mint: walletfi.NativeMint, Amount: 100}), func(i *walletfi.Intent) { i.OutputTo = []string{xFriend.String()} }), xPolicy(),
		is(sol(60, xFriend)), is(xTok.TransferChecked(xMyWSOL, signing.NativeMint, xThief, xOwner, 41, 9)))...)
	list = append(list, two("2022's native and plain", xIntent(onlySpends(walletfi.Asset{Mint: walletfi.NativeMint, Amount: 100}), func(i *walletfi.Intent) { i.OutputTo = []string{xFriend.String()} }), xPolicy(),
		is(sol(60, xFriend)), is(xT22.TransferChecked(outAddr("aux"), signing.NativeMintToken2022, xThief, xOwner, 41, 9)))...)
	list = append(list, two("rent of many", xIntent(func(i *walletfi.Intent) { i.MaxRentLamports = new(walletfi.Amount(xRent)) }), xPolicy(),
		is(txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, true)), is(txbuild.CreateATA(xOwner, xMyBONK, xOwner, xBONK, signing.Token2022Program, true)))...)
	list = append(list, two("withheld among ours", xIntent(onlySpends(walletfi.Asset{Mint: xBONK.String(), Amount: 70})), xPolicy(listedToken(outAddr("bonk2"), xBONK)),
		is(xT22.TransferChecked(xMyBONK, xBONK, outAddr("bonk2"), xOwner, 40, 5)), is(xT22.TransferChecked(outAddr("bonk2"), xBONK, xMyBONK, xOwner, 31, 5)))...)
	list = append(list, two("fees of the network", xIntent(func(i *walletfi.Intent) { i.MaxNetworkFeeLamports = new(walletfi.Amount(9_999)) }), xPolicy(), is(txbuild.Memo("a")), is(txbuild.Memo("b", outKey("maker").PublicKey())))...)
	for i := range list {
		if list[i].set[0].by == nil {
			for j := range list[i].set {
				list[i].set[j].by = signersOf(list[i].set[j].ins)
			}
		}
	}
	list = append(list,
		attempt{name: "17 transactions", policy: xPolicy(), set: slices.Repeat([]xTx{v0(txbuild.Memo("x"))}, 17), intent: u},
		attempt{name: "one more than the intent says", policy: xPolicy(), set: slices.Repeat([]xTx{v0(txbuild.Memo("x"))}, 3), intent: xIntent(func(i *walletfi.Intent) { i.MaxTransactions = 2 })},
		attempt{name: "257 transactions", policy: xPolicy(), set: slices.Repeat([]xTx{v0(txbuild.Memo("x"))}, 257), intent: xIntent(func(i *walletfi.Intent) { i.MaxTransactions = 256 })},
		attempt{name: "a set of thousands allowed", policy: xPolicy(), set: slices.Repeat([]xTx{v0(txbuild.Memo("x"))}, 3), intent: xIntent(func(i *walletfi.Intent) { i.MaxTransactions = 10_000 })},
		attempt{name: "negative", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(func(i *walletfi.Intent) { i.MaxTransactions = -1 })},
		attempt{name: "no transactions", policy: xPolicy(), intent: u},
		attempt{name: "16 tips", policy: xPolicy(), set: slices.Repeat([]xTx{v0(sol(10, xThief))}, 16), intent: xIntent(tips(159))},
		attempt{name: "paid elsewhere than to the payee", policy: xPolicy(), set: []xTx{v0(pay(5))}, intent: xIntent(payTo(xFriend))},
		attempt{name: "paid to the payee's account of another program", policy: xPolicy(), set: []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, signing.AssociatedTokenAddress(xFriend, xUSDC, signing.Token2022Program), xOwner, 5, 6))}, intent: xIntent(payTo(xFriend))},
		attempt{name: "paid to the payee's account of another mint", policy: xPolicy(), set: []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, signing.AssociatedTokenAddress(xFriend, xJUP, signing.TokenProgram), xOwner, 5, 6))}, intent: xIntent(payTo(xFriend))},
		attempt{name: "the payee is approved, and so a payee for later", policy: xPolicy(), set: []xTx{v0(xTok.Approve(xMyUSDC, xFriend, xOwner, 5))}, intent: xIntent(payTo(xFriend))},
		attempt{name: "a payee's excess in a new account", policy: xPolicy(), set: []xTx{v0(txbuild.CreateAccount(xOwner, xFresh, 50_000_000, 100, xProg)).signedBy([]string{"fresh"})}, intent: xIntent(onlySpends(walletfi.Asset{Mint: walletfi.NativeMint, Amount: 1 << 40}), payTo(xFriend))},
		attempt{name: "fee as tip of SOL", policy: xPolicy(), set: []xTx{v0(sol(10, xThief))}, intent: xIntent(fee(10))},
		attempt{name: "rent as tip", policy: xPolicy(), set: []xTx{v0(sol(xRent, xMyJUP))}, intent: u},
		attempt{name: "SOL to our JUP account", policy: xPolicy(), set: []xTx{v0(sol(5_000_000_000, xMyJUP))}, intent: xIntent(gets(xJUP, 0))},
		attempt{name: "SOL to our Token-2022 native account", policy: xPolicy(), set: []xTx{v0(sol(5_000_000_000, signing.AssociatedTokenAddress(xOwner, signing.NativeMintToken2022, signing.Token2022Program)))}, intent: u},
		attempt{name: "closed, then paid into", policy: xPolicy(listedPlain(outAddr("wsol2"))), set: []xTx{v0(xTok.Close(outAddr("wsol2"), xOwner, xOwner), sol(5_000_000_000, outAddr("wsol2")))}, intent: u},
		attempt{name: "closed in the first, paid into in the second", policy: xPolicy(listedPlain(outAddr("wsol2"))), set: []xTx{v0(xTok.Close(outAddr("wsol2"), xOwner, xOwner)), v0(sol(5_000_000_000, outAddr("wsol2")))}, intent: u},
		attempt{name: "made in the first, paid into in the second", policy: xPolicy(), set: []xTx{v0(txbuild.CreateAccount(xOwner, xFresh, xRent, 165, signing.TokenProgram), xTok.InitializeAccount3(xFresh, signing.NativeMint, xOwner)).signedBy([]string{"fresh"}), v0(sol(5_000_000_000, xFresh))}, intent: u},
		attempt{name: "paid into before it is made", policy: xPolicy(), set: []xTx{v0(sol(5_000_000_000, xFresh), txbuild.CreateAccountAllowPrefund(xOwner, xFresh, xRent, 165, signing.TokenProgram), xTok.InitializeAccount3(xFresh, signing.NativeMint, xOwner)).signedBy([]string{"fresh"})}, intent: u},
		attempt{name: "made, a pinned program called, then initialised", policy: xPolicy(blindly), set: []xTx{v0(txbuild.CreateAccount(xOwner, xFresh, xRent, 165, signing.TokenProgram), call(xFresh), xTok.InitializeAccount3(xFresh, signing.NativeMint, xOwner), sol(5_000_000_000, xFresh)).signedBy([]string{"fresh"})}, intent: u},
		attempt{name: "made under one token program, initialised by the other", policy: xPolicy(), set: []xTx{v0(txbuild.CreateAccount(xOwner, xFresh, xRent, 165, signing.TokenProgram), xT22.InitializeAccount3(xFresh, signing.NativeMintToken2022, xOwner), sol(5_000_000_000, xFresh)).signedBy([]string{"fresh"})}, intent: u},
		attempt{name: "approved, revoked before", policy: xPolicy(), set: []xTx{v0(xTok.Revoke(xMyUSDC, xOwner), xTok.Approve(xMyUSDC, xThief, xOwner, 500))}, intent: u},
		attempt{name: "approved, another revoked", policy: xPolicy(), set: []xTx{v0(xTok.Approve(xMyUSDC, xThief, xOwner, 500), xTok.Revoke(xMyJUP, xOwner))}, intent: u},
		attempt{name: "approved, revoked by the other program", policy: xPolicy(), set: []xTx{v0(xTok.Approve(xMyUSDC, xThief, xOwner, 500), xT22.Revoke(xMyUSDC, xOwner))}, intent: u},
		attempt{name: "approved, revoked in the next", policy: xPolicy(), set: []xTx{v0(xTok.Approve(xMyUSDC, xThief, xOwner, 500)), v0(xTok.Revoke(xMyUSDC, xOwner))}, intent: u},
		attempt{name: "approved, revoked, approved", policy: xPolicy(), set: []xTx{v0(xTok.Approve(xMyUSDC, xThief, xOwner, 100), xTok.Revoke(xMyUSDC, xOwner), xTok.Approve(xMyUSDC, xThief, xOwner, 100))}, intent: u},
		attempt{name: "approved past the cap and revoked", policy: xPolicy(), set: []xTx{v0(xTok.Approve(xMyUSDC, xThief, xOwner, 501), xTok.Revoke(xMyUSDC, xOwner))}, intent: u},
		attempt{name: "a batch in a batch", policy: xPolicy(), set: []xTx{v0(xTok.Batch(xTok.Batch(pay(1))))}, intent: u},
		attempt{name: "a batch cut short", policy: xPolicy(), set: []xTx{v0(raw(signing.TokenProgram, []byte{255, 4, 200, 12}, txbuild.Writable(xMyUSDC), txbuild.Readonly(xUSDC), txbuild.Writable(xThUSDC), txbuild.Signer(xOwner)))}, intent: u},
		attempt{name: "a batch with too few accounts", policy: xPolicy(), set: []xTx{v0(raw(signing.TokenProgram, append([]byte{255, 9, 9}, binary.LittleEndian.AppendUint64([]byte{3}, 9)...), txbuild.Writable(xMyUSDC), txbuild.Writable(xThUSDC), txbuild.Signer(xOwner)))}, intent: u},
		attempt{name: "a close to the sponsor of wrapped SOL", policy: xPolicy(), set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: is(xTok.Close(xMyWSOL, xSponsor, xOwner))}}, intent: xIntent(sponsored)},
		attempt{name: "a close to the sponsor of an unknown mint", policy: xPolicy(), set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: is(xTok.Close(outAddr("aux"), xSponsor, xOwner))}}, intent: xIntent(sponsored)},
		attempt{name: "a close to the sponsor after SOL went in", policy: xPolicy(), set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: is(sol(1_000_000, xMyUSDC), xTok.Close(xMyUSDC, xSponsor, xOwner))}}, intent: xIntent(sponsored, tips(1_000_000), spends(walletfiNative, 1_000_000))},
		attempt{name: "15 closes to the sponsor", policy: xPolicy(), set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: closesOf(15)}}, intent: xIntent(sponsored)},
		attempt{name: "the owner pays although sponsored", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(sponsored)},
		attempt{name: "a stranger pays", policy: xPolicy(), set: []xTx{{format: txbuild.V0, payer: xThief, ins: is(txbuild.Memo("x", xOwner))}}, intent: u},
		attempt{name: "the owner does not sign", policy: xPolicy(), set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: is(txbuild.Memo("x"))}}, intent: xIntent(sponsored)},
		attempt{name: "a co-signer nobody named", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x", xOwner, xThief))}, intent: u},
		attempt{name: "one co-signer too many", policy: xPolicy(func(p *signing.Policy) { p.LateCoSigners = 1 }), set: []xTx{v0(txbuild.Memo("x", xOwner, xThief, xPool))}, intent: u},
		attempt{name: "a blockhash of zeros", policy: xPolicy(), set: []xTx{{format: txbuild.V0, ins: is(txbuild.Memo("x")), hash: pk{1: 0}}}, intent: u, hash: outAddr("other").String()},
		attempt{name: "another blockhash", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: u, hash: outAddr("other").String()},
		attempt{name: "expired", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: u, end: 100, opts: []signing.Option{signing.AtBlockHeight(100)}},
		attempt{name: "far away", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: u, end: 400, opts: []signing.Option{signing.AtBlockHeight(100)}},
		attempt{name: "end of 2^64-1", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: u, end: max, opts: []signing.Option{signing.AtBlockHeight(100)}},
		attempt{name: "a nonce in the second place", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"), txbuild.AdvanceNonce(outAddr("nonce"), xOwner))}, intent: u, opts: nonceOf("nonce")},
		attempt{name: "another nonce", policy: xPolicy(), set: []xTx{v0(txbuild.AdvanceNonce(outAddr("nonce2"), xOwner))}, intent: u, opts: nonceOf("nonce")},
		attempt{name: "the nonce by another", policy: xPolicy(), set: []xTx{v0(txbuild.AdvanceNonce(outAddr("nonce"), xThief))}, intent: u, opts: nonceOf("nonce")},
		attempt{name: "the nonce's old value", policy: xPolicy(), set: []xTx{{format: txbuild.V0, ins: is(txbuild.AdvanceNonce(outAddr("nonce"), xOwner)), hash: outAddr("old")}}, intent: u, opts: nonceOf("nonce")},
		attempt{name: "many fees", policy: xPolicy(), set: []xTx{v0(append(many(3, pay(3)), pay(490))...)}, intent: xIntent(onlySpends(walletfi.Asset{Mint: xUSDC.String(), Amount: 490}), fee(5))},
		attempt{name: "a hidden payee", policy: xPolicy(), set: []xTx{{format: txbuild.V0, ins: is(pay(5)), tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xThUSDC}}}}}, intent: xIntent(payTo(xThief))},
		attempt{name: "a hidden payee of SOL", policy: xPolicy(), set: []xTx{{format: txbuild.V0, ins: is(sol(5, xThief)), tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xThief}}}}}, intent: xIntent(payTo(xThief), spends(walletfiNative, 5))},
		attempt{name: "a hidden close", policy: xPolicy(), set: []xTx{{format: txbuild.V0, ins: is(xTok.Close(xMyWSOL, xThief, xOwner)), tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xThief}}}}}, intent: u},
		attempt{name: "a hidden mint", policy: xPolicy(), set: []xTx{{format: txbuild.V0, ins: is(xTok.TransferChecked(outAddr("aux"), xUSDC, xThUSDC, xOwner, 5, 6)), tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xUSDC}}}}}, intent: u},
		attempt{name: "a resolver that lies past the table", policy: xPolicy(func(p *signing.Policy) { p.Resolver = &reading{tables: map[pk][]pk{outAddr("t"): {}}} }), set: []xTx{{format: txbuild.V0, ins: is(pay(5)), tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xThUSDC}}}}}, intent: u},
		attempt{name: "nothing arrives", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(gets(xJUP, 5))},
		attempt{name: "another mint arrives", policy: xPolicy(), set: []xTx{v0(xTok.TransferChecked(outAddr("a"), xUSDC, xMyUSDC, outKey("maker").PublicKey(), 900, 6)).signedBy([]string{"maker"})}, intent: xIntent(gets(xJUP, 5))},
		attempt{name: "less arrives", policy: xPolicy(), set: []xTx{v0(xTok.TransferChecked(outAddr("a"), xJUP, xMyJUP, outKey("maker").PublicKey(), 4, 6)).signedBy([]string{"maker"})}, intent: xIntent(gets(xJUP, 5))},
		attempt{name: "arrives behind a table", policy: xPolicy(), set: []xTx{{format: txbuild.V0, ins: is(xTok.TransferChecked(outAddr("a"), xJUP, xMyJUP, outKey("maker").PublicKey(), 9, 6)), by: []string{"maker"}, tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xMyJUP}}}}}, intent: xIntent(gets(xJUP, 5))},
		attempt{name: "arrives at our account under the other token program", policy: xPolicy(), set: []xTx{v0(xT22.TransferChecked(outAddr("a"), xJUP, xMyJUP, outKey("maker").PublicKey(), 9, 6)).signedBy([]string{"maker"})}, intent: xIntent(gets(xJUP, 5))},
		attempt{name: "arrives with a fee of all", policy: xPolicy(), set: []xTx{v0(xT22.TransferCheckedWithFee(outAddr("a"), xBONK, xMyBONK, outKey("maker").PublicKey(), 9, 5, 9)).signedBy([]string{"maker"})}, intent: xIntent(gets(xBONK, 5))},
		attempt{name: "arrives as SOL at a closed account", policy: xPolicy(), set: []xTx{v0(xTok.Close(xMyWSOL, xOwner, xOwner), txbuild.Transfer(outKey("maker").PublicKey(), xMyWSOL, 9)).signedBy([]string{"maker"})}, intent: xIntent(gets(signing.NativeMint, 5))},
		attempt{name: "arrives from ours to ours", policy: xPolicy(listedToken(outAddr("jup2"), xJUP)), set: []xTx{v0(xTok.TransferChecked(outAddr("jup2"), xJUP, xMyJUP, xOwner, 9, 6))}, intent: xIntent(gets(xJUP, 5))},
		attempt{name: "ours protected", policy: xPolicy(blindly, func(p *signing.Policy) { p.Protected = []pk{xMyUSDC} }), set: []xTx{v0(call(xMyUSDC))}, intent: u},
		attempt{name: "protected by a transfer in", policy: xPolicy(func(p *signing.Policy) { p.Protected = []pk{xMyUSDC} }), set: []xTx{v0(pay(1))}, intent: u},
		attempt{name: "a pinned call unseen", policy: xPolicy(), set: []xTx{v0(call(xMyUSDC))}, intent: u, rule: signing.RuleBlind},
		attempt{name: "a pinned call of another service", policy: xPolicy(blindly), set: []xTx{v0(call(xMyUSDC))}, intent: xIntent(func(i *walletfi.Intent) { i.Service = "amm" })},
		attempt{name: "a pinned call of a service in other case", policy: xPolicy(blindly), set: []xTx{v0(call(xMyUSDC))}, intent: xIntent(func(i *walletfi.Intent) { i.Service = "Swap" })},
		attempt{name: "blind for another service", policy: xPolicy(func(p *signing.Policy) { p.AllowBlind = []string{"amm"} }), set: []xTx{v0(call(xMyUSDC))}, intent: u},
		attempt{name: "Unsimulated alone does not allow blind", policy: xPolicy(sim(shows(nil, nil)), func(p *signing.Policy) { p.Unsimulated = []string{"swap"} }), set: []xTx{v0(call(xMyUSDC))}, intent: u},
		attempt{name: "an empty list of instructions", policy: xPolicy(blindly, func(p *signing.Policy) {
			p.TypedPins = map[string][]signing.Pin{"swap": {{Program: xProg, Instructions: []signing.Discriminator{}, MayWrite: []signing.Role{signing.AnyAccount}}}}
		}), set: []xTx{v0(call(xMyUSDC))}, intent: u},
		attempt{name: "typed: hidden writes", policy: xPolicy(blindly, typedPin(signing.OwnerWallet)), set: []xTx{{format: txbuild.V0, ins: is(call(xMyJUP)), tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xMyJUP}}}}}, intent: u},
		attempt{name: "typed: a mint among the keys", policy: xPolicy(blindly, typedPin(signing.OwnerWallet)), set: []xTx{v0(call(xMyJUP), txbuild.Memo("x"), raw(xProg, []byte{1}, txbuild.Readonly(xJUP)))}, intent: u},
		attempt{name: "typed: made only if missing", policy: xPolicy(blindly, typedPin(signing.OwnerWallet, signing.MadeAccount)), set: []xTx{v0(txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, true), call(xMyJUP))}, intent: u},
		attempt{name: "typed: 256 mints tried before", policy: xPolicy(blindly, typedPin(signing.OwnerWallet)), set: triedOut(), intent: xIntent(func(i *walletfi.Intent) { i.MaxTransactions = 32 }), rule: signing.RulePinnedCall},
	)
	runAttempts(t, list)
}

const _ = 0

var walletfiNative = signing.NativeMint

func nonceOf(name string) []signing.Option {
	return []signing.Option{signing.WithNonce(signing.Nonce{Account: outAddr(name), Value: xHash})}
}

func closesOf(n int) (all []ins) {
	for i := range n {
		mint := outAddr(fmt.Sprint("closed mint", i))
		ata := signing.AssociatedTokenAddress(xOwner, mint, signing.TokenProgram)
		all = append(all, txbuild.CreateATA(xSponsor, ata, xOwner, mint, signing.TokenProgram, true), xTok.Close(ata, xSponsor, xOwner))
	}
	return all
}

// triedOut names so many keys that later ones are no longer taken for mints.
func triedOut() (set []xTx) {
	for n := range 10 {
		var keys []txbuild.Account
		for i := range 28 {
			keys = append(keys, txbuild.Readonly(outAddr(fmt.Sprint("filler", n, i))))
		}
		set = append(set, v0(raw(xProg, []byte{1, byte(n)}, keys...)))
	}
	last := raw(xProg, []byte{1, 99}, txbuild.WritableSigner(xOwner), txbuild.Writable(xMyJUP), txbuild.Readonly(xJUP))
	return append(set, v0(last))
}
