package wallet_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestPlaceTogether: with PlaceOptions.Bundles the transactions of an order are sent as
// one, through that door alone, and told together.
func TestPlaceTogether(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		failed bool // on the ledger
		stage  wallet.Stage
		kind   error
	}{
		"taken":           {},
		"the answer lost": {err: errLost},
		"refused":         {err: walletfi.ErrNotSent, stage: wallet.StageSubmit, kind: walletfi.ErrNotSent},
		"it failed":       {failed: true, stage: wallet.StageConfirm, kind: wallet.ErrFailed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				order := &builder{r: r, t: t, sets: 3}
				var sent [][]walletfi.Signed
				r.status = func(int, string) (walletfi.SignatureStatus, error) {
					s := found
					if c.failed {
						s.Err, s.Commitment = "Custom", walletfi.CommitmentFinalized
					}
					return s, nil
				}
				var told []string
				opts := wallet.PlaceOptions{Key: "a", Bundles: bundle{&sent, c.err}, Progress: stages(&told), Attempts: 3}
				placed, err := r.wallet.Place(soon(t), order, opts)
				require.Zero(t, r.submissions(), "they go together or not at all")
				require.NotEmpty(t, sent)
				for _, txs := range sent {
					require.Len(t, txs, 3)
					for i, tx := range txs {
						requireSigned(t, r, placed.Unsigned.Transactions[i], tx)
					}
				}
				require.True(t, r.entry(t, "key:a").Bundle)
				require.Equal(t, 1, order.built)
				if c.kind != nil {
					requireStage(t, err, c.stage, c.kind)
					require.NotContains(t, told, "confirm 1 3/3")
					return
				}
				require.NoError(t, err)
				require.Equal(t, []string{"settle 1 0/0", "build 1 0/0", "guard 1 0/0", "sign 1 0/0", "submit 1 0/0", "confirm 1 3/3"}, told)
				again, err := r.wallet.Place(soon(t), order, opts)
				require.NoError(t, err)
				require.Equal(t, placed.Result.Signatures(), again.Result.Signatures())
				require.Equal(t, 1, order.built)
			})
		})
	}
}

// TestPlaceTogetherAfterACrash: the process that sent the bundle is gone. The next Place
// of the key follows it, and sends none but that.
func TestPlaceTogetherAfterACrash(t *testing.T) {
	for name, has := range map[string]bool{"with the door": true, "without it": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				memory := wallet.NewMemoryJournal()
				var before, after, own [][]walletfi.Signed
				dies(t, memory, "a", func(r *rig) walletfi.Unsigned { return stated(r.pay(t, 2)) }, bundle{&before, errLost})
				r := newRigWith(t, func(c *wallet.Config) {
					c.Journal = memory
					if has {
						c.Bundles = bundle{&own, errLost}
					}
					c.Confirmer.(*chain).landsLate(30 * time.Second)
				})
				order := &builder{r: r, t: t, sets: 2}
				placed, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a", Bundles: bundle{&after, nil}})
				require.NoError(t, err)
				require.Equal(t, []string{before[0][0].Signature, before[0][1].Signature}, placed.Result.Signatures())
				require.Zero(t, order.built)
				require.Empty(t, after)
				require.Equal(t, has, len(own) > 0)
				for _, txs := range own {
					require.Equal(t, before[0], txs)
				}
			})
		})
	}
}

// landsLate is landsAt for a wallet that asks as soon as it is made.
func (c *chain) landsLate(at time.Duration) {
	begun := time.Now()
	c.status = func(int, string) (walletfi.SignatureStatus, error) {
		if time.Since(begun) >= at {
			return found, nil
		}
		return notFound, nil
	}
}

// onNonce is an order that is signed on a durable nonce.
type onNonce struct {
	r       *rig
	t       *testing.T
	account solana.PublicKey
	value   solana.Hash
	built   int
}

func (o *onNonce) Build(context.Context) (walletfi.Unsigned, error) {
	o.built++
	return o.r.nonced(o.t, o.account, o.value), nil
}

func (o *onNonce) Asked() map[string]string { return paymentOf(1) }

// TestPlaceOnADurableNonce: no height ends it. It is followed for as long as its value
// stands, after a restart too, sent again however old it is, and built again only when
// another transaction has used the value.
func TestPlaceOnADurableNonce(t *testing.T) {
	account, value := solana.NewWallet().PublicKey(), solana.Hash{42}
	guard := []signing.Option{signing.WithNonce(signing.Nonce{Account: signing.PublicKey(account), Value: signing.PublicKey(value)})}
	for name, c := range map[string]struct{ lands, restart bool }{
		"it lands": {lands: true}, "another used it": {}, "restart, it lands": {true, true}, "restart, another used it": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const usedAt = time.Hour
				memory := wallet.NewMemoryJournal()
				process := func(begun time.Time) *rig {
					return newRigWith(t, func(cfg *wallet.Config) {
						on := cfg.Confirmer.(*chain)
						on.begun = begun
						on.status = func(int, string) (walletfi.SignatureStatus, error) {
							if c.lands && time.Since(begun) >= usedAt {
								return found, nil
							}
							return notFound, nil
						}
						on.usesNonce(t, account, value, usedAt, func() string { return solana.Signature{7}.String() })
						cfg.Journal, cfg.ConfirmTimeout = memory, 2*time.Hour
					})
				}
				r := process(time.Now())
				order := &onNonce{r: r, t: t, account: account, value: value}
				opts := wallet.PlaceOptions{Key: "a", Guard: guard}
				begun := r.begun
				if c.restart {
					ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
					defer cancel()
					_, err := r.wallet.Place(ctx, order, opts)
					requireStage(t, err, wallet.StageConfirm, walletfi.ErrOutcomeUnknown)
					require.NoError(t, r.wallet.Close())
					r = process(begun)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
				defer cancel()
				placed, err := r.wallet.Place(ctx, order, opts)
				require.GreaterOrEqual(t, time.Since(begun), usedAt)
				require.Greater(t, r.submissions(), 100, "sent again until then")
				require.Len(t, r.paid(), 1)
				if c.lands {
					require.NoError(t, err)
					require.True(t, placed.Result.Confirmed())
					require.Equal(t, 1, order.built)
					return
				}
				requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
				require.Equal(t, map[bool]int{false: 1, true: 2}[c.restart], order.built, "anew only after the proof")
			})
		})
	}
}
