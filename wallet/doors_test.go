package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestAlso: the further submitters get what the named services built, and never what a
// sponsor has yet to sign.
func TestAlso(t *testing.T) {
	sponsor, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	for name, c := range map[string]struct {
		service   string
		sponsored bool
		want      int
	}{
		"a named service": {"test", false, 1}, "another": {"other", false, 0}, "sponsored": {"test", true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				also := newChain(t, 1001)
				r := newRigWith(t, func(cfg *wallet.Config) {
					cfg.Also, cfg.AlsoFor = []walletfi.Submitter{also}, []string{"test"}
					cfg.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
					cfg.ConfirmTimeout = 10 * time.Second
				})
				synctest.Wait() // until the wallet has looked for what others left
				u := r.pay(t, 1)
				if c.sponsored {
					u = sponsored(t, r, solana.PublicKey(sponsor.PublicKey()))
				}
				u.Intent.Service = c.service
				_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"})
				synctest.Wait() // until each door has had its turn
				require.Equal(t, c.sponsored, err != nil)
				require.NotZero(t, r.submissions())
				require.Equal(t, c.want, also.submissions())
				e := r.entry(t, "key:a")
				require.Len(t, e.Steps[0].Doors, 1+c.want, "recorded before")
				require.False(t, e.Bundle)
				require.NotEmpty(t, e.Steps[0].Own)
				require.Equal(t, c.sponsored, e.Steps[0].Own != e.Steps[0].Signature)
			})
		})
	}
}

// TestDoorsOfOneKindHaveNames: two submitters of one type are told apart after a restart.
func TestDoorsOfOneKindHaveNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newChain(t, 1001), newChain(t, 1001)
		r := newRigWith(t, func(cfg *wallet.Config) { cfg.Also, cfg.AlsoFor = []walletfi.Submitter{a, b}, []string{"test"} })
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []string{"*wallet_test.chain", "*wallet_test.chain 2", "*wallet_test.chain 3"}, r.entry(t, "key:a").Steps[0].Doors)
	})
}

// TestBundleThatIsNotRecorded is not sent.
func TestBundleThatIsNotRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("away")
		j := &hooked{Journal: wallet.NewMemoryJournal()}
		j.store = func(_ uint64, e wallet.Entry) error {
			if e.State == wallet.KeySent {
				return away
			}
			return nil
		}
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
		var sent [][]walletfi.Signed
		result, err := r.wallet.ExecuteBundle(soon(t), r.pay(t, 2), bundle{&sent, nil}, wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, away)
		require.Equal(t, []wallet.State{wallet.StateNotSent, wallet.StateNotSent}, states(result))
		require.Empty(t, sent)
	})
}

// TestNothingIsClaimedForNobody: without a signer, or a key for a durable journal, the
// journal is not touched.
func TestNothingIsClaimedForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &hooked{Journal: wallet.NewMemoryJournal(), store: func(uint64, wallet.Entry) error {
			t.Error("something is stored")
			return nil
		}}
		for field, change := range map[string]func(*wallet.Config){
			"signer": func(c *wallet.Config) { c.Signer = nil }, "key": func(*wallet.Config) {},
		} {
			r := newRigWith(t, func(c *wallet.Config) { c.Journal = j; change(c) })
			key := map[string]string{"signer": "a"}[field]
			result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: key})
			answersTo(t, err, walletfi.ErrNotSent)
			var invalid *walletfi.ValidationError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, field, invalid.Field)
			require.Nil(t, result)
		}
	})
}

// countedHeads counts how often the head is asked for.
type countedHeads struct {
	*chain
	asked *int
}

func (h countedHeads) Head(ctx context.Context) (walletfi.Head, error) {
	*h.asked++
	return h.chain.Head(ctx)
}

// TestHeadAtSigning: what is signed is held against a head that is a second old at most.
func TestHeadAtSigning(t *testing.T) {
	for _, c := range []struct {
		pause time.Duration
		want  int
	}{{time.Second, 1}, {1100 * time.Millisecond, 2}, {1900 * time.Millisecond, 2}} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			r := newRigWith(t, func(cfg *wallet.Config) { cfg.Heights = countedHeads{cfg.Heights.(*chain), &asked} })
			for i, salt := range []byte{1, 2} {
				if i > 0 {
					<-time.After(c.pause)
				}
				_, err := r.wallet.Execute(soon(t), r.another(t, salt), wallet.ExecuteOptions{})
				require.NoError(t, err)
			}
			require.Equal(t, c.want, asked, "%v", c.pause)
		})
	}
}

// TestHeadBeforeTheSecond: whether the next transaction of a set can still land is held
// against a head that is half of PollEvery old at most.
func TestHeadBeforeTheSecond(t *testing.T) {
	for _, c := range []struct {
		took time.Duration // the first transaction
		want int
	}{{700 * time.Millisecond, 1}, {1200 * time.Millisecond, 2}} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			r := newRigWith(t, func(cfg *wallet.Config) {
				cfg.Heights, cfg.PollEvery = countedHeads{cfg.Heights.(*chain), &asked}, 2*time.Second
			})
			r.submit = func(n int, _ walletfi.Signed) error {
				if n == 0 {
					<-time.After(c.took)
				}
				return nil
			}
			_, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.Equal(t, c.want, asked, "%v", c.took)
		})
	}
}

// TestRefusedForItsLifetime: "expired" is said of an end that has passed, and not of a
// blockhash that is wrong.
func TestRefusedForItsLifetime(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*walletfi.Unsigned, *rig)
		want   error
	}{
		"at the end":                {func(u *walletfi.Unsigned, r *rig) { u.LastValidBlockHeight = r.height }, wallet.ErrExpired},
		"an end of 1":               {func(u *walletfi.Unsigned, r *rig) { u.LastValidBlockHeight = 1 }, wallet.ErrExpired},
		"an end too far":            {func(u *walletfi.Unsigned, r *rig) { u.LastValidBlockHeight = r.height + 10_000 }, walletfi.ErrNotSent},
		"another blockhash, no end": {func(u *walletfi.Unsigned, r *rig) { u.LastValidBlockHeight, u.Blockhash = 0, solana.Hash{77}.String() }, walletfi.ErrNotSent},
		"another refusal at the end": {func(u *walletfi.Unsigned, r *rig) {
			u.LastValidBlockHeight = 0
			u.Intent.Spend[0].Amount = 0
			u.Intent.Spend = nil
		}, walletfi.ErrNotSent},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.height = 50
			u := r.pay(t, 1)
			c.change(&u, r)
			result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			answersTo(t, err, c.want)
			require.NotNil(t, result.Report.Refusal)
			if c.want == wallet.ErrExpired {
				require.ErrorContains(t, err, "block height 50 has reached ")
			}
			require.Zero(t, r.submissions())
		})
	}
}
