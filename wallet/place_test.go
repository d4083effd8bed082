package wallet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// builder is a service that builds payments of one lamport, each on another blockhash.
type builder struct {
	r     *rig
	t     *testing.T
	built int
	sets  int // transactions of an order, 0 means 1
	err   error
}

func (b *builder) Build(context.Context) (walletfi.Unsigned, error) {
	if b.err != nil {
		return walletfi.Unsigned{}, b.err
	}
	b.built++
	u := b.r.pay(b.t, max(b.sets, 1))
	head, _ := b.r.Head(b.t.Context())
	u.LastValidBlockHeight = head.Height + lifetime
	for i := range u.Transactions {
		u.Transactions[i] = b.r.transfer(b.t, 1, byte(10*b.built+i))
	}
	return u, nil
}

// Asked states the payment, so that nothing is built to be compared: see TestKeyReuse for
// orders that do not.
func (b *builder) Asked() map[string]string { return paymentOf(max(b.sets, 1)) }

func paymentOf(n int) map[string]string {
	return map[string]string{"request": "payment", "Amount": fmt.Sprint(n)}
}

// stated is u with the statement of a builder of the same.
func stated(u walletfi.Unsigned) walletfi.Unsigned {
	u.Intent.Asked = paymentOf(len(u.Transactions))
	return u
}

// orderOnly is an order that is not sent by itself, nor filled later.
type orderOnly struct{ v *venue }

func (o orderOnly) Build(ctx context.Context) (walletfi.Unsigned, error) { return o.v.Build(ctx) }
func (o orderOnly) Asked() map[string]string                             { return o.v.Asked() }

// stages notes what Place tells.
func stages(all *[]string) func(wallet.PlaceProgress) {
	return func(p wallet.PlaceProgress) {
		*all = append(*all, fmt.Sprintf("%s %d %d/%d", p.Stage, p.Attempt, p.Confirmed, p.Total))
	}
}

// requireStage holds an error against its stage and its kind, which is the only one.
func requireStage(t *testing.T, err error, stage wallet.Stage, kind error) {
	t.Helper()
	stopped, ok := errors.AsType[*wallet.StageError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, stage, stopped.Stage, "%v", err)
	for _, k := range []error{walletfi.ErrNotSent, wallet.ErrExpired, wallet.ErrFailed, wallet.ErrNotFilled, wallet.ErrShort, walletfi.ErrOutcomeUnknown} {
		require.Equal(t, k == kind, errors.Is(err, k), "%v: %v", k, err)
	}
	require.ErrorIs(t, err, kind)
	text, marshalErr := json.Marshal(stopped)
	require.NoError(t, marshalErr)
	var read wallet.StageError
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, err.Error(), read.Error())
	require.ErrorIs(t, &read, kind)
}

// TestPlace: the whole way in one call, and once.
func TestPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := withEffects(t, func(r *rig) func(int, string) (*walletfi.Effects, error) {
			return func(_ int, signature string) (*walletfi.Effects, error) {
				return brought(r.owner.String(), signature), nil
			}
		})
		order := &builder{r: r, t: t, sets: 2}
		var told []string
		placed, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "order 7", Progress: stages(&told)})
		require.NoError(t, err)
		require.Equal(t, []string{
			"settle 1 0/0", "build 1 0/0", "guard 1 0/0", "sign 1 0/0", "submit 1 0/0", "confirm 1 1/2", "confirm 1 2/2", "effects 1 0/0",
		}, told)
		require.Len(t, placed.Unsigned.Transactions, 2)
		require.NotNil(t, placed.Result.Report)
		require.True(t, placed.Result.Confirmed())
		require.Equal(t, r.owner.String(), placed.Intent.Owner)
		gained, lost, known := placed.Net(r.owner.String(), "mint")
		require.True(t, known)
		require.Equal(t, []walletfi.Amount{84, 0}, []walletfi.Amount{gained, lost})
		require.Nil(t, placed.End)

		again, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "order 7"})
		require.NoError(t, err)
		require.Equal(t, placed.Result.Signatures(), again.Result.Signatures())
		require.Equal(t, placed.Intent, again.Intent)
		require.Nil(t, again.Unsigned, "nothing was built")
		require.NotNil(t, again.Result.Steps[0].Effects)
		require.Equal(t, 1, order.built)
		require.Equal(t, 2, r.submissions())
		text, err := json.Marshal(placed)
		require.NoError(t, err)
		var read wallet.Placed
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, placed.Result.Signatures(), read.Result.Signatures())
	})
}

