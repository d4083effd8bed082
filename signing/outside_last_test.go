package signing_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideLast: the third round.
func TestOutsideLast(t *testing.T) {
	vault := outAddr("vault")
	vaultUSDC := signing.AssociatedTokenAddress(vault, xUSDC, signing.TokenProgram)
	key := outKey("maker").PublicKey()
	of := func(owner pk, n uint64) state { return held(signing.TokenProgram, xUSDC, owner, n) }
	feeTo := func(i *walletfi.Intent) {
		i.ServiceFee = []walletfi.Asset{{Mint: xUSDC.String(), Amount: 5}}
		i.FeeTo = []string{xFriend.String()}
	}
	wsol := func(n uint64) state { return held(signing.TokenProgram, signing.NativeMint, xOwner, n) }
	bonk := func(n uint64) state { return held(signing.Token2022Program, xBONK, xOwner, n) }
	runAttempts(t, []attempt{
		{name: "V1 a listed vault's own token account is emptied, told", policy: xPolicy(listedPlain(vault), sim(shows(accs{vault: solNow(9), vaultUSDC: of(vault, 900)}, accs{vaultUSDC: of(vault, 0)},
			xTok.TransferChecked(vaultUSDC, xUSDC, xThUSDC, vault, 900, 6)))), set: []xTx{v0(call(vault, vaultUSDC))}, intent: xIntent(onlySpends())},
		{name: "V2 a listed vault's own token account is emptied, states", policy: xPolicy(listedPlain(vault), sim(shows(accs{vault: solNow(9), vaultUSDC: of(vault, 900)}, accs{vaultUSDC: of(vault, 0)}).states())), set: []xTx{v0(call(vault, vaultUSDC))}, intent: xIntent(onlySpends())},
		{name: "V3 a listed vault's own token account gets the thief as delegate", policy: xPolicy(listedPlain(vault), sim(shows(accs{vault: solNow(9), vaultUSDC: of(vault, 900)}, accs{vaultUSDC: held(signing.TokenProgram, xUSDC, vault, 900, delegateTo(xThief, 900))},
			xTok.Approve(vaultUSDC, xThief, vault, 900)))), set: []xTx{v0(call(vault, vaultUSDC))}, intent: xIntent(onlySpends())},
		{name: "V4 a key's own token account is emptied by a program, states: no signature of the key", policy: xPolicy(keysAre(key), sim(shows(accs{outAddr("k"): of(key, 900)}, accs{outAddr("k"): of(key, 0)}).states())), set: []xTx{v0(call(outAddr("k")))}, intent: xIntent(onlySpends())},
		{name: "V5 a key's own token account is emptied by its delegate, told", policy: xPolicy(keysAre(key), sim(shows(accs{outAddr("k"): of(key, 900)}, accs{outAddr("k"): of(key, 0)}, xTok.TransferChecked(outAddr("k"), xUSDC, xThUSDC, outAddr("pda"), 900, 6)))), set: []xTx{v0(call(outAddr("k")))}, intent: xIntent(onlySpends())},
		{name: "V6 our own unlisted account is emptied by an old delegate, told", policy: xPolicy(sim(shows(accs{outAddr("k"): held(signing.TokenProgram, xJUP, xOwner, 900, delegateTo(outAddr("pda"), 900))}, accs{outAddr("k"): held(signing.TokenProgram, xJUP, xOwner, 0)}, xTok.TransferChecked(outAddr("k"), xJUP, xThief, outAddr("pda"), 900, 6)))), set: []xTx{v0(call(outAddr("k")))}, intent: xIntent(onlySpends())},
		{name: "F1 the named receiver's fee goes to a thief", policy: xPolicy(), set: []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, xThUSDC, xOwner, 5, 6))}, intent: xIntent(onlySpends(), feeTo)},
		{name: "F2 the named receiver's fee goes to a thief, as spend", policy: xPolicy(), set: []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, xThUSDC, xOwner, 505, 6))}, intent: xIntent(feeTo), rule: ""},
		{name: "W1 wraps, syncs, a call unwraps to the thief", policy: xPolicy(sim(shows(nil, accs{xOwner: solNow(4_000_000_000 - 5000), xMyWSOL: wsol(0)}, xTok.Unwrap(xMyWSOL, xThief, xOwner, 1_000_000_000)).at(2))),
			set: []xTx{v0(txbuild.Transfer(xOwner, xMyWSOL, 1_000_000_000), xTok.SyncNative(xMyWSOL), call(xMyWSOL))}, intent: xIntent()},
		{name: "W2 not synced, taken by a withdrawal of the excess", policy: xPolicy(sim(shows(accs{xMyWSOL: wsol(0)}, accs{xOwner: solNow(4_000_000_000 - 5000), xMyWSOL: wsol(0)}, xT22.WithdrawExcess(xMyWSOL, xThief, xOwner)).at(1))),
			set: []xTx{v0(txbuild.Transfer(xOwner, xMyWSOL, 1_000_000_000), call(xMyWSOL))}, intent: xIntent()},
		{name: "W3 in an exchange, wrapped SOL that was there passes as if in between", policy: xPolicy(sim(shows(accs{xMyWSOL: wsol(3_000_000_000), xMyBONK: bonk(0)}, accs{xMyWSOL: wsol(0), xMyBONK: bonk(10)}, xTok.TransferChecked(xMyWSOL, signing.NativeMint, xThief, xOwner, 3_000_000_000, 9)))),
			set: []xTx{v0(call(xMyWSOL, xMyBONK, xMyUSDC))}, intent: xIntent(gets(xBONK, 10))},
		{name: "W4 the same, and the owner is shown richer by it, from a loan that the program owes", policy: xPolicy(sim(shows(accs{xMyBONK: bonk(0), outAddr("pos"): {Lamports: 4_000_000_000, Owner: xProg, Data: make([]byte, 9)}},
			accs{xMyBONK: bonk(10), outAddr("pos"): {Lamports: 1_000_000_000, Owner: xProg, Data: make([]byte, 9)}}, txbuild.Transfer(xOwner, xThief, 3_000_000_000)))),
			set: []xTx{v0(call(outAddr("pos"), xMyBONK, xMyUSDC))}, intent: xIntent(gets(xBONK, 10)), known: "docs: what a pinned program owes you looks the same when it is paid out"},
		{name: "W5 closes our wrapped account and makes it again with the thief's close authority", policy: xPolicy(sim(shows(accs{xMyWSOL: wsol(5)}, accs{xMyWSOL: held(signing.TokenProgram, signing.NativeMint, xOwner, 5, closeBy(xThief))}).states())), set: []xTx{v0(call(xMyWSOL))}, intent: xIntent()},
		{name: "W6 our wrapped account comes to a new owner by being closed and made by the thief", policy: xPolicy(sim(shows(accs{xMyWSOL: wsol(5)}, accs{xMyWSOL: held(signing.TokenProgram, signing.NativeMint, xThief, 5)}).states())), set: []xTx{v0(call(xMyWSOL))}, intent: xIntent()},
		{name: "W7 a token account of ours is closed, its SOL to the thief, states: rent", policy: xPolicy(sim(shows(accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0)}, accs{xMyJUP: {}}).states())), set: []xTx{v0(call(xMyJUP))}, intent: xIntent()},
		{name: "D1 the digest of another service's name", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(func(i *walletfi.Intent) { i.Owner = xThief.String() })},
		{name: "G1 an intent of the zero owner", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(func(i *walletfi.Intent) { i.Owner = signing.SystemProgram.String() })},
		{name: "G2 an intent of no owner", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(func(i *walletfi.Intent) { i.Owner = "" })},
		{name: "G3 a spend of a mint that is none", policy: xPolicy(), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(onlySpends(walletfi.Asset{Mint: "USDC", Amount: 5}))},
	})
}

