package wallet_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// oneField is an order that states a single field.
type oneField struct{ *priced }

func (oneField) Asked() map[string]string { return map[string]string{"Amount": "1"} }

// TestRouteOfAnOrderThatStatesOneField is remembered like any other.
func TestRouteOfAnOrderThatStatesOneField(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		m.local = []uint64{6000}
		for _, key := range []string{"a", "b"} {
			_, err := r.wallet.Place(soon(t), oneField{b}, wallet.PlaceOptions{Key: key})
			require.NoError(t, err)
		}
		require.Equal(t, []uint64{3000, 6000, 6000}, b.asked, "the second order needs no guess")
	})
}

// TestUnitsOfAnOrderThatStatesOneField are remembered too.
func TestUnitsOfAnOrderThatStatesOneField(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		node := &effectsNode{}
		r := newRigWith(t, func(c *wallet.Config) {
			c.Fees, c.FeeReader, c.Effects = p75, &feeMarket{global: []uint64{1000}}, node
		})
		node.tell = func(_ int, signature string) (*walletfi.Effects, error) {
			e := brought(r.owner.String(), signature)
			e.Units = 5000
			return e, nil
		}
		l := &limited{priced: &priced{r: r, t: t}}
		for _, key := range []string{"a", "b"} {
			_, err := r.wallet.Place(soon(t), limitedField{l}, wallet.PlaceOptions{Key: key})
			require.NoError(t, err)
		}
		require.Equal(t, [][]uint64{nil, {6000}}, l.limits)
	})
}

// limitedField is an order that sets its limit and states a single field.
type limitedField struct{ *limited }

func (limitedField) Asked() map[string]string { return map[string]string{"Amount": "1"} }

// hangs is a simulator that never answers.
type hangs struct{}

func (hangs) Simulate(ctx context.Context, _ signing.SimulationRequest) (*signing.Simulation, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestFeeSimulatorThatHangs holds an order up for ten seconds, and no longer.
func TestFeeSimulatorThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) {
			c.Fees, c.FeeReader, c.FeeSimulator = p75, &feeMarket{global: []uint64{1000}}, hangs{}
		})
		l := &limited{priced: &priced{r: r, t: t}}
		begun := time.Now()
		placed, err := r.wallet.Place(soon(t), l, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, 1, placed.Landing[0].Builds)
		require.InDelta(t, 11, time.Since(begun).Seconds(), 1.5)
	})
}

// countedTips counts how often the tips were asked for.
type countedTips struct {
	mu    sync.Mutex
	asked int
}

func (c *countedTips) TipAt(context.Context, int) (walletfi.Amount, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	return 3000, nil
}

// TestTipsAreAskedForOnce for an order of one transaction, and once more for a set: its share of the
// key's cap may be less.
func TestTipsAreAskedForOnce(t *testing.T) {
	for count, asked := range map[int]int{1: 1, 2: 2} {
		synctest.Test(t, func(t *testing.T) {
			tips := &countedTips{}
			r := newRigWith(t, func(c *wallet.Config) {
				c.Tips, c.TipReader = walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: 5_000}, tips
			})
			b := &tipping{priced: &priced{r: r, t: t}, count: count}
			_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
			require.NoError(t, err)
			require.Equal(t, []uint64{3000}, b.tips)
			require.Equal(t, asked, tips.asked)
		})
	}
}

// feeAndTip builds a payment of a lamport at the price and with the tip that the wallet asks for.
type feeAndTip struct {
	*priced
	err error
}

func (b feeAndTip) Build(ctx context.Context) (walletfi.Unsigned, error) {
	if b.err != nil {
		return walletfi.Unsigned{}, b.err
	}
	price, ok := wallet.FeeAsked(ctx)
	require.True(b.t, ok)
	tip, ok := wallet.TipAsked(ctx)
	require.True(b.t, ok)
	u := b.r.pay(b.t, 1)
	head, _ := b.r.Head(ctx)
	u.LastValidBlockHeight, u.Intent.TipLamports = head.Height+lifetime, tip
	tx, err := solana.NewTransaction([]solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(b.units).Build(),
		computebudget.NewSetComputeUnitPriceInstruction(price).Build(),
		system.NewTransferInstruction(1, b.r.owner, b.r.shop).Build(),
		system.NewTransferInstruction(uint64(tip), b.r.owner, solana.PublicKey{7, 7}).Build(),
	}, solana.Hash{1}, solana.TransactionPayer(b.r.owner))
	require.NoError(b.t, err)
	tx.Signatures = make([]solana.Signature, 1)
	text, err := tx.ToBase64()
	require.NoError(b.t, err)
	u.Transactions[0] = walletfi.Base64Transaction(text)
	return u, nil
}