// TestPlaceStages: where an order can end, and that its error says so.
func TestPlaceStages(t *testing.T) {
	down := errors.New("down")
	for name, c := range map[string]struct {
		change func(*builder, *wallet.PlaceOptions)
		stage  wallet.Stage
		kind   error
		sent   int
	}{
		"the service builds nothing": {func(b *builder, _ *wallet.PlaceOptions) { b.err = down }, wallet.StageBuild, walletfi.ErrNotSent, 0},
		"an answer was lost": {func(b *builder, _ *wallet.PlaceOptions) {
			b.err = &walletfi.OutcomeUnknownError{Cause: down}
		}, wallet.StageBuild, walletfi.ErrNotSent, 0},
		"the guard refuses": {func(b *builder, o *wallet.PlaceOptions) { o.Approved = "another digest" }, wallet.StageGuard, walletfi.ErrNotSent, 0},
		"the signer refuses": {func(b *builder, o *wallet.PlaceOptions) {
			o.Signer = brokenSigner{b.r.owner}
		}, wallet.StageSign, walletfi.ErrNotSent, 0},
		"the door refuses": {func(b *builder, _ *wallet.PlaceOptions) {
			b.r.submit = func(int, walletfi.Signed) error { return fmt.Errorf("%w: %w", walletfi.ErrNotSent, down) }
		}, wallet.StageSubmit, walletfi.ErrNotSent, 0},
		"it fails": {func(b *builder, _ *wallet.PlaceOptions) {
			b.r.status = func(int, string) (walletfi.SignatureStatus, error) {
				return walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: walletfi.CommitmentFinalized}, nil
			}
		}, wallet.StageConfirm, wallet.ErrFailed, 1},
		"the price ran away: a new attempt is the caller's": {func(b *builder, o *wallet.PlaceOptions) {
			o.Attempts = 5
			b.r.status = func(int, string) (walletfi.SignatureStatus, error) {
				return walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: walletfi.CommitmentFinalized}, nil
			}
		}, wallet.StageConfirm, wallet.ErrFailed, 1},
		"no key": {func(_ *builder, o *wallet.PlaceOptions) { o.Key = "" }, wallet.StageBuild, walletfi.ErrNotSent, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				b, o := &builder{r: r, t: t}, wallet.PlaceOptions{Key: "a"}
				c.change(b, &o)
				placed, err := r.wallet.Place(soon(t), b, o)
				requireStage(t, err, c.stage, c.kind)
				require.NotNil(t, placed)
				require.Equal(t, c.sent, r.submissions())
				require.LessOrEqual(t, b.built, 1)
				require.Equal(t, c.stage == wallet.StageGuard, placed.Result.Report != nil && placed.Result.Report.Refusal != nil)
			})
		})
	}
}

// brokenSigner does not sign.
type brokenSigner struct{ owner [32]byte }

func (b brokenSigner) PublicKey() signing.PublicKey { return b.owner }

func (brokenSigner) Sign(context.Context, []byte) (signing.Signature, error) {
	return signing.Signature{}, errors.New("the HSM is away")
}