// TestOutsideApproved: an approval signs only what it was given for.
func TestOutsideApproved(t *testing.T) {
	usdc := signing.TokenList{xUSDC: {Symbol: "USDC", Decimals: 6}}
	tables := []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xMyUSDC}}}
	base := attempt{policy: xPolicy(func(p *signing.Policy) { p.Tokens = usdc }), set: []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, xFrUSDC, xOwner, 5, 6))}, intent: xIntent(payTo(xFriend))}
	_, r, err := signing.NewGuard(base.policy).CheckSet(t.Context(), base.unsigned())
	require.NoError(t, err)
	digest := r.Digest()
	for name, change := range map[string]func(*attempt){
		"another payee":            func(a *attempt) { a.intent.PayTo = append(a.intent.PayTo, xThief.String()) },
		"a higher cap":             func(a *attempt) { a.intent.Spend[0].Amount++ },
		"a higher rent":            func(a *attempt) { a.intent.MaxRentLamports = new(walletfi.Amount(1 << 40)) },
		"a higher foreign rent":    func(a *attempt) { a.intent.MaxForeignRentLamports = 1 << 40 },
		"another amount":           func(a *attempt) { a.set = []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, xFrUSDC, xOwner, 6, 6))} },
		"another blockhash":        func(a *attempt) { a.set[0].hash = outAddr("h") },
		"a second transaction":     func(a *attempt) { a.set = append(a.set, v0(txbuild.Memo("x"))) },
		"blind":                    func(a *attempt) { blindly(&a.policy) },
		"a pin":                    func(a *attempt) { a.policy.Pins["swap"] = append(a.policy.Pins["swap"], xRogue) },
		"a key":                    func(a *attempt) { a.policy.Keys = []pk{xThief} },
		"another symbol":           func(a *attempt) { a.policy.Tokens = signing.TokenList{xUSDC: {Symbol: "USDT", Decimals: 6}} },
		"another decimals":         func(a *attempt) { a.policy.Tokens = signing.TokenList{xUSDC: {Symbol: "USDC", Decimals: 2}} },
		"asked":                    func(a *attempt) { a.intent.Asked = map[string]string{"a": "b"} },
		"a table in its place":     func(a *attempt) { a.set[0].tables = tables },
		"a delegate of the policy": func(a *attempt) { a.policy.Delegates = []pk{xThief} },
	} {
		outCount++
		a := base
		a.set = append([]xTx{}, base.set...)
		a.intent = base.intent.Clone()
		a.policy.Pins = map[string][]pk{"swap": {xProg}}
		change(&a)
		_, _, err := signing.NewGuard(a.policy).SignApproved(t.Context(), a.unsigned(), digest, xKey)
		if err == nil {
			t.Errorf("APPROVED %s", name)
		}
	}
	for _, d := range []string{"", strings.ToUpper(digest), digest + " ", digest[:63], r.MessagesDigest()} {
		outCount++
		_, _, err := signing.NewGuard(base.policy).SignApproved(t.Context(), base.unsigned(), d, xKey)
		require.Error(t, err)
	}
	_, _, err = signing.NewGuard(base.policy).SignApproved(t.Context(), base.unsigned(), digest, xKey)
	require.NoError(t, err)
	// A stored Unsigned that was edited.
	text, err := json.Marshal(base.unsigned())
	require.NoError(t, err)
	for name, change := range map[string][2]string{
		"case":                    {`"owner"`, `"Owner"`},
		"twice":                   {`"intent":{`, `"intent":{"owner":"` + xThief.String() + `",`},
		"unknown":                 {`"intent":{`, `"intent":{"limit":"none",`},
		"two intents":             {`"intent":`, `"intent":{"owner":"x"},"intent":`},
		"no intent":               {`"intent":`, `"Intent":`},
		"encoding":                {`"base64"`, `"hex"`},
		"escaped":                 {`"spend"`, `"\u0053pend"`},
		"escaped the same, twice": {`"spend":`, `"\u0073pend":[],"spend":`},
		"negative":                {`"amount":"500"`, `"amount":"-500"`},
		"too much":                {`"amount":"500"`, `"amount":"18446744073709551616"`},
		"a fraction":              {`"amount":"500"`, `"amount":"500.5"`},
		"an exponent":             {`"amount":"500"`, `"amount":5e5`},
	} {
		outCount++
		edited := strings.Replace(string(text), change[0], change[1], 1)
		if edited == string(text) {
			t.Logf("%s: %s is not in %s", name, change[0], text)
			continue
		}
		var u walletfi.Unsigned
		if err := json.Unmarshal([]byte(edited), &u); err == nil {
			t.Errorf("READ %s: %+v", name, u.Intent)
		}
	}
}

