package signing_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideDTables: recipients and accounts behind lookup tables.
func TestOutsideDTables(t *testing.T) {
	table := outAddr("d table")
	behind := func(keys ...pk) []txbuild.Table {
		holds := make([]txbuild.Key, len(keys))
		for i, k := range keys {
			holds[i] = k
		}
		return []txbuild.Table{{Address: table, Holds: holds}}
	}
	knows := func(keys ...pk) *reading {
		return &reading{accounts: world(nil), tables: map[pk][]pk{table: keys}}
	}
	reads := func(r signing.Resolver) func(*signing.Policy) {
		return func(p *signing.Policy) { p.Resolver = r }
	}
	pay := moveUSDC(xMyUSDC, xFrUSDC, xOwner, 5)
	toFriend := xIntent(payTo(xFriend))
	row := func(name string, honest bool, i walletfi.Intent, r signing.Resolver, tables []txbuild.Table,
		calls ...ins) attempt {
		p := xPolicy()
		if r != nil {
			p.Resolver = r
		}
		return attempt{name: name, honest: honest, policy: p, intent: i,
			set: []xTx{{format: txbuild.V0, ins: calls, tables: tables}}}
	}
	swapped := func(name string, honest bool, r signing.Resolver, tables []txbuild.Table, inner ...ins) attempt {
		w := trial{intent: dSwap, inner: inner}
		x := w.transaction()
		x.format, x.tables = txbuild.V0, tables
		s := &script{start: world(nil), set: []played{{tx: x, inner: inner}}}
		return attempt{name: name, honest: honest, policy: xPolicy(sim(s), reads(r)), intent: xIntent(dSwap...),
			set: []xTx{x}}
	}
	all := behind(dPoolUSDC, dPoolBONK, dThJUP, xMyJUP)
	runAttempts(t, []attempt{
		row("X1 honest: the payee is known behind a table", true, toFriend, knows(xFrUSDC), behind(xFrUSDC), pay),
		row("X2 nobody reads the table", false, toFriend, nil, behind(xFrUSDC), pay),
		row("X3 the table holds the thief", false, toFriend, knows(xThUSDC), behind(xFrUSDC), pay),
		row("X4 the table is shorter", false, toFriend, knows(), behind(xFrUSDC), pay),
		row("X5 the table is not known", false, toFriend, &reading{tables: map[pk][]pk{}}, behind(xFrUSDC), pay),
		row("X6 the mint and the payee behind it change places", false, toFriend, knows(xFrUSDC, xUSDC),
			behind(xUSDC, xFrUSDC), pay),
		row("X7 honest: the mint and the payee behind it", true, toFriend, knows(xUSDC, xFrUSDC),
			behind(xUSDC, xFrUSDC), pay),
		row("X8 honest: our source behind it is not told, and counts", true, toFriend, nil, behind(xMyUSDC), pay),
		row("X8b the same, a unit too much", false, toFriend, nil, behind(xMyUSDC),
			moveUSDC(xMyUSDC, xFrUSDC, xOwner, 501)),
		row("X9 the tip's receiver is hidden, beyond the tip", false, xIntent(tips(10)), nil, behind(xFriend),
			txbuild.Transfer(xOwner, xFriend, 11)),
		row("X10 honest: the tip's receiver is known behind a table", true, xIntent(tips(10)), knows(xFriend),
			behind(xFriend), txbuild.Transfer(xOwner, xFriend, 10)),
		swapped("X11 honest: a swap with its accounts behind a table", true,
			knows(dPoolUSDC, dPoolBONK, dThJUP, xMyJUP), all, swaps()...),
		swapped("X12 JUP behind it goes to the thief behind it", false, knows(dPoolUSDC, dPoolBONK, dThJUP, xMyJUP),
			all, swaps(moveJUP(xMyJUP, dThJUP, xOwner, 900))...),
		swapped("X13 the same, and the resolver does not know the table", false,
			&reading{accounts: world(nil), tables: map[pk][]pk{}}, all,
			swaps(moveJUP(xMyJUP, dThJUP, xOwner, 900))...),
		swapped("X14 the same, and the resolver names other accounts", false,
			knows(dPoolUSDC, dPoolBONK, xFriend, dAux), all, swaps(moveJUP(xMyJUP, dThJUP, xOwner, 900))...),
	})
}

