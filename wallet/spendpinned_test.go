package wallet_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// calling is a payment of a lamport that calls a pinned program, too.
func (r *rig) calling(t *testing.T, salt byte) walletfi.Unsigned {
	t.Helper()
	u := r.fresh(t, int(salt))
	tx, err := solana.NewTransaction([]solana.Instruction{
		system.NewTransferInstruction(1, r.owner, r.shop).Build(),
		solana.NewInstruction(stepProgram, solana.AccountMetaSlice{solana.Meta(r.owner).SIGNER().WRITE()}, []byte("step")),
	}, solana.Hash{salt}, solana.TransactionPayer(r.owner))
	require.NoError(t, err)
	tx.Signatures = make([]solana.Signature, 1)
	text, err := tx.ToBase64()
	require.NoError(t, err)
	u.Transactions[0] = walletfi.Base64Transaction(text)
	return u
}

// TestSpendOfABlindProgram: what nothing shows counts with all that the guard lets it take, by the intent or else by
// the policy.
func TestSpendOfABlindProgram(t *testing.T) {
	const spend, fee, tip, rent, foreign = 100, 7, 5, 300, 40
	synctest.Test(t, func(t *testing.T) {
		policy := signing.Policy{
			Pins: map[string][]signing.PublicKey{"test": {signing.PublicKey(stepProgram)}}, AllowBlind: []string{"test"},
			MaxRentLamports: new(walletfi.Amount(rent)), ForeignRentLamports: foreign,
		}
		const worst = spend + fee + tip + rent + foreign + 5000
		r := newRigWith(t, func(c *wallet.Config) {
			c.Guard = signing.NewGuard(policy)
			c.Spend = []wallet.SpendLimit{{Mint: walletfi.NativeMint, Within: time.Hour, Most: worst}}
		})
		pays := func(n byte, change func(*walletfi.Intent)) error {
			u := r.calling(t, n)
			u.Intent.Spend[0].Amount, u.Intent.TipLamports = spend, tip
			u.Intent.ServiceFee = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: fee}}
			change(&u.Intent)
			_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "order " + string('a'+rune(n))})
			return err
		}
		for n, c := range []struct {
			change func(*walletfi.Intent)
			asked  walletfi.Amount
		}{
			{func(i *walletfi.Intent) { i.Spend[0].Amount++ }, worst + 1},
			{func(i *walletfi.Intent) { i.ServiceFee[0].Amount++ }, worst + 1},
			{func(i *walletfi.Intent) { i.TipLamports++ }, worst + 1},
			{func(i *walletfi.Intent) { i.MaxForeignRentLamports = foreign + 1 }, worst + 1},
			{func(i *walletfi.Intent) { i.MaxRentLamports = new(walletfi.Amount(rent + 1)) }, worst + 1},
		} {
			require.Equal(t, c.asked, refusedBy(t, r, pays(byte(n+1), c.change)).Asked, n)
		}
		burns := func(i *walletfi.Intent) { i.BurnAll = []string{r.shop.String()} }
		e := refusedBy(t, r, pays(10, burns))
		require.Equal(t, []any{r.shop.String(), time.Duration(0)}, []any{e.Mint, e.Within}, "nothing bounds it")
		require.NoError(t, pays(11, func(*walletfi.Intent) {}))
		require.Equal(t, walletfi.Amount(worst), refusedBy(t, r, pays(12, func(*walletfi.Intent) {})).Used)
	})
}
