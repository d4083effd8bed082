package signing_test

import (
	"fmt"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideHonest: layouts that services build, with and without a simulator.
func TestOutsideHonest(t *testing.T) {
	const start, fee = uint64(5_000_000_000), uint64(5000)
	maker := outKey("maker").PublicKey()
	wsol := func(n uint64) state { return held(signing.TokenProgram, signing.NativeMint, xOwner, n) }
	jup := func(n uint64) state { return held(signing.TokenProgram, xJUP, xOwner, n) }
	bonk := func(n uint64) state { return held(signing.Token2022Program, xBONK, xOwner, n) }
	owns := func(n uint64) state { return solNow(n) }
	solMint := signing.NativeMint
	ata := func(k, wallet, mint, by pk) ins { return txbuild.CreateATA(xOwner, k, wallet, mint, by, true) }
	ataNew := func(k, wallet, mint, by pk) ins { return txbuild.CreateATA(xOwner, k, wallet, mint, by, false) }
	wrap := func(n uint64) []ins {
		return []ins{ata(xMyWSOL, xOwner, solMint, signing.TokenProgram), txbuild.Transfer(xOwner, xMyWSOL, n), xTok.SyncNative(xMyWSOL)}
	}
	cat := func(parts ...[]ins) (all []ins) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	is := func(i ...ins) []ins { return i }
	spendSOL := func(n uint64) func(*walletfi.Intent) {
		return onlySpends(walletfi.Asset{Mint: walletfi.NativeMint, Amount: walletfi.Amount(n)})
	}
	feeOf := func(mint pk, n uint64) func(*walletfi.Intent) {
		return func(i *walletfi.Intent) {
			i.ServiceFee = append(i.ServiceFee, walletfi.Asset{Mint: mint.String(), Amount: walletfi.Amount(n)})
		}
	}
	foreign := func(n uint64) func(*walletfi.Intent) {
		return func(i *walletfi.Intent) { i.MaxForeignRentLamports = walletfi.Amount(n) }
	}
	takes := func(n uint64) ins { return xTok.TransferChecked(xMyUSDC, xUSDC, xPool, xOwner, n, 6) }
	budget := is(txbuild.UnitLimit(300_000), txbuild.UnitPrice(10_000), txbuild.HeapFrame(65_536), txbuild.DataLimit(1<<20))
	pos := outAddr("position")
	type row struct {
		name    string
		ins     []ins
		intent  []func(*walletfi.Intent)
		policy  []func(*signing.Policy)
		sim     *shown // nil: as if nothing but the fee
		outer   int    // of the calls
		by      []string
		payer   pk
		opts    []signing.Option
		moreFee uint64
	}
	rows := []row{
		{name: "swap USDC to JUP", ins: cat(budget, is(ata(xMyJUP, xOwner, xJUP, signing.TokenProgram), call(xMyUSDC, xMyJUP))), intent: []func(*walletfi.Intent){gets(xJUP, 5)}, outer: 5,
			sim: shows(accs{xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5), xOwner: owns(start - fee - 3000)}, takes(500))},
		{name: "into a new account", ins: is(ata(xMyJUP, xOwner, xJUP, signing.TokenProgram), call(xMyUSDC, xMyJUP)), intent: []func(*walletfi.Intent){gets(xJUP, 5)}, outer: 1,
			sim: shows(nil, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5), xOwner: owns(start - fee - xRent)}, takes(500))},
		{name: "SOL to USDC by wrapping", ins: cat(wrap(50_000_000), is(call(xMyUSDC, xMyWSOL), xTok.Close(xMyWSOL, xOwner, xOwner))), intent: []func(*walletfi.Intent){spendSOL(50_000_000), gets(xUSDC, 100)}, outer: 3,
			sim: shows(nil, accs{xMyUSDC: myUSDC(900), xMyWSOL: {}, xOwner: owns(start - fee - 50_000_000)}, xTok.Transfer(xMyWSOL, xPool, xOwner, 50_000_000))},
		{name: "USDC to SOL by wrapping", ins: is(ata(xMyWSOL, xOwner, solMint, signing.TokenProgram), call(xMyUSDC, xMyWSOL), xTok.Close(xMyWSOL, xOwner, xOwner)), intent: []func(*walletfi.Intent){gets(solMint, 40_000_000)}, outer: 1,
			sim: shows(nil, accs{xMyUSDC: myUSDC(300), xMyWSOL: {}, xOwner: owns(start - fee + 40_000_000)}, takes(500))},
		{name: "by a wrapped account of a fresh key", ins: is(txbuild.CreateAccount(xOwner, xFresh, xRent+50_000_000, 165, signing.TokenProgram), xTok.InitializeAccount3(xFresh, solMint, xOwner), call(xMyUSDC, xFresh), xTok.Close(xFresh, xOwner, xOwner)),
			by: []string{"fresh"}, intent: []func(*walletfi.Intent){spendSOL(50_000_000), gets(xUSDC, 100)}, outer: 2, moreFee: 5000,
			sim: shows(nil, accs{xMyUSDC: myUSDC(900), xOwner: owns(start - 2*fee - 50_000_000)}, xTok.Transfer(xFresh, xPool, xOwner, 50_000_000))},
		{name: "by a wrapped account of a seed", ins: is(txbuild.CreateAccountWithSeed(xOwner, signing.SeedAddress(xOwner, "w1", signing.TokenProgram), xOwner, "w1", xRent+50_000_000, 165, signing.TokenProgram), xTok.InitializeAccount(signing.SeedAddress(xOwner, "w1", signing.TokenProgram), solMint, xOwner),
			call(xMyUSDC, signing.SeedAddress(xOwner, "w1", signing.TokenProgram)), xTok.Close(signing.SeedAddress(xOwner, "w1", signing.TokenProgram), xOwner, xOwner)), intent: []func(*walletfi.Intent){spendSOL(50_000_000), gets(xUSDC, 100)}, outer: 2,
			sim: shows(nil, accs{xMyUSDC: myUSDC(900), xOwner: owns(start - fee - 50_000_000)}, xTok.Transfer(signing.SeedAddress(xOwner, "w1", signing.TokenProgram), xPool, xOwner, 50_000_000))},
		{name: "the wrapped account was there and stays", ins: cat(wrap(50_000_000), is(call(xMyUSDC, xMyWSOL))), intent: []func(*walletfi.Intent){spendSOL(50_000_000), gets(xUSDC, 100)}, outer: 3,
			sim: shows(accs{xMyWSOL: wsol(7)}, accs{xMyUSDC: myUSDC(900), xMyWSOL: wsol(7), xOwner: owns(start - fee - 50_000_000)}, xTok.Transfer(xMyWSOL, xPool, xOwner, 50_000_000))},
		{name: "with a tip", ins: is(call(xMyUSDC, xMyJUP), txbuild.Transfer(xOwner, outAddr("tip account"), 10_000)), intent: []func(*walletfi.Intent){gets(xJUP, 5), tips(10_000)},
			sim: shows(accs{xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5), xOwner: owns(start - fee - 10_000)}, takes(500))},
		{name: "with a tip and a fee in USDC", ins: is(takes(5), call(xMyUSDC, xMyJUP), txbuild.Transfer(xOwner, outAddr("tip account"), 10_000)), intent: []func(*walletfi.Intent){gets(xJUP, 5), tips(10_000), feeOf(xUSDC, 5)}, outer: 1,
			sim: shows(accs{xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(295), xMyJUP: jup(5), xOwner: owns(start - fee - 10_000)}, takes(500))},
		{name: "with a fee in SOL within the call", ins: is(call(xMyUSDC, xMyJUP)), intent: []func(*walletfi.Intent){gets(xJUP, 5), feeOf(solMint, 9000)},
			sim: shows(accs{xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5), xOwner: owns(start - fee - 9000)}, takes(500), txbuild.Transfer(xOwner, outAddr("fees"), 9000))},
		{name: "the call makes our account itself", ins: is(call(xMyUSDC, xMyJUP)), intent: []func(*walletfi.Intent){gets(xJUP, 5)},
			sim: shows(nil, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5), xOwner: owns(start - fee - xRent)}, ata(xMyJUP, xOwner, xJUP, signing.TokenProgram), txbuild.CreateAccount(xOwner, xMyJUP, xRent, 165, signing.TokenProgram), xTok.InitializeAccount3(xMyJUP, xJUP, xOwner), takes(500))},
		{name: "the call makes a position", ins: is(call(xMyUSDC, pos)), sim: shows(nil, accs{xMyUSDC: myUSDC(300), pos: {Lamports: 6960 * 328, Owner: xProg, Data: make([]byte, 200)}, xOwner: owns(start - fee - 6960*328)}, takes(500), txbuild.CreateAccount(xOwner, pos, 6960*328, 200, xProg))},
		{name: "the call makes a position by transfer, allocate, assign", ins: is(call(xMyUSDC, pos)), sim: shows(nil, accs{xMyUSDC: myUSDC(300), pos: {Lamports: 6960 * 328, Owner: xProg, Data: make([]byte, 200)}, xOwner: owns(start - fee - 6960*328)}, takes(500), txbuild.Transfer(xOwner, pos, 6960*328), txbuild.Allocate(pos, 200), txbuild.Assign(pos, xProg))},
		{name: "the call lengthens a position", ins: is(call(xMyUSDC, pos)), sim: shows(accs{pos: {Lamports: 6960 * 328, Owner: xProg, Data: make([]byte, 200)}}, accs{xMyUSDC: myUSDC(300), pos: {Lamports: 6960 * 428, Owner: xProg, Data: make([]byte, 300)}, xOwner: owns(start - fee - 696000)}, takes(500), txbuild.Transfer(xOwner, pos, 696000))},
		{name: "a position of a fresh key", ins: is(txbuild.CreateAccount(xOwner, xFresh, 6960*328, 200, xProg), call(xMyUSDC, xFresh)), by: []string{"fresh"}, outer: 1, moreFee: 5000,
			sim: shows(nil, accs{xMyUSDC: myUSDC(300), xFresh: {Lamports: 6960 * 328, Owner: xProg, Data: make([]byte, 200)}, xOwner: owns(start - 2*fee - 6960*328)}, takes(500))},
		{name: "a position is closed", ins: is(call(xMyUSDC, pos)), intent: []func(*walletfi.Intent){func(i *walletfi.Intent) { i.Spend = nil }, gets(xUSDC, 100)},
			sim: shows(accs{pos: {Lamports: 6960 * 328, Owner: xProg, Data: make([]byte, 200)}}, accs{xMyUSDC: myUSDC(900), pos: {}, xOwner: owns(start - fee + 6960*328)})},
		{name: "Token-2022 out", ins: is(ata(xMyBONK, xOwner, xBONK, signing.Token2022Program), call(xMyUSDC, xMyBONK)), intent: []func(*walletfi.Intent){gets(xBONK, 5)}, outer: 1,
			sim: shows(nil, accs{xMyUSDC: myUSDC(300), xMyBONK: extended22(xOwner, 5, 1, 7, 0, 0, 0), xOwner: owns(start - fee - 2_074_080)}, takes(500))},
		{name: "Token-2022 in, with a fee withheld", ins: is(call(xMyBONK, xMyUSDC)), intent: []func(*walletfi.Intent){onlySpends(walletfi.Asset{Mint: xBONK.String(), Amount: 70}), gets(xUSDC, 5)},
			sim: shows(accs{xMyBONK: bonk(100)}, accs{xMyBONK: bonk(30), xMyUSDC: myUSDC(805)}, xT22.TransferCheckedWithFee(xMyBONK, xBONK, xPool, xOwner, 70, 5, 1))},
		{name: "an approval within the call, revoked", ins: is(xTok.Approve(xMyUSDC, outAddr("pda"), xOwner, 500), call(xMyUSDC, xMyJUP), xTok.Revoke(xMyUSDC, xOwner)), intent: []func(*walletfi.Intent){gets(xJUP, 5)}, outer: 1,
			sim: shows(accs{xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5)}, xTok.TransferChecked(xMyUSDC, xUSDC, xPool, outAddr("pda"), 500, 6))},
		{name: "an order: a named delegate", ins: is(xTok.Approve(xMyUSDC, xDeleg, xOwner, 500)), intent: []func(*walletfi.Intent){delegates}, sim: shows(nil, accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xDeleg, 500))})},
		{name: "a market maker pays us, we pay it", ins: is(takes(500), xTok.TransferChecked(outAddr("mm"), xJUP, xMyJUP, maker, 5, 6)), by: []string{"maker"}, intent: []func(*walletfi.Intent){gets(xJUP, 5)}, moreFee: 5000,
			sim: shows(accs{xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5), xOwner: owns(start - 2*fee)})},
		{name: "a market maker that pays the fee and signs late", payer: maker, ins: is(takes(500), xTok.TransferChecked(outAddr("mm"), xJUP, xMyJUP, maker, 5, 6)), policy: []func(*signing.Policy){func(p *signing.Policy) { p.Sponsors = []pk{maker} }}, intent: []func(*walletfi.Intent){gets(xJUP, 5)},
			sim: shows(accs{xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5), xOwner: owns(start)})},
		{name: "a payment of USDC", ins: is(ata(xFrUSDC, xFriend, xUSDC, signing.TokenProgram), xTok.TransferChecked(xMyUSDC, xUSDC, xFrUSDC, xOwner, 500, 6)), intent: []func(*walletfi.Intent){payTo(xFriend), foreign(xRent)},
			sim: shows(nil, accs{xMyUSDC: myUSDC(300), xFrUSDC: held(signing.TokenProgram, xUSDC, xFriend, 500), xOwner: owns(start - fee - xRent)})},
		{name: "a payment of SOL", ins: is(txbuild.Transfer(xOwner, xFriend, 1_000_000)), intent: []func(*walletfi.Intent){spendSOL(1_000_000), payTo(xFriend)}, sim: shows(nil, accs{xOwner: owns(start - fee - 1_000_000)})},
		{name: "a payment of wrapped SOL", ins: is(xTok.TransferChecked(xMyWSOL, solMint, signing.AssociatedTokenAddress(xFriend, solMint, signing.TokenProgram), xOwner, 1_000_000, 9)), intent: []func(*walletfi.Intent){spendSOL(1_000_000), payTo(xFriend)}, sim: shows(accs{xMyWSOL: wsol(2_000_000)}, accs{xMyWSOL: wsol(1_000_000)})},
		{name: "a payment with a reference and a memo", ins: is(txbuild.Memo("order 5"), func() ins {
			i := txbuild.Transfer(xOwner, xFriend, 5)
			i.Accounts = append(i.Accounts, txbuild.Readonly(outAddr("ref")))
			return i
		}()), intent: []func(*walletfi.Intent){spendSOL(5), payTo(xFriend)}, sim: shows(nil, accs{xOwner: owns(start - fee - 5)})},
		{name: "a payment of Token-2022 with a hook's accounts", ins: is(func() ins {
			i := xT22.TransferChecked(xMyBONK, xBONK, signing.AssociatedTokenAddress(xFriend, xBONK, signing.Token2022Program), xOwner, 70, 5)
			i.Accounts = append(i.Accounts, txbuild.Readonly(outAddr("meta")), txbuild.Readonly(outAddr("hook")))
			return i
		}()), intent: []func(*walletfi.Intent){onlySpends(walletfi.Asset{Mint: xBONK.String(), Amount: 70}), payTo(xFriend)}, sim: shows(accs{xMyBONK: extended22(xOwner, 100, 1, 15, 0, 1, 0, 0)}, accs{xMyBONK: extended22(xOwner, 30, 1, 15, 0, 1, 0, 0)})},
		{name: "burn and close to us", ins: is(xTok.BurnChecked(xMyJUP, xJUP, xOwner, 9, 6), xTok.Close(xMyJUP, xOwner, xOwner)), intent: []func(*walletfi.Intent){onlySpends(), func(i *walletfi.Intent) { i.BurnAll = []string{xJUP.String()} }}, sim: shows(accs{xMyJUP: jup(9)}, accs{xMyJUP: {}, xOwner: owns(start - fee + xRent)})},
		{name: "burn all of an account", ins: is(xTok.Burn(xMyJUP, xJUP, xOwner, 9), xTok.Close(xMyJUP, xOwner, xOwner)), intent: []func(*walletfi.Intent){onlySpends(), func(i *walletfi.Intent) { i.BurnAll = []string{xMyJUP.String()} }}, sim: shows(accs{xMyJUP: jup(9)}, accs{xMyJUP: {}, xOwner: owns(start - fee + xRent)})},
		{name: "a sponsored close", payer: xSponsor, ins: is(xTok.Close(xMyJUP, xSponsor, xOwner)), intent: []func(*walletfi.Intent){onlySpends(), sponsored, func(i *walletfi.Intent) { i.CloseAccounts = []string{xMyJUP.String()} }}, sim: shows(accs{xMyJUP: jup(0)}, accs{xMyJUP: {}, xOwner: owns(start)}), policy: []func(*signing.Policy){listedToken(xMyJUP, xJUP)}},
		{name: "20 closes in one", ins: func() (all []ins) {
			for i := range 20 {
				all = append(all, xTok.Close(outAddr(fmt.Sprint("empty", i)), xOwner, xOwner))
			}
			return all
		}(), intent: []func(*walletfi.Intent){onlySpends()}, sim: shows(nil, nil)},
		{name: "harvest and close of Token-2022", ins: is(raw(signing.Token2022Program, []byte{26, 4}, txbuild.Writable(xBONK), txbuild.Writable(xMyBONK)), xT22.Close(xMyBONK, xOwner, xOwner)), intent: []func(*walletfi.Intent){onlySpends()}, sim: shows(accs{xMyBONK: bonk(0)}, accs{xMyBONK: {}, xOwner: owns(start - fee + xRent)})},
		{name: "unwrap all", ins: is(xTok.Close(xMyWSOL, xOwner, xOwner)), intent: []func(*walletfi.Intent){onlySpends()}, sim: shows(accs{xMyWSOL: wsol(5)}, accs{xMyWSOL: {}, xOwner: owns(start - fee + xRent + 5)})},
		{name: "unwrap, expecting SOL", ins: is(xTok.Close(xMyWSOL, xOwner, xOwner)), intent: []func(*walletfi.Intent){spendSOL(5), gets(solMint, 0)}, sim: shows(accs{xMyWSOL: wsol(5)}, accs{xMyWSOL: {}, xOwner: owns(start - fee + xRent + 5)})},
		{name: "wrap", ins: wrap(5_000_000), intent: []func(*walletfi.Intent){onlySpends()}, sim: shows(nil, accs{xMyWSOL: wsol(5_000_000), xOwner: owns(start - fee - 5_000_000 - xRent)})},
		{name: "a durable nonce", ins: is(txbuild.AdvanceNonce(outAddr("nonce"), xOwner), takes(500)), opts: nonceOf("nonce"), intent: []func(*walletfi.Intent){func(i *walletfi.Intent) { i.OutputTo = []string{xPool.String()} }}, sim: shows(nil, accs{xMyUSDC: myUSDC(300)})},
		{name: "an oracle's signatures before", ins: is(raw(signing.Ed25519Program, append([]byte{1, 0}, make([]byte, 110)...)), call(xMyUSDC)), outer: 1, moreFee: 5000, sim: shows(nil, accs{xMyUSDC: myUSDC(300), xOwner: owns(start - 2*fee)}, takes(500))},
		{name: "secp256r1", ins: is(raw(signing.Secp256r1Program, append([]byte{1, 0}, make([]byte, 110)...)), call(xMyUSDC)), outer: 1, moreFee: 5000, sim: shows(nil, accs{xMyUSDC: myUSDC(300), xOwner: owns(start - 2*fee)}, takes(500))},
		{name: "a late co-signer", ins: is(txbuild.Memo("x", xThief), call(xMyUSDC)), policy: []func(*signing.Policy){func(p *signing.Policy) { p.LateCoSigners = 1 }}, outer: 1, sim: shows(nil, accs{xMyUSDC: myUSDC(300), xOwner: owns(start - 2*fee)}, takes(500))},
		{name: "a named co-signer", ins: is(txbuild.Memo("x", xThief), call(xMyUSDC)), intent: []func(*walletfi.Intent){func(i *walletfi.Intent) { i.CoSigners = []string{xThief.String()} }}, outer: 1, sim: shows(nil, accs{xMyUSDC: myUSDC(300), xOwner: owns(start - 2*fee)}, takes(500))},
		{name: "an intermediate token passes", ins: is(ata(xMyJUP, xOwner, xJUP, signing.TokenProgram), call(xMyUSDC, xMyJUP, xMyBONK)), intent: []func(*walletfi.Intent){gets(xBONK, 5)}, outer: 1,
			sim: shows(accs{xMyBONK: bonk(0)}, accs{xMyUSDC: myUSDC(300), xMyJUP: jup(0), xMyBONK: bonk(5), xOwner: owns(start - fee - xRent)}, takes(500), xTok.TransferChecked(xPool, xJUP, xMyJUP, outAddr("pool authority"), 77, 6), xTok.TransferChecked(xMyJUP, xJUP, xPool, xOwner, 77, 6))},
		{name: "intermediate wrapped SOL passes and is closed", ins: is(ata(xMyWSOL, xOwner, solMint, signing.TokenProgram), call(xMyUSDC, xMyWSOL, xMyBONK), xTok.Close(xMyWSOL, xOwner, xOwner)), intent: []func(*walletfi.Intent){gets(xBONK, 5)}, outer: 1,
			sim: shows(accs{xMyBONK: bonk(0)}, accs{xMyUSDC: myUSDC(300), xMyWSOL: {}, xMyBONK: bonk(5)}, takes(500), xTok.TransferChecked(xPool, solMint, xMyWSOL, outAddr("pool authority"), 7_000_000, 9), xTok.TransferChecked(xMyWSOL, solMint, xPool, xOwner, 7_000_000, 9))},
		{name: "the change of an exact-out swap comes back", ins: is(call(xMyUSDC, xMyJUP)), intent: []func(*walletfi.Intent){gets(xJUP, 5)}, sim: shows(accs{xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(350), xMyJUP: jup(5)}, takes(500), xTok.TransferChecked(xPool, xUSDC, xMyUSDC, outAddr("pool authority"), 50, 6))},
		{name: "an arbitrage: more USDC than it takes", ins: is(call(xMyUSDC)), intent: []func(*walletfi.Intent){gets(xUSDC, 510)}, sim: shows(nil, accs{xMyUSDC: myUSDC(810)}, takes(500), xTok.TransferChecked(xPool, xUSDC, xMyUSDC, outAddr("pool authority"), 510, 6))},
		{name: "a flash loan within", ins: is(call(xMyUSDC, xMyJUP, xPool)), intent: []func(*walletfi.Intent){gets(xJUP, 5)}, sim: shows(accs{xMyJUP: jup(0), xPool: held(signing.TokenProgram, xUSDC, outAddr("pool authority"), 9000)},
			accs{xMyUSDC: myUSDC(300), xMyJUP: jup(5), xPool: held(signing.TokenProgram, xUSDC, outAddr("pool authority"), 9500)}, xTok.TransferChecked(xPool, xUSDC, xMyUSDC, outAddr("pool authority"), 4000, 6), takes(500), takes(4000))},
		{name: "a JUP of ours is delegated to somebody since long", ins: is(call(xMyUSDC, xMyJUP)), intent: []func(*walletfi.Intent){gets(xJUP, 5)}, sim: shows(accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0, delegateTo(xThief, 9))}, accs{xMyUSDC: myUSDC(300), xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 5, delegateTo(xThief, 9))}, takes(500))},
		{name: "our USDC has a delegate for all since long", ins: is(call(xMyUSDC, xMyJUP)), intent: []func(*walletfi.Intent){gets(xJUP, 5)}, sim: shows(accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xThief, 1<<63)), xMyJUP: jup(0)}, accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 300, delegateTo(xThief, 1<<63)), xMyJUP: jup(5)}, takes(500))},
		{name: "an output to a friend", ins: is(call(xMyUSDC, xFrUSDC), xTok.TransferChecked(xMyUSDC, xUSDC, xFrUSDC, xOwner, 100, 6)), intent: []func(*walletfi.Intent){func(i *walletfi.Intent) { i.OutputTo = []string{xFriend.String()} }}, sim: shows(nil, accs{xMyUSDC: myUSDC(300)}, takes(400))},
		{name: "a listed vault of a smart account pays", ins: is(call(outAddr("vault"), outAddr("vault usdc"))), policy: []func(*signing.Policy){listedPlain(outAddr("vault")), listedToken(outAddr("vault usdc"), xUSDC)}, intent: nil,
			sim: shows(accs{outAddr("vault"): solNow(9_000_000), outAddr("vault usdc"): held(signing.TokenProgram, xUSDC, outAddr("vault"), 900)}, accs{outAddr("vault usdc"): held(signing.TokenProgram, xUSDC, outAddr("vault"), 400)}, xTok.TransferChecked(outAddr("vault usdc"), xUSDC, xPool, outAddr("vault"), 500, 6))},
		{name: "a listed vault is made", ins: is(call(outAddr("vault"))), policy: []func(*signing.Policy){listedPlain(outAddr("vault"))}, sim: shows(nil, accs{outAddr("vault"): {Lamports: 6960 * 328, Owner: xProg, Data: make([]byte, 200)}, xOwner: owns(start - fee - 6960*328)}, txbuild.Transfer(xOwner, outAddr("vault"), 6960*328), txbuild.Allocate(outAddr("vault"), 200), txbuild.Assign(outAddr("vault"), xProg))},
		{name: "a new token account by the fresh key", ins: is(txbuild.CreateAccount(xOwner, xFresh, xRent, 165, signing.TokenProgram), xTok.InitializeAccount2(xFresh, xUSDC, xOwner)), by: []string{"fresh"}, moreFee: 5000, sim: shows(nil, accs{xFresh: myUSDC(0), xOwner: owns(start - 2*fee - xRent)})},
		{name: "Token-2022 account with an immutable owner", ins: is(txbuild.CreateAccount(xOwner, xFresh, 2_074_080, 170, signing.Token2022Program), raw(signing.Token2022Program, []byte{22}, txbuild.Writable(xFresh)), xT22.InitializeAccount3(xFresh, xBONK, xOwner)), by: []string{"fresh"}, moreFee: 5000, sim: shows(nil, accs{xFresh: extended22(xOwner, 0, 1, 7, 0, 0, 0), xOwner: owns(start - 2*fee - 2_074_080)})},
		{name: "a mint is made", ins: is(txbuild.CreateAccount(xOwner, xFresh, 1_461_600, 82, signing.TokenProgram), xTok.InitializeMint2(xFresh, xOwner, 6), ataNew(signing.AssociatedTokenAddress(xOwner, xFresh, signing.TokenProgram), xOwner, xFresh, signing.TokenProgram)), by: []string{"fresh"}, moreFee: 5000, sim: shows(nil, accs{xFresh: {Lamports: 1_461_600, Owner: signing.TokenProgram, Data: make([]byte, 82)}, signing.AssociatedTokenAddress(xOwner, xFresh, signing.TokenProgram): held(signing.TokenProgram, xFresh, xOwner, 0), xOwner: owns(start - 2*fee - 1_461_600 - xRent)})},
		{name: "a batch of the token program", ins: is(xTok.Batch(takes(200), takes(300))), sim: shows(nil, accs{xMyUSDC: myUSDC(300)})},
		{name: "an excess is taken out to us", ins: is(xT22.WithdrawExcess(xMyBONK, xOwner, xOwner)), sim: shows(accs{xMyBONK: bonk(5)}, nil)},
		{name: "a transfer among ours, classic", ins: is(xTok.TransferChecked(outAddr("jup2"), xJUP, xMyJUP, xOwner, 9, 6)), sim: shows(accs{outAddr("jup2"): jup(9), xMyJUP: jup(0)}, accs{outAddr("jup2"): jup(0), xMyJUP: jup(9)})},
		{name: "a multisig of ours pays", ins: is(xTok.TransferChecked(outAddr("msig usdc"), xUSDC, xPool, outAddr("msig"), 500, 6, xOwner)), policy: []func(*signing.Policy){keysAre(outAddr("msig"))}, sim: shows(accs{outAddr("msig usdc"): held(signing.TokenProgram, xUSDC, outAddr("msig"), 900)}, accs{outAddr("msig usdc"): held(signing.TokenProgram, xUSDC, outAddr("msig"), 400)})},
		{name: "a pool stakes its own within", ins: is(call(xMyUSDC)), sim: shows(nil, accs{xMyUSDC: myUSDC(300)}, takes(500), raw(signing.StakeProgram, []byte{2, 0, 0, 0}, txbuild.Writable(outAddr("pool stake")), txbuild.Signer(outAddr("pool authority"))))},
		{name: "SOL is deposited straight", ins: is(call(xPool)), intent: []func(*walletfi.Intent){spendSOL(9_000_000)}, sim: shows(nil, accs{xOwner: owns(start - fee - 9_000_000)}, txbuild.Transfer(xOwner, xPool, 9_000_000))},
		{name: "SOL is withdrawn by lamports alone", ins: is(call(xPool)), intent: []func(*walletfi.Intent){onlySpends(), gets(solMint, 9_000_000)}, sim: shows(accs{xPool: {Lamports: 1 << 40, Owner: xProg, Data: make([]byte, 8)}}, accs{xPool: {Lamports: 1<<40 - 9_000_000, Owner: xProg, Data: make([]byte, 8)}, xOwner: owns(start - fee + 9_000_000)})},
		{name: "an account of ours that nothing derives is sold by an unchecked transfer", ins: is(call(outAddr("aux jup"), xMyUSDC)), intent: []func(*walletfi.Intent){onlySpends(walletfi.Asset{Mint: xJUP.String(), Amount: 9}), gets(xUSDC, 5)},
			sim: shows(accs{outAddr("aux jup"): jup(9)}, accs{outAddr("aux jup"): jup(0), xMyUSDC: myUSDC(805)}, xTok.Transfer(outAddr("aux jup"), xPool, xOwner, 9))},
		{name: "an intermediate SOL passes while a maker's order account closes to the maker", ins: is(call(xMyUSDC, xMyWSOL, xMyBONK, outAddr("order"), outAddr("vault"))), intent: []func(*walletfi.Intent){gets(xBONK, 5)},
			sim: shows(accs{xMyBONK: bonk(0), xMyWSOL: wsol(0), outAddr("order"): {Lamports: 6960 * 328, Owner: xProg, Data: make([]byte, 200)},
				outAddr("vault"): held(signing.TokenProgram, solMint, outAddr("pool authority"), 9_000_000)}, accs{xMyUSDC: myUSDC(300), xMyBONK: bonk(5), outAddr("order"): {},
				outAddr("vault"): held(signing.TokenProgram, solMint, outAddr("pool authority"), 2_000_000)}, takes(500),
				xTok.TransferChecked(outAddr("vault"), solMint, xMyWSOL, outAddr("pool authority"), 7_000_000, 9), xTok.TransferChecked(xMyWSOL, solMint, xPool, xOwner, 7_000_000, 9))},
		{name: "an intermediate token is approved for the router and passes", ins: is(call(xMyUSDC, xMyJUP, xMyBONK)), intent: []func(*walletfi.Intent){gets(xBONK, 5)},
			sim: shows(accs{xMyBONK: bonk(0), xMyJUP: jup(0)}, accs{xMyUSDC: myUSDC(300), xMyBONK: bonk(5)}, takes(500),
				xTok.TransferChecked(xPool, xJUP, xMyJUP, outAddr("pool authority"), 77, 6), xTok.Approve(xMyJUP, outAddr("pda"), xOwner, 77), xTok.TransferChecked(xMyJUP, xJUP, xPool, outAddr("pda"), 77, 6), xTok.Revoke(xMyJUP, xOwner))},
		{name: "an idempotent create for another that is there", ins: is(ata(xFrUSDC, xFriend, xUSDC, signing.TokenProgram), call(xMyUSDC)), intent: []func(*walletfi.Intent){foreign(xRent)}, outer: 1, sim: shows(accs{xFrUSDC: held(signing.TokenProgram, xUSDC, xFriend, 5)}, accs{xMyUSDC: myUSDC(300)}, takes(500))},
	}
	var all []attempt
	for _, r := range rows {
		pinned := false
		for _, i := range r.ins {
			pinned = pinned || pk(i.Program) == xProg
		}
		x := xTx{format: txbuild.V0, ins: r.ins, by: r.by, payer: r.payer}
		withSim := xPolicy(append([]func(*signing.Policy){sim(r.sim.at(r.outer))}, r.policy...)...)
		bare := xPolicy(r.policy...)
		if pinned {
			blindly(&bare)
		}
		// A transaction that names two signers costs twice: the shown balance has to say so.
		i := xIntent(r.intent...)
		all = append(all, attempt{name: "simulated: " + r.name, policy: withSim, set: []xTx{x}, intent: i, opts: r.opts, honest: true},
			attempt{name: "bytes: " + r.name, policy: bare, set: []xTx{x}, intent: i, opts: r.opts, honest: true})
		if pinned {
			states := *r.sim
			states.statesOnly = true
			second := x
			all = append(all, attempt{name: "second of a bundle: " + r.name, policy: xPolicy(append([]func(*signing.Policy){sim(bundle{shows(r.sim.before, nil), &states})}, r.policy...)...),
				set: []xTx{v0(txbuild.Memo("first")), second}, intent: i, opts: r.opts, honest: true})
		}
	}
	runAttempts(t, all)
}
