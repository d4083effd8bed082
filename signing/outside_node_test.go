package signing_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideLentNode: a wallet's own node, which is asked only where the bytes do not tell.
func TestOutsideLentNode(t *testing.T) {
	theirs := func(mint pk, n uint64) state { return held(signing.TokenProgram, mint, xThief, n) }
	jup := func(n, lamports uint64) state {
		s := held(signing.TokenProgram, xJUP, xOwner, n)
		s.Lamports = walletfi.Amount(lamports)
		return s
	}
	for _, c := range []struct {
		name   string
		node   *shown
		set    []xTx
		intent walletfi.Intent
		honest bool
		not    string // in the part "Proven"
		must   string
	}{
		{name: "N1 5 SOL lie in our JUP account, which is closed to the sponsor", node: shows(accs{xMyJUP: jup(0, 5_000_000_000)}, accs{xMyJUP: {}, xOwner: solNow(5_000_000_000), xSponsor: solNow(5_000_000_000)}),
			set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: []ins{xTok.Close(xMyJUP, xSponsor, xOwner)}}}, intent: xIntent(onlySpends(), sponsored, func(i *walletfi.Intent) { i.CloseAccounts = []string{xMyJUP.String()} })},
		{name: "N1b the same, the mint named by the intent", node: shows(accs{xMyJUP: jup(0, 5_000_000_000)}, accs{xMyJUP: {}, xOwner: solNow(5_000_000_000)}),
			set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: []ins{xTok.Close(xMyJUP, xSponsor, xOwner)}}}, intent: xIntent(onlySpends(walletfi.Asset{Mint: xJUP.String()}), sponsored)},
		{name: "N2 our wrapped account belongs to the thief since long, and is filled", node: shows(accs{xMyWSOL: theirs(signing.NativeMint, 0)}, accs{xOwner: solNow(1_000_000_000 - 5000), xMyWSOL: theirs(signing.NativeMint, 4_000_000_000)}),
			set: []xTx{v0(txbuild.Transfer(xOwner, xMyWSOL, 4_000_000_000), xTok.SyncNative(xMyWSOL))}, intent: xIntent(onlySpends())},
		{name: "N3 our JUP account belongs to the thief since long, and is filled", node: shows(accs{xMyJUP: theirs(xJUP, 0), outAddr("jup2"): jup(9, xRent)}, accs{xMyJUP: theirs(xJUP, 9), outAddr("jup2"): jup(0, xRent)}),
			set: []xTx{v0(xTok.TransferChecked(outAddr("jup2"), xJUP, xMyJUP, xOwner, 9, 6))}, intent: xIntent(onlySpends())},
		{name: "N4 the node fails for a drain", node: &shown{err: errors.New("down")}, set: []xTx{v0(xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief))}, intent: xIntent()},
		{name: "N5 the node does not know a pinned call", node: &shown{err: signing.ErrUnknown}, set: []xTx{v0(call(xMyUSDC))}, intent: xIntent()},
		{name: "N6 a pinned call takes too much", node: shows(nil, accs{xMyUSDC: myUSDC(299)}), set: []xTx{v0(call(xMyUSDC))}, intent: xIntent()},
		{name: "N7 nothing arrives of a payment's change", node: shows(nil, nil), set: []xTx{v0(txbuild.Memo("x"))}, intent: xIntent(gets(xJUP, 1))},
	} {
		for _, lent := range []bool{true, false} {
			outCount++
			name := c.name
			if !lent {
				name += ", a simulator of the policy"
			}
			t.Run(name, func(t *testing.T) {
				skipOpen(t)
				g := signing.NewGuard(xPolicy()).WithNode(c.node, nil)
				if !lent {
					g = signing.NewGuard(xPolicy(sim(c.node)))
				}
				a := attempt{set: c.set, intent: c.intent}
				_, r, err := g.SignSet(t.Context(), a.unsigned(), xKey)
				if err == nil {
					t.Errorf("SIGNED\n%s", r.Text())
				} else {
					t.Log(err)
				}
			})
		}
	}
}

// TestOutsideZeroReceive: at least nothing is nothing.
func TestOutsideZeroReceive(t *testing.T) {
	skipOpen(t)
	outCount++
	a := attempt{policy: xPolicy(blindly), set: []xTx{v0(call(xMyUSDC, xMyJUP))}, intent: xIntent(gets(xJUP, 0))}
	signed, r, err := a.run(t.Context())
	if !signed {
		t.Fatal(err)
	}
	if !strings.Contains(r.Text(), "may get nothing") && !strings.Contains(r.Text(), "no minimum is set for what you get in return (usual for a deposit, not for an exchange)") {
		t.Errorf("REPORT promises %q", strings.SplitN(r.Text(), "\n", 2)[0])
	}
}

// TestOutsideFees: the network's fee in each format.
func TestOutsideFees(t *testing.T) {
	u64p := func(n uint64) *uint64 { return &n }
	u32p := func(n uint32) *uint32 { return &n }
	for name, x := range map[string]txbuild.Transaction{
		"v1 priority":                        {Format: txbuild.V1, Config: txbuild.Config{PriorityFee: u64p(10_000_000)}},
		"v1 of all":                          {Format: txbuild.V1, Config: txbuild.Config{PriorityFee: u64p(1 << 63)}},
		"v1 of 2^64-1":                       {Format: txbuild.V1, Config: txbuild.Config{PriorityFee: u64p(^uint64(0))}},
		"v1 odd heap":                        {Format: txbuild.V1, Config: txbuild.Config{Heap: u32p(32_769)}},
		"v1 heap of 0":                       {Format: txbuild.V1, Config: txbuild.Config{Heap: u32p(0)}},
		"v0 price":                           {Format: txbuild.V0, Instructions: []ins{txbuild.UnitPrice(7_200_000), txbuild.UnitLimit(1_400_000)}},
		"v0 price, no limit":                 {Format: txbuild.V0, Instructions: append([]ins{txbuild.UnitPrice(7_200_000)}, memosOf(7)...)},
		"v0 price of 2^64-1":                 {Format: txbuild.V0, Instructions: []ins{txbuild.UnitPrice(^uint64(0)), txbuild.UnitLimit(1)}},
		"v0 price of 2^64-1, a limit beyond": {Format: txbuild.V0, Instructions: []ins{txbuild.UnitPrice(^uint64(0)), txbuild.UnitLimit(^uint32(0))}},
		"legacy, price twice":                {Instructions: []ins{txbuild.UnitPrice(1), txbuild.UnitPrice(1)}},
		"legacy, limit twice":                {Instructions: []ins{txbuild.UnitLimit(1), txbuild.UnitLimit(1)}},
		"legacy, 8 x 255 signatures":         {Instructions: signaturesOf(8)},
	} {
		outCount++
		t.Run(name, func(t *testing.T) {
			skipOpen(t)
			x.Payer, x.Blockhash = xOwner, xHash
			x.Instructions = append(x.Instructions, txbuild.Memo("x"))
			tx, err := signing.DecodeBytes(x.Bytes())
			if err != nil {
				t.Log(err)
				return
			}
			_, err = signing.NewGuard(xPolicy()).Check(t.Context(), tx, xIntent())
			if err == nil {
				t.Error("PASSES")
			}
			t.Log(err)
		})
	}
}

func memosOf(n int) (all []ins) {
	for range n {
		all = append(all, txbuild.Memo("m"))
	}
	return all
}

func signaturesOf(n int) (all []ins) {
	for range n {
		all = append(all, txbuild.Call(signing.Ed25519Program, append([]byte{255, 0}, make([]byte, 20)...)))
	}
	return all
}