func dSwapSet() (signing.Policy, walletfi.Unsigned) {
	a := trial{name: "stored", intent: dSwap, inner: swaps(), modes: []string{"told"}}.attempts()[0]
	return a.policy, a.unsigned()
}

// TestOutsideDStored: a set that was stored as JSON, and changed there.
func TestOutsideDStored(t *testing.T) {
	policy, u := dSwapSet()
	u.LastValidBlockHeight, u.Blockhash = 900, xHash.String()
	text, err := json.Marshal(u)
	require.NoError(t, err)
	load := func(s string) error {
		var again walletfi.Unsigned
		if err := json.Unmarshal([]byte(s), &again); err != nil {
			return err
		}
		_, _, err := signing.NewGuard(policy).SignSet(t.Context(), again, xKey)
		return err
	}
	plain := string(text)
	require.NoError(t, load(plain))
	swap := func(old, by string) string {
		require.Contains(t, plain, old)
		return strings.Replace(plain, old, by, 1)
	}
	for name, changed := range map[string]string{
		"a member twice":             swap(`"intent":{`, `"intent":{},"intent":{`),
		"in other case":              swap(`"owner":`, `"Owner":`),
		"both cases":                 swap(`"owner":`, `"OWNER":"x","owner":`),
		"an unknown member":          swap(`"intent":{`, `"intent":{"free":true,`),
		"a member of the mint twice": swap(`"mint":`, `"mint":"x","mint":`),
		"in the asset's other case":  swap(`"amount":`, `"Amount":`),
		"an amount with a fraction":  swap(`"amount":"500"`, `"amount":500.5`),
		"a negative amount":          swap(`"amount":"500"`, `"amount":"-500"`),
		"an amount past 2^64":        swap(`"amount":"500"`, `"amount":"18446744073709551616"`),
		"an amount in exponents":     swap(`"amount":"500"`, `"amount":"5e2"`),
		"no intent": `{"transactions":` + plain[strings.Index(plain, "["):strings.Index(plain,
			"]")+1] + `}`,
		"an intent of null":      swap(`"intent":{`, `"intent":null,"x":{`),
		"text after it":          plain + "{}",
		"transactions twice":     swap(`"transactions":`, `"transactions":[],"transactions":`),
		"an escaped member":      swap(`"owner":`, `"\u006fwner":"x","owner":`),
		"another owner":          swap(xOwner.String(), xThief.String()),
		"another blockhash":      swap(`"`+xHash.String()+`"`, `"`+xThief.String()+`"`),
		"less is spent":          swap(`"amount":"500"`, `"amount":"499"`),
		"more should arrive":     swap(`"amount":"5"`, `"amount":"6"`),
		"another service":        swap(`"service":"swap"`, `"service":"swaps"`),
		"a service with a space": swap(`"service":"swap"`, `"service":"swap "`),
	} {
		outCount++
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, plain, changed)
			err := load(changed)
			require.Error(t, err)
			t.Log(err)
		})
	}
	for name, changed := range map[string]string{
		"as it was": plain, "with white space": strings.ReplaceAll(plain, `,"`, ", \n\t\""),
		"a wider cap": swap(`"amount":"500"`, `"amount":"501"`),
	} {
		outHonest++
		t.Run("honest: "+name, func(t *testing.T) { require.NoError(t, load(changed)) })
	}
}

