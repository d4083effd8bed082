package signing

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// The nonce counts only as the first instruction, of the System program.
func TestNonceIsTheFirst(t *testing.T) {
	optIn := func(s *scene) {
		s.options = []Option{WithNonce(Nonce{Account: addressOf("nonce"), Value: someBlockhash}), WithBlockhash(stranger.String())}
	}
	advance := txbuild.AdvanceNonce(addressOf("nonce"), owner)
	looks := txbuild.Call(exchange, []byte{4, 0, 0, 0})
	assert.Empty(t, ordinary(advance).with(optIn).grounds(t))
	assert.Equal(t, []Rule{RuleLifetime}, ordinary().with(optIn).grounds(t), "without an instruction")
	assert.Equal(t, []Rule{RuleLifetime}, ordinary(looks, txbuild.Memo("x")).with(optIn).grounds(t), "of another program")
	assert.Equal(t, []Rule{RuleLifetime}, ordinary(txbuild.Transfer(owner, owner, 1)).with(optIn).grounds(t), "a transfer")
	assert.Equal(t, []Rule{RuleLifetime, RuleSystemNonce}, ordinary(txbuild.Memo("x"), advance).with(optIn).grounds(t), "as the second")
}

// An intent's lists are bounded, and a key that cannot be read is named.
func TestIntentBounds(t *testing.T) {
	check := func(change func(*walletfi.Intent), opts ...Option) error {
		s := ordinary(txbuild.Memo("x"))
		change(&s.intent)
		tx, err := DecodeBytes(s.bytes(txbuild.V0))
		require.NoError(t, err)
		_, err = NewGuard(s.policy).Check(t.Context(), tx, s.intent, opts...)
		return err
	}
	keys := func(n int) (all []string) {
		for i := range n {
			all = append(all, addressOf(fmt.Sprint(i)).String())
		}
		return all
	}
	assets := func(n int) (all []walletfi.Asset) {
		for _, k := range keys(n) {
			all = append(all, walletfi.Asset{Mint: k, Amount: 1})
		}
		return all
	}
	for field, set := range map[string]func(*walletfi.Intent, int){
		"Intent.Spend":         func(i *walletfi.Intent, n int) { i.Spend = assets(n) },
		"Intent.ServiceFee":    func(i *walletfi.Intent, n int) { i.ServiceFee = assets(n) },
		"Intent.Burn":          func(i *walletfi.Intent, n int) { i.Burn = assets(n) },
		"Intent.BurnAll":       func(i *walletfi.Intent, n int) { i.BurnAll = keys(n) },
		"Intent.PayTo":         func(i *walletfi.Intent, n int) { i.PayTo = keys(n) },
		"Intent.OutputTo":      func(i *walletfi.Intent, n int) { i.OutputTo = keys(n) },
		"Intent.FeeTo":         func(i *walletfi.Intent, n int) { i.FeeTo = keys(n) },
		"Intent.CoSigners":     func(i *walletfi.Intent, n int) { i.CoSigners = keys(n) },
		"Intent.Delegates":     func(i *walletfi.Intent, n int) { i.Delegates = keys(n) },
		"Intent.CloseAccounts": func(i *walletfi.Intent, n int) { i.CloseAccounts = keys(n) },
	} {
		assert.NoError(t, check(func(i *walletfi.Intent) { set(i, 256) }), field)
		var problem *walletfi.ValidationError
		if assert.ErrorAs(t, check(func(i *walletfi.Intent) { set(i, 257) }), &problem, field) {
			assert.Equal(t, field, problem.Field)
			assert.Equal(t, "has more than 256 entries", problem.Problem)
		}
	}
	for _, n := range []int{0, 1, 16, 256} {
		assert.NoError(t, check(func(i *walletfi.Intent) { i.MaxTransactions = n }), "%d transactions", n)
	}
	for _, n := range []int{-1, 257} {
		assert.EqualError(t, check(func(i *walletfi.Intent) { i.MaxTransactions = n }),
			(&walletfi.ValidationError{Field: "Intent.MaxTransactions", Problem: "is not from 0 to 256"}).Error())
	}
	// The first field that cannot be read is named, whatever is wrong after it.
	long := "11111111111111111111111111111111111111111111111"
	for _, text := range []string{"", "x", "1111111111111111111111111111111", long, "0OIl1111111111111111111111111111"} {
		err := check(func(i *walletfi.Intent) {
			i.Owner, i.Burn, i.MaxTransactions = text, []walletfi.Asset{{Mint: "worse"}}, -1
			i.PayTo = keys(257)
		})
		assert.EqualError(t, err, (&walletfi.ValidationError{Field: "Intent.Owner", Problem: "is not the base58 of 32 bytes"}).Error(), text)
	}
	assert.NoError(t, check(func(i *walletfi.Intent) { i.PayTo = []string{"11111111111111111111111111111111"} }), "the shortest key")
	assert.ErrorContains(t, check(func(i *walletfi.Intent) { i.Owner = "11111111111111111111111111111111" }), "is the zero key")
	assert.ErrorContains(t, check(func(i *walletfi.Intent) {}, WithBlockhash("x")), "Blockhash")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tx, err := DecodeBytes(ordinary(txbuild.Memo("x")).bytes(txbuild.V0))
	require.NoError(t, err)
	_, err = new(Guard).Check(ended, tx, ordinary().intent)
	require.ErrorIs(t, err, context.Canceled)
}
