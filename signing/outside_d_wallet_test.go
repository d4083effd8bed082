package signing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
	"github.com/walletfi/walletfi-go/wallet"
)

// backend is a node of a wallet's own: it simulates, reads, and counts what it is given to send.
type backend struct {
	inOrder
	*reading
	sent int
}

func (b *backend) Submit(context.Context, walletfi.Signed) (string, error) {
	b.sent++
	return "", walletfi.ErrNotSent
}

func (b *backend) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{}, nil
}

func (b *backend) BlockHeight(context.Context) (uint64, error) { return 100, nil }

// TestOutsideDWallet: a backend's wallet, whose node is asked where the bytes do not tell.
func TestOutsideDWallet(t *testing.T) {
	wrap := []ins{txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)}
	ours := accs{xMyWSOL: dWSOL(xOwner, 0)}
	nothing := []func(*walletfi.Intent){onlySpends()}
	for _, c := range []struct {
		name   string
		honest bool
		start  accs
		bytes  []ins // the transaction's own, without a call
		inner  []ins
		policy []func(*signing.Policy)
		intent []func(*walletfi.Intent)
	}{
		{name: "N1 honest: a swap", honest: true, inner: swaps(), intent: dSwap},
		{name: "N2 a swap that takes JUP", inner: swaps(moveJUP(xMyJUP, dThJUP, xOwner, 1)), intent: dSwap},
		{name: "N3 a swap that gives a permission", inner: swaps(xTok.Approve(xMyJUP, xThief, xOwner, 1)),
			intent: dSwap},
		{name: "N4 a swap that hands over", inner: swaps(xTok.SetAuthority(xMyJUP, xOwner, 2, xThief)),
			intent: dSwap},
		{name: "N5 a swap that brings less", inner: swaps(moveBONK(xMyBONK, dThBONK, xOwner, 1)), intent: dSwap},
		{name: "N6 honest: SOL is wrapped", honest: true, start: ours, bytes: wrap, intent: nothing},
		{name: "N7 SOL is wrapped into the thief's", start: accs{xMyWSOL: dWSOL(xThief, 0)}, bytes: wrap,
			intent: nothing},
		{name: "N8 SOL is wrapped into ours, which the thief may close",
			start: accs{xMyWSOL: dWSOL(xOwner, 0, closeBy(xThief))}, bytes: wrap, intent: nothing},
		{name: "N9 JUP goes to ours, which is the thief's",
			start: accs{xMyJUP: dJUP(xThief, 0), dAux: dJUP(xOwner, 9)},
			bytes: []ins{moveJUP(dAux, xMyJUP, xOwner, 9)}, policy: policies(listed(dAux, xJUP)), intent: nothing},
		{name: "N10 honest: JUP goes to ours", honest: true, start: accs{dAux: dJUP(xOwner, 9)},
			bytes: []ins{moveJUP(dAux, xMyJUP, xOwner, 9)}, policy: policies(listed(dAux, xJUP)), intent: nothing},
		{name: "N11 SOL goes to a listed address, the thief's wrapped SOL", start: accs{dVault: dWSOL(xThief, 0)},
			bytes: []ins{txbuild.Transfer(xOwner, dVault, 3_000_000_000)}, policy: policies(listed(dVault, pk{})),
			intent: nothing},
		{name: "N12 honest: SOL goes to a listed address", honest: true,
			bytes: []ins{txbuild.Transfer(xOwner, dVault, 3_000_000_000)}, policy: policies(listed(dVault, pk{})),
			intent: nothing},
		{name: "N13 SOL goes into our JUP account within a swap",
			inner: swaps(txbuild.Transfer(xOwner, xMyJUP, 3_000_000_000)), intent: dSwap},
		{name: "N14 honest: a swap and a tip", honest: true, inner: swaps(txbuild.Transfer(xOwner, xFriend, 10_000)),
			intent: intents(gets(xBONK, 5), tips(10_000))},
	} {
		if c.honest {
			outHonest++
		} else {
			outCount++
		}
		t.Run(c.name, func(t *testing.T) {
			skipOpen(t)
			w := trial{inner: c.inner}
			x := w.transaction()
			if c.bytes != nil {
				x = v0(c.bytes...)
			}
			start := world(c.start)
			node := &backend{inOrder: inOrder{&script{start: start, set: []played{{tx: x, inner: c.inner}}}},
				reading: &reading{accounts: start}}
			hands, err := wallet.New(wallet.Config{
				Signer: xKey, Guard: signing.NewGuard(xPolicy(c.policy...)), Submitter: node, Confirmer: node,
				Heights: node,
			})
			require.NoError(t, err)
			a := attempt{set: []xTx{x}, intent: xIntent(c.intent...), hash: xHash.String(), end: 200}
			_, err = hands.Execute(t.Context(), a.unsigned(), wallet.ExecuteOptions{})
			require.Error(t, err)
			switch {
			case c.honest && node.sent == 0:
				t.Errorf("FALSE REFUSAL: %v", err)
			case !c.honest && node.sent > 0:
				t.Errorf("SIGNED, and sent")
			case !c.honest:
				require.ErrorIs(t, err, signing.ErrRefused)
			}
		})
	}
}
