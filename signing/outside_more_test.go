package signing_test

import (
	"math"
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideMore: what the first rounds suggest.
func TestOutsideMore(t *testing.T) {
	key := outKey("maker").PublicKey()
	keyJUP := outAddr("key jup")
	bonk := func(n uint64) state { return held(signing.Token2022Program, xBONK, xOwner, n) }
	jup := func(n uint64) state { return held(signing.TokenProgram, xJUP, xOwner, n) }
	ex := xIntent(gets(xBONK, 10))
	before := accs{xMyJUP: jup(0), xMyBONK: bonk(0), keyJUP: held(signing.TokenProgram, xJUP, key, 900)}
	kept := accs{xMyJUP: jup(0), xMyBONK: bonk(10), keyJUP: held(signing.TokenProgram, xJUP, key, 0)}
	steals := xTok.TransferChecked(xMyJUP, xJUP, xThief, xOwner, 900, 6)
	max := uint64(math.MaxUint64)
	runAttempts(t, []attempt{
		{name: "M1 a key's JUP by the transaction's own transfer to us, taken within the call", policy: xPolicy(keysAre(key), coSigners(key), sim(shows(before, kept, steals).at(1))),
			set: []xTx{v0(xTok.TransferChecked(keyJUP, xJUP, xMyJUP, key, 900, 6), call(xMyUSDC, xMyJUP, xMyBONK)).signedBy([]string{"maker"})}, intent: ex},
		{name: "M2 the same in two transactions of a bundle", policy: xPolicy(keysAre(key), coSigners(key), sim(bundle{
			shows(before, accs{xMyJUP: jup(900), keyJUP: held(signing.TokenProgram, xJUP, key, 0)}),
			shows(accs{xMyJUP: jup(900), xMyBONK: bonk(0)}, accs{xMyJUP: jup(0), xMyBONK: bonk(10)}).states()})),
			set: []xTx{v0(xTok.TransferChecked(keyJUP, xJUP, xMyJUP, key, 900, 6)).signedBy([]string{"maker"}), v0(call(xMyUSDC, xMyJUP, xMyBONK))}, intent: ex},
		{name: "M3 the same in steps", policy: xPolicy(keysAre(key), coSigners(key), sim(shows(accs{xMyJUP: jup(900), xMyBONK: bonk(0)}, accs{xMyJUP: jup(0), xMyBONK: bonk(10)}, steals))),
			set: []xTx{v0(xTok.TransferChecked(keyJUP, xJUP, xMyJUP, key, 900, 6)).signedBy([]string{"maker"}), v0(call(xMyUSDC, xMyJUP, xMyBONK))}, intent: ex,
			step: after(did(9, toks(xMyJUP, xOwner, xJUP, 0, 900), toks(keyJUP, key, xJUP, 900, 0)))},
		{name: "M4 a key's JUP to us, taken, no exchange", policy: xPolicy(keysAre(key), coSigners(key), sim(shows(before, kept, steals).at(1))),
			set: []xTx{v0(xTok.TransferChecked(keyJUP, xJUP, xMyJUP, key, 900, 6), call(xMyUSDC, xMyJUP, xMyBONK)).signedBy([]string{"maker"})}, intent: xIntent()},
		{name: "M4b the same by states alone", policy: xPolicy(keysAre(key), coSigners(key), sim(shows(before, kept).states())),
			set: []xTx{v0(xTok.TransferChecked(keyJUP, xJUP, xMyJUP, key, 900, 6), call(xMyUSDC, xMyJUP, xMyBONK)).signedBy([]string{"maker"})}, intent: xIntent()},
		{name: "M5 the second of a bundle is shown on another state than the first leaves", policy: xPolicy(sim(bundle{
			shows(accs{xMyBONK: bonk(0)}, accs{xMyUSDC: myUSDC(300), xMyBONK: bonk(10)}), shows(accs{xMyBONK: bonk(0)}, nil).states()})),
			set: []xTx{v0(call(xMyUSDC, xMyBONK)), v0(numberedCall(2, xMyUSDC, xMyBONK))}, intent: ex},
		{name: "M6 an expired set is no theft", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(), end: 100, opts: []signing.Option{signing.AtBlockHeight(101)}, not: []string{"attempted theft"}},
		{name: "M7 a slippage that fails in simulation is no theft", policy: xPolicy(sim(func() *shown { s := shows(nil, nil); s.fails = "slippage exceeded"; return s }())), set: []xTx{v0(call(xMyUSDC))}, intent: xIntent(), not: []string{"attempted theft"}},
		{name: "M8 decimals of 255 and amounts of 2^64-1", policy: xPolicy(func(p *signing.Policy) { p.Tokens = signing.TokenList{xUSDC: {Symbol: "USDC", Decimals: 255}} }),
			set: []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, xPool, xOwner, max, 255))}, intent: xIntent(onlySpends(walletfi.Asset{Mint: xUSDC.String(), Amount: walletfi.Amount(max)})), honest: true},
		{name: "M9 spends Token-2022's native mint, said as SOL", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(onlySpends(walletfi.Asset{Mint: signing.NativeMintToken2022.String(), Amount: 1_000_000_000})), honest: true, says: []string{"spend at most 1 SOL"}},
		{name: "M10 at step 2 the executed program is not said to be able to take", policy: xPolicy(func(p *signing.Policy) { p.Pins["swap"] = []pk{xProg, xRogue} }, sim(shows(nil, nil))),
			set: []xTx{v0(txbuild.Call(xRogue, []byte{1}, txbuild.WritableSigner(xOwner), txbuild.Writable(xMyUSDC))), v0(call(xMyUSDC))}, intent: xIntent(), step: after(did(9)), honest: true,
			not: []string{"Program " + short(xRogue)}},
		{name: "M12 named delegates are in what was asked", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(delegates), honest: true, says: []string{short(xDeleg)}},
		{name: "M13 the foreign rent is in what was asked", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(func(i *walletfi.Intent) { i.MaxForeignRentLamports = 5_000_000_000 }), honest: true, says: []string{" 5 SOL"}},
		{name: "M14 the network fee's and the rent's caps are in what was asked", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(func(i *walletfi.Intent) {
			i.MaxNetworkFeeLamports, i.MaxRentLamports = new(walletfi.Amount(3_000_000_000)), new(walletfi.Amount(4_000_000_000))
		}), honest: true, says: []string{"3 SOL", "4 SOL"}},
		{name: "M15 approve of a delegate for 0 that a call raises", policy: xPolicy(sim(shows(nil, accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xDeleg, 501))}))), set: []xTx{v0(xTok.Approve(xMyUSDC, xDeleg, xOwner, 0), call(xMyUSDC))}, intent: xIntent(delegates)},
		{name: "M16 approvals of two accounts past the cap, states", policy: xPolicy(sim(shows(accs{outAddr("usdc2"): myUSDC(800)}, accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xDeleg, 300)), outAddr("usdc2"): held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xDeleg, 300))}).states())), set: []xTx{v0(call(xMyUSDC, outAddr("usdc2")))}, intent: xIntent(delegates)},
		{name: "M17 an approval of another mint to a named delegate, states", policy: xPolicy(sim(shows(accs{xMyJUP: jup(900)}, accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 900, delegateTo(xDeleg, 900))}).states())), set: []xTx{v0(call(xMyUSDC, xMyJUP))}, intent: xIntent(delegates)},
		{name: "M18 an approval of wrapped SOL to a named delegate, states", policy: xPolicy(sim(shows(accs{xMyWSOL: held(signing.TokenProgram, signing.NativeMint, xOwner, 1<<33)}, accs{xMyWSOL: held(signing.TokenProgram, signing.NativeMint, xOwner, 1<<33, delegateTo(xDeleg, 1<<33))}).states())), set: []xTx{v0(call(xMyUSDC, xMyWSOL))}, intent: xIntent(delegates)},
		{name: "M19 an approval on a new account for what comes later", policy: xPolicy(sim(shows(nil, accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0, delegateTo(xDeleg, max))}).states())), set: []xTx{v0(call(xMyUSDC, xMyJUP))}, intent: xIntent(delegates)},
		{name: "M20 an approval of burned mint to a named delegate, states", policy: xPolicy(sim(shows(accs{xMyJUP: jup(900)}, accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 899, delegateTo(xDeleg, 899))}).states())), set: []xTx{v0(call(xMyUSDC, xMyJUP), xTok.Burn(xMyJUP, xJUP, xOwner, 1))},
			intent: xIntent(delegates, func(i *walletfi.Intent) { i.BurnAll = []string{xJUP.String()} })},
		{name: "M21 approved by the bytes, delegate of a key: no cap", policy: xPolicy(keysAre(key)), set: []xTx{v0(xTok.Approve(xMyUSDC, key, xOwner, 501))}, intent: xIntent()},
		{name: "M22 a set of 16, each tips the whole", policy: xPolicy(), set: times16(v0(txbuild.Transfer(xOwner, xThief, 100))), intent: xIntent(tips(1599))},
		{name: "M23 typed: an inner call of another program with our key on an account in no pin", policy: xPolicy(typedPin(signing.OwnerWallet, signing.SpentAccount), sim(shows(accs{outAddr("aux"): jup(900)}, accs{outAddr("aux"): jup(0)}, xTok.TransferChecked(outAddr("aux"), xJUP, xThief, xOwner, 900, 6)))), set: []xTx{v0(call(xMyUSDC, outAddr("aux")))}, intent: xIntent(spends(xJUP, 900)), rule: signing.RulePinnedCall},
		{name: "M24 typed: SOL by a pin without the owner", policy: xPolicy(typedPin(signing.SpentAccount), sim(shows(nil, accs{xOwner: solNow(4_000_000_000 - 5000)}, txbuild.Transfer(xOwner, xThief, 1_000_000_000)))), set: []xTx{v0(call(xMyUSDC))}, intent: xIntent(spends(signing.NativeMint, 1_000_000_000)), rule: signing.RulePinnedCall},
		{name: "M25 typed: a stake of ours is written", policy: xPolicy(typedPin(signing.OwnerWallet, signing.SpentAccount), sim(shows(accs{outAddr("stake"): {Lamports: 9, Owner: signing.StakeProgram, Data: append(make([]byte, 12), xOwner[:]...)}}, accs{outAddr("stake"): {Lamports: 9, Owner: signing.StakeProgram, Data: append(make([]byte, 12), xThief[:]...)}}))), set: []xTx{v0(call(xMyUSDC, outAddr("stake")))}, intent: xIntent(), known: "told, and no call is told that does it: a lying simulator"},
		{name: "M26 typed: outputs named by a wallet", policy: xPolicy(blindly, typedPin(signing.OwnerWallet, signing.NamedAccount)), set: []xTx{v0(call(xMyJUP))}, intent: xIntent(func(i *walletfi.Intent) { i.OutputTo = []string{xOwner.String()} }, gets(xJUP, 1)), rule: signing.RulePinnedCall},
		{name: "M27 a key of ours as the payee of its own SOL", policy: xPolicy(keysAre(key), coSigners(key)), set: []xTx{v0(txbuild.Transfer(key, xThief, 5)).signedBy([]string{"maker"})}, intent: xIntent()},
		{name: "M28 a key of ours pays the rent of a thief", policy: xPolicy(keysAre(key), coSigners(key)), set: []xTx{v0(txbuild.CreateATA(key, xThUSDC, xThief, xUSDC, signing.TokenProgram, true)).signedBy([]string{"maker"})}, intent: xIntent()},
		{name: "M29 a key of ours pays the fee", policy: xPolicy(keysAre(key), coSigners(key)), set: []xTx{{format: txbuild.V0, payer: key, ins: []ins{txbuild.Memo("x", xOwner)}, by: []string{"maker"}}}, intent: xIntent()},
	})
	for _, r := range []string{"M8"} {
		if strings.Contains(r, "panic") {
			t.Error(r)
		}
	}
}

func times16(x xTx) (all []xTx) {
	for range 16 {
		all = append(all, x)
	}
	return all
}

func short(k pk) string {
	s := k.String()
	return s[:4] + "…" + s[len(s)-4:]
}