// TestOutsideReuse: a guard that has refused, errored and signed much signs the next by the same rules.
func TestOutsideReuse(t *testing.T) {
	g := signing.NewGuard(xPolicy(sim(shows(nil, accs{xMyUSDC: myUSDC(300)}))))
	good := attempt{set: []xTx{v0(call(xMyUSDC))}, intent: xIntent()}.unsigned()
	bad := attempt{set: []xTx{v0(call(xMyUSDC)), v0(xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief))}, intent: xIntent()}.unsigned()
	none := attempt{set: []xTx{v0(call(xMyUSDC))}, intent: xIntent(onlySpends())}.unsigned()
	wide := attempt{set: []xTx{v0(call(xMyUSDC))}, intent: xIntent(spends(xUSDC, 1<<60), func(i *walletfi.Intent) {
		i.BurnAll, i.TipLamports, i.PayTo = []string{xUSDC.String()}, 1<<40, []string{"not a key"}
	})}.unsigned()
	var all sync.WaitGroup
	for n := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 50 {
				switch (i + n) % 4 {
				case 0:
					if _, _, err := g.SignSet(t.Context(), good, xKey); err != nil {
						t.Error(err)
					}
				case 1:
					if _, _, err := g.SignSet(t.Context(), bad, xKey); err == nil {
						t.Error("bad is signed")
					}
				case 2:
					if _, _, err := g.SignSet(t.Context(), none, xKey); err == nil {
						t.Error("none is signed")
					}
				case 3:
					if _, _, err := g.SignSet(t.Context(), wide, xKey); err == nil {
						t.Error("wide is signed")
					}
				}
			}
		}()
	}
	all.Wait()
}