// TestOutsideDApproved: what a person approved is signed, and nothing else.
func TestOutsideDApproved(t *testing.T) {
	policy, u := dSwapSet()
	_, report, err := signing.NewGuard(policy).CheckSet(t.Context(), u)
	require.NoError(t, err)
	digest := report.Digest()
	sign := func(p signing.Policy, u walletfi.Unsigned, digest string, opts ...signing.Option) error {
		txs, _, err := signing.NewGuard(p).SignApproved(t.Context(), u, digest, xKey, opts...)
		if err == nil && len(txs) == 0 {
			t.Fatal("nothing is signed")
		}
		return err
	}
	intent := func(f func(*walletfi.Intent)) walletfi.Unsigned {
		v := u
		v.Intent = u.Intent.Clone()
		f(&v.Intent)
		return v
	}
	pol := func(f func(*signing.Policy)) signing.Policy {
		p := policy
		f(&p)
		return p
	}
	memo := u
	memo.Transactions = append([]walletfi.EncodedTransaction{}, u.Transactions...)
	memo.Transactions = append(memo.Transactions, v0(txbuild.Memo("more")).encoded())
	one := 1 * time.Hour
	text, err := json.Marshal(report)
	require.NoError(t, err)
	var stored signing.Report
	require.NoError(t, json.Unmarshal(text, &stored))
	for name, c := range map[string]struct {
		err error
	}{
		"no digest":           {sign(policy, u, "")},
		"in capitals":         {sign(policy, u, strings.ToUpper(digest))},
		"with a space":        {sign(policy, u, digest+" ")},
		"of the messages":     {sign(policy, u, report.MessagesDigest())},
		"half of it":          {sign(policy, u, digest[:32])},
		"one more memo":       {sign(policy, memo, digest)},
		"more may be spent":   {sign(policy, intent(func(i *walletfi.Intent) { i.Spend[0].Amount++ }), digest)},
		"a tip":               {sign(policy, intent(tips(1)), digest)},
		"a delegate":          {sign(policy, intent(delegates), digest)},
		"a sponsor":           {sign(policy, intent(sponsored), digest)},
		"it may arrive later": {sign(policy, intent(func(i *walletfi.Intent) { i.ReceiveAfter = &one }), digest)},
		"more rent":           {sign(policy, intent(maxRent(1)), digest)},
		"foreign rent": {sign(policy, intent(func(i *walletfi.Intent) { i.MaxForeignRentLamports = 1 }),
			digest)},
		"an output": {sign(policy,
			intent(func(i *walletfi.Intent) { i.OutputTo = []string{xThief.String()} }), digest)},
		"blind is allowed": {sign(pol(blindly), u, digest)},
		"a listed account": {sign(pol(listed(dAux, pk{})), u, digest)},
		"a key":            {sign(pol(keysAre(dKey)), u, digest)},
		"a co-signer late": {sign(pol(func(p *signing.Policy) { p.LateCoSigners = 1 }), u, digest)},
		"another pin": {sign(pol(func(p *signing.Policy) {
			p.Pins = map[string][]pk{"swap": {xProg, xRogue}}
		}), u, digest)},
		"a mint": {sign(pol(func(p *signing.Policy) { p.Mints = []pk{xBONK} }), u, digest)},
	} {
		outCount++
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, c.err, signing.ErrRefused)
			var g *signing.GuardError
			require.ErrorAs(t, c.err, &g)
			require.Contains(t, []signing.Rule{signing.RuleApproval, signing.RuleSigners}, g.Rule)
		})
	}
	for name, err := range map[string]error{
		"as it was":           sign(policy, u, digest),
		"the stored report's": sign(policy, u, stored.Digest()),
		"pins of their own map": sign(pol(func(p *signing.Policy) {
			p.Pins = map[string][]pk{"swap": {xProg}}
		}), u, digest),
	} {
		outHonest++
		t.Run("honest: "+name, func(t *testing.T) { require.NoError(t, err) })
	}
}