// TestPlaceBuildsAnewOnlyAfterProof: the second set is built when the first cannot land
// any more, and a set whose end is not known is never followed by another.
func TestPlaceBuildsAnewOnlyAfterProof(t *testing.T) {
	never := func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil }
	t.Run("proven", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			r.status = never
			b, begun := &builder{r: r, t: t}, time.Now()
			placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a", Attempts: 2})
			requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
			require.Equal(t, 2, b.built)
			require.Equal(t, 2, placed.Attempts)
			require.GreaterOrEqual(t, time.Since(begun), 2*lifetime*slotTime)
			require.Len(t, distinct(r.sent), 2)

			r.mu.Lock()
			r.status = nil
			r.sent = nil
			r.mu.Unlock()
			_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
			require.NoError(t, err, "the key has not paid")
			require.Equal(t, 3, b.built)
		})
	})
	t.Run("once by default", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			r.status = never
			b := &builder{r: r, t: t}
			_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
			requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
			require.Equal(t, 1, b.built)
		})
	})
	t.Run("unknown", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, unproven)
			r.status = never
			b := &builder{r: r, t: t}
			for range 2 {
				_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a", Attempts: 5})
				_, ok := errors.AsType[*wallet.StageError](err)
				require.True(t, ok)
				require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			}
			require.Equal(t, 1, b.built)
			require.Len(t, distinct(r.sent), 1)
		})
	})
	t.Run("the first of two has paid", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			r.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
				if len(r.sent) > 0 && signature == r.sent[0].Signature {
					return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7}, nil
				}
				return walletfi.SignatureStatus{}, nil
			}
			b := &builder{r: r, t: t, sets: 2}
			for range 2 {
				placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a", Attempts: 3})
				requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
				require.Equal(t, []wallet.State{wallet.StateConfirmed, wallet.StateExpired}, states(&placed.Result))
			}
			require.Equal(t, 1, b.built)
		})
	})
}

// distinct lists the signatures of what was sent.
func distinct(sent []walletfi.Signed) map[string]bool {
	all := map[string]bool{}
	for _, s := range sent {
		all[s.Signature] = true
	}
	return all
}

// TestPlaceAfterAnotherOwner: a key names one order for ever.
func TestPlaceAfterAnotherOwner(t *testing.T) {
	r := newRig(t)
	b := &builder{r: r, t: t}
	_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
	require.NoError(t, err)
	_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a", Signer: brokenSigner{[32]byte{7}}})
	requireStage(t, err, wallet.StageSettle, walletfi.ErrNotSent)
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	_, err = r.wallet.Place(soon(t), nil, wallet.PlaceOptions{Key: "b"})
	requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
	_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "b", Attempts: -1})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.Equal(t, 1, b.built)
}

// TestPlacedSurvivesJSON: fills keep their effects and why those are not known.
func TestPlacedSurvivesJSON(t *testing.T) {
	fill := walletfi.OrderFill{Signature: "f", InAmount: 1<<64 - 1, OutAmount: 7}
	placed := wallet.Placed{FilledLater: true, Attempts: 2, End: &walletfi.OrderEnd{State: "closed", Filled: true, Fills: []walletfi.OrderFill{fill, fill}}, Fills: []wallet.FillStep{
		{OrderFill: fill, Effects: &walletfi.Effects{Signature: "f", Fee: 5}},
		{OrderFill: fill, EffectsErr: fmt.Errorf("not there: %w", walletfi.ErrNotFound)},
	}}
	text, err := json.Marshal(placed)
	require.NoError(t, err)
	var read wallet.Placed
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, placed.End, read.End)
	require.Equal(t, placed.Fills[0].OrderFill, read.Fills[0].OrderFill)
	require.Equal(t, placed.Fills[0].Effects.Fee, read.Fills[0].Effects.Fee)
	require.NoError(t, read.Fills[0].EffectsErr)
	require.ErrorIs(t, read.Fills[1].EffectsErr, walletfi.ErrNotFound)
	require.EqualError(t, read.Fills[1].EffectsErr, placed.Fills[1].EffectsErr.Error())
	require.Equal(t, fill, read.Fills[1].OrderFill)
}
