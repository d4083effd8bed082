package signing

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// set is a builder's answer with several transactions.
func set(format txbuild.Format, scenes ...*scene) walletfi.Unsigned {
	u := walletfi.Unsigned{Intent: scenes[0].intent}
	for _, s := range scenes {
		u.Transactions = append(u.Transactions, base64Of(s.bytes(format)))
	}
	return u
}

func TestSet(t *testing.T) {
	pay := func(n uint64) *scene { return ordinary(txbuild.Transfer(owner, friend, n)) }
	tip := func(n uint64) *scene { return ordinary(txbuild.Transfer(owner, stranger, n)) }
	made := ordinary(txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, NativeMint, owner))
	pays := func(s *scene) { s.intent.Sponsor, s.build.Payer = sponsor.String(), sponsor }
	sponsored := ordinary(txbuild.Transfer(owner, ourUSDC, 10_000)).with(pays)
	many := make([]*scene, 15)
	for i := range many {
		many[i] = ordinary(txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true))
	}
	cases := []struct {
		name   string
		scenes []*scene
		rule   Rule
		at     int
	}{
		{"within the caps", []*scene{pay(500_000), pay(500_000)}, "", 0},
		{"a tip each, within the tip", []*scene{tip(5_000), tip(5_000)}, "", 0},
		{"spend over the set", []*scene{pay(900_000), pay(900_000)}, RuleSet, 1},
		{"tips over the set", []*scene{tip(10_000), tip(10_000)}, RuleSet, 1},
		{"burns over the set", []*scene{ordinary(spl.Burn(ourUSDC, usdc, owner, 30)), ordinary(spl.Burn(ourUSDC, usdc, owner, 30))}, RuleSet, 1},
		{"rent over the set", many, RuleSet, 14},
		{"an attack in the second", []*scene{pay(1), ordinary(spl.SetAuthority(ourUSDC, owner, 2, thief))}, RuleTokenAuthority, 1},
		{"made in the first is not ours in the second", []*scene{made, ordinary(txbuild.Transfer(owner, fresh, 1<<40))}, RuleTip, 1},
		{"filled in the first, closed to the sponsor in the second", []*scene{sponsored, ordinary(spl.Close(ourUSDC, sponsor, owner)).with(pays)}, RuleTokenClose, 1},
	}
	for _, c := range cases {
		for _, format := range txbuild.Formats {
			t.Run(c.name+"/"+format.String(), func(t *testing.T) {
				guard := NewGuard(c.scenes[0].policy)
				txs, report, err := guard.SignSet(t.Context(), set(format, c.scenes...), ownerKey)
				if c.rule == "" {
					require.NoError(t, err)
					require.Len(t, txs, len(c.scenes))
					for _, tx := range txs {
						assert.True(t, tx.Signature().Verify(owner, tx.Message()))
					}
					return
				}
				refusal := wiretest.As[*GuardError](t, err)
				assert.Equal(t, c.rule, refusal.Rule, refusal.Error())
				assert.Equal(t, c.at, refusal.Transaction)
				assert.Nil(t, txs)
				assert.Equal(t, refusal, report.Refusal)
			})
		}
	}
}

func TestSetIsSignedWholeOrNotAtAll(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	u := set(txbuild.V0, s, ordinary(txbuild.Memo("y")), ordinary(txbuild.Memo("z")))
	n := 0
	failing := remote{owner, func(m []byte) (Signature, error) {
		if n++; n == 3 {
			return Signature{}, errors.New("unplugged")
		}
		return ownerKey.Sign(t.Context(), m)
	}}
	txs, err := DecodeAll(u)
	require.NoError(t, err)
	guard := NewGuard(s.policy)
	err = guard.signAll(t.Context(), txs, failing, &Report{Owner: owner})
	require.ErrorContains(t, err, "unplugged")
	for _, tx := range txs {
		assert.True(t, tx.Signature().IsZero())
	}
	_, _, err = guard.SignSet(t.Context(), u, remote{owner, func([]byte) (Signature, error) { return Signature{}, context.DeadlineExceeded }})
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestSetOfWhatABuilderSays(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	u := set(txbuild.V0, s)
	u.Blockhash, u.LastValidBlockHeight = someBlockhash.String(), 1100
	guard := NewGuard(s.policy)
	_, report, err := guard.CheckSet(t.Context(), u, AtBlockHeight(1000))
	require.NoError(t, err)
	assert.Equal(t, []string{"until when this can be executed: block height 1100, about 1 minute from this check" + serviceSays}, report.Unseen())
	assert.Equal(t, uint64(1100), report.LastValidBlockHeight)
	u.LastValidBlockHeight = 0
	_, report, err = guard.CheckSet(t.Context(), u, AtBlockHeight(1000))
	require.NoError(t, err)
	assert.Equal(t, []string{"until when this can be executed: usually 1 to 2 minutes after you sign, which is not certain; no last block height was given"}, report.Unseen())
	u.LastValidBlockHeight = 1100
	_, _, err = guard.CheckSet(t.Context(), u, AtBlockHeight(1100))
	require.ErrorIs(t, err, ErrRefused)
	u.Blockhash = stranger.String()
	_, _, err = guard.CheckSet(t.Context(), u)
	require.ErrorIs(t, err, ErrRefused)
	u.Transactions[0] = walletfi.Base64Transaction("AAAA")
	_, report, err = guard.CheckSet(t.Context(), u)
	require.ErrorIs(t, err, ErrRefused)
	assert.Equal(t, RuleEncoding, report.Refusal.Rule)
	_, _, err = guard.CheckSet(t.Context(), walletfi.Unsigned{Intent: s.intent})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}