// TestFeeAndTipAreToldTogether: an attempt that pays both says what each was. One that was not built
// tells nothing.
func TestFeeAndTipAreToldTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := &landings{}
		r := newRigWith(t, func(c *wallet.Config) {
			c.Fees, c.FeeReader = p75, &feeMarket{global: []uint64{3000}}
			c.Tips, c.TipReader, c.Observer = tip75, &recentTips{tip: 700}, told
		})
		b := &priced{r: r, t: t, units: 10_000}
		placed, err := r.wallet.Place(soon(t), feeAndTip{b, walletfi.ErrUnavailable}, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.Empty(t, placed.Landing)
		require.Empty(t, told.all)

		placed, err = r.wallet.Place(soon(t), feeAndTip{b, nil}, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []wallet.LandingFee{{
			Attempt: 1, Price: 3000, Units: 10_000, Tip: 700, Most: 5_030, Paid: 5_730, Market: 3000, Builds: 1,
			State: wallet.StateConfirmed,
		}}, placed.Landing)
	})
}

// deposited is a builder's answer.
type deposited struct{ u walletfi.Unsigned }

func (d deposited) Unsigned() walletfi.Unsigned { return d.u }

// TestOrderOfAsksThePolicysPrice: with a policy the request asks for its price; without one it is the
// caller's, unchanged.
func TestOrderOfAsksThePolicysPrice(t *testing.T) {
	for _, policy := range []walletfi.FeePolicy{p75, {}} {
		withFees(t, policy, func(t *testing.T, r *rig, _ *feeMarket, _ *priced, _ *landings) {
			var asked []lending.DepositRequest
			build := func(_ context.Context, req lending.DepositRequest, _ ...walletfi.CallOption) (deposited, error) {
				asked = append(asked, req)
				return deposited{}, walletfi.ErrUnavailable
			}
			request := lending.DepositRequest{Owner: r.owner.String(), Amount: 7}
			order := wallet.OrderOf(build, request)
			_, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
			requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
			if !policy.IsZero() {
				request.ComputeUnitPriceMicroLamports = new(uint64(3000))
			}
			require.Equal(t, []lending.DepositRequest{request}, asked)
		})
	}
}

// TestOrderThatDoesNotWaitForItsFill: whether the key's order was filled stays unknown.
func TestOrderThatDoesNotWaitForItsFill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		v := &venue{builder: &builder{r: r, t: t}, process: &process{}, door: r.chain, err: walletfi.ErrUnavailable}
		_, err := r.wallet.Place(soon(t), v, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageFill, walletfi.ErrOutcomeUnknown)
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		placed, err := r.wallet.Place(soon(t), orderOnly{v}, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageFill, walletfi.ErrOutcomeUnknown)
		require.ErrorContains(t, err, "does not wait for that")
		require.True(t, placed.FilledLater)
		require.Nil(t, placed.End)
		v.err, v.end = nil, whole
		_, err = r.wallet.Place(soon(t), v, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Len(t, distinct(r.gone()), 1)
	})
}

// workers is a clock that counts who works by it.
type workers struct {
	setClock
	mu    sync.Mutex
	count map[string][]int
}

func (w *workers) Work(what string, more int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count[what] = append(w.count[what], more)
}

// TestCallThatIsDoneLetsTheClockGoOn: a sandbox's clock stands while a call works, and not after it.
func TestCallThatIsDoneLetsTheClockGoOn(t *testing.T) {
	c := &workers{count: map[string][]int{}}
	r := newRigWith(t, func(cfg *wallet.Config) { cfg.Clock = c })
	_, err := r.wallet.Place(t.Context(), nil, wallet.PlaceOptions{Key: "a"})
	require.ErrorIs(t, err, walletfi.ErrNotSent)
	_, err = r.wallet.Settle(t.Context())
	require.NoError(t, err)
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Equal(t, []int{1, -1}, c.count["wallet Place"])
	require.NotEmpty(t, c.count["wallet Settle"])
	left := 0
	for _, more := range c.count["wallet Settle"] {
		left += more
	}
	require.Zero(t, left)
}
