package wallet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// feeMarket tells prices, and notes for which accounts.
type feeMarket struct {
	mu     sync.Mutex
	global []uint64
	local  []uint64 // with accounts; nil says the same
	err    error
	asked  [][]string
}

func (m *feeMarket) RecentFees(_ context.Context, writable []string) (walletfi.RecentFees, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, writable)
	if len(writable) > 0 && m.local != nil {
		return walletfi.RecentFees{Prices: m.local}, m.err
	}
	return walletfi.RecentFees{Prices: m.global}, m.err
}

func (m *feeMarket) set(prices ...uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.global = prices
}

// priced builds payments of a lamport at the price that the wallet asks for.
type priced struct {
	r     *rig
	t     *testing.T
	units uint32              // the compute limit
	adds  func(uint64) uint64 // the price that the service makes of the one asked for; nil keeps it
	asked []uint64
	n     byte
}

func (b *priced) Asked() map[string]string { return paymentOf(1) }

func (b *priced) Build(ctx context.Context) (walletfi.Unsigned, error) {
	price, ok := wallet.FeeAsked(ctx)
	require.True(b.t, ok)
	b.asked = append(b.asked, price)
	if b.adds != nil {
		price = b.adds(price)
	}
	b.n++
	u := b.r.pay(b.t, 1)
	head, _ := b.r.Head(ctx)
	u.LastValidBlockHeight = head.Height + lifetime
	u.Transactions[0] = b.transaction(price)
	return u, nil
}

func (b *priced) transaction(price uint64) walletfi.Base64Transaction {
	tip, blockhash := b.r.tip(), solana.Hash{b.n, 1}
	b.r.mu.Lock()
	b.r.born[blockhash.String()] = tip
	b.r.mu.Unlock()
	tx, err := solana.NewTransaction([]solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(b.units).Build(),
		computebudget.NewSetComputeUnitPriceInstruction(price).Build(),
		system.NewTransferInstruction(1, b.r.owner, b.r.shop).Build(),
	}, blockhash, solana.TransactionPayer(b.r.owner))
	require.NoError(b.t, err)
	tx.Signatures = make([]solana.Signature, 1)
	text, err := tx.ToBase64()
	require.NoError(b.t, err)
	return walletfi.Base64Transaction(text)
}

// landings notes what the observer is told of landing.
type landings struct {
	observe.None
	mu  sync.Mutex
	all []observe.Landing
}

func (l *landings) Observe(_ context.Context, e observe.Event) {
	if landing, ok := e.(observe.Landing); ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = append(l.all, landing)
	}
}

// withFees runs a test on a wallet with a policy.
func withFees(t *testing.T, policy walletfi.FeePolicy, test func(t *testing.T, r *rig, m *feeMarket, b *priced, told *landings)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m, told := &feeMarket{global: []uint64{1000, 2000, 3000, 4000}}, &landings{}
		r := newRigWith(t, func(c *wallet.Config) { c.Fees, c.FeeReader, c.Observer = policy, m, told })
		test(t, r, m, &priced{r: r, t: t, units: 10_000}, told)
	})
}

var p75 = walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: 5_100, Growth: 50} // at most 10,000 a unit

func lost(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil }

// TestPlaceAsksThePolicysPrice: the price goes into the first request, and what was paid is told.
func TestPlaceAsksThePolicysPrice(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, told *landings) {
		placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []uint64{3000}, b.asked)
		want := wallet.LandingFee{
			Attempt: 1, Price: 3000, Units: 10_000, Most: 5_030, Paid: 5_030, Market: 3000, Builds: 1, State: wallet.StateConfirmed,
		}
		require.Equal(t, []wallet.LandingFee{want}, placed.Landing)
		require.Equal(t, [][]string{nil, {r.shop.String()}, nil}, m.asked, "the accounts that others write too, and all")
		require.Equal(t, walletfi.Amount(5_100), *placed.Result.Report.Intent.MaxNetworkFeeLamports)
		require.Len(t, told.all, 1)
		require.Equal(t, observe.Landing{
			Service: "test", Owner: r.owner.String(), Attempt: 1, State: "confirmed", Price: 3000, Market: 3000, Lamports: 5_030,
		}, told.all[0])
		e := r.entry(t, "key:a")
		require.Equal(t, []any{walletfi.Amount(5_030), uint64(3000)}, []any{e.Steps[0].Fee, e.Steps[0].Price})
		text, err := json.Marshal(placed)
		require.NoError(t, err)
		var read wallet.Placed
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, placed.Landing, read.Landing)

		again, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Empty(t, again.Landing, "nothing was built")
		require.Len(t, told.all, 1)
	})
}

// TestPlaceInARisingMarket: where all prices rise, what it asks is above the newest of them; where
// only those of its accounts do, that may be its own doing.
func TestPlaceInARisingMarket(t *testing.T) {
	rises := []uint64{1000, 1050, 1100, 1160, 1220, 1280, 1340, 1410}
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		m.set(rises...)
		placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Greater(t, placed.Landing[0].Price, uint64(1410*3/2))
		require.LessOrEqual(t, placed.Landing[0].Price, uint64(1410*2))
		require.Equal(t, 1, placed.Landing[0].Builds)
	})
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		m.set(900)
		m.local = rises
		placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, uint64(1280), placed.Landing[0].Price)
	})
}

// TestPlaceAboveOthers: where others pay in each slot, the first bid is above theirs; where only this wallet
// sends, its own bids do not raise the next.
func TestPlaceAboveOthers(t *testing.T) {
	policy := p75
	policy.Floor = 1000
	withFees(t, policy, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		for i, c := range []struct{ lately, want uint64 }{{0, 1000}, {1000, 1000}, {2000, 3000}, {3000, 3000}, {1999, 2999}} {
			m.set(slices.Repeat([]uint64{c.lately}, 25)...)
			placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: fmt.Sprint(i)})
			require.NoError(t, err)
			require.Equal(t, c.want, placed.Landing[0].Price)
		}
	})
}

// TestPlaceGrowsOnlyAfterProof: an attempt asks more than the one before if that has provably
// expired, up to the cap, also in another process; and the outcome says what was lacking.
func TestPlaceGrowsOnlyAfterProof(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, told *landings) {
		r.status = lost
		placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a", Attempts: 2})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
		require.Equal(t, []uint64{3000, 4500}, b.asked)
		require.Equal(t, []uint64{3000, 4500}, []uint64{placed.Landing[0].Price, placed.Landing[1].Price})
		require.Equal(t, []walletfi.Amount{0, 0}, []walletfi.Amount{placed.Landing[0].Paid, placed.Landing[1].Paid})
		require.Equal(t, wallet.StateExpired, placed.Landing[1].State)
		require.NotContains(t, err.Error(), "fee below")
		require.Len(t, told.all, 2)
		require.GreaterOrEqual(t, told.all[1].Took, 2*lifetime*slotTime)

		m.set(9000, 9000, 9000, 8000)
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a", Attempts: 2})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
		require.Equal(t, []uint64{3000, 4500, 9000, 10_000}, b.asked, "as far as the cap")
		for _, tx := range r.gone() {
			require.LessOrEqual(t, r.feeOf(t, tx), uint64(5_100))
		}
	})
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		r.status = lost
		b.adds = func(uint64) uint64 { return 50 }
		_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
		require.ErrorContains(t, err, "fee below the market: paid 50, the p75 of its accounts is 3000")
		require.Equal(t, []uint64{3000}, b.asked, "a service that takes no price is not asked twice")
	})
	synctest.Test(t, func(t *testing.T) {
		m := &feeMarket{global: []uint64{10}}
		r := newRigWith(t, func(c *wallet.Config) { unproven(c); c.Fees, c.FeeReader = p75, m })
		r.status = lost
		b := &priced{r: r, t: t, units: 10_000}
		for range 2 {
			_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a", Attempts: 5})
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		}
		require.Equal(t, []uint64{10}, b.asked)
		require.Len(t, distinct(r.sent), 1)
	})
}

// feeOf returns what a transaction of priced costs.
func (r *rig) feeOf(t *testing.T, tx walletfi.Signed) uint64 {
	t.Helper()
	parsed, err := solana.TransactionFromBase64(tx.Transaction.String())
	require.NoError(t, err)
	data := parsed.Message.Instructions[1].Data
	price := uint64(0)
	for i := range 8 {
		price |= uint64(data[1+i]) << (8 * i)
	}
	return 5_000 + (price*10_000+999_999)/1_000_000
}

// TestPlaceRefusesBeforeSigning: a market above the caps, a service that adds to the price, and a
// market that is not known; nothing is signed.
func TestPlaceRefusesBeforeSigning(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*feeMarket, *priced)
		kind   error
		builds int
	}{
		"the market is above the cap": {func(m *feeMarket, _ *priced) { m.set(10_001) }, walletfi.ErrFeeMarket, 1},
		"of its accounts":             {func(m *feeMarket, _ *priced) { m.local = []uint64{10_001} }, walletfi.ErrFeeMarket, 1},
		"the service adds":            {func(_ *feeMarket, b *priced) { b.adds = func(p uint64) uint64 { return p + 8_000 } }, walletfi.ErrMismatch, 1},
		"the node is away":            {func(m *feeMarket, _ *priced) { m.err = walletfi.ErrUnavailable }, walletfi.ErrUnavailable, 0},
		"it tells nothing":            {func(m *feeMarket, _ *priced) { m.set() }, walletfi.ErrDecode, 0},
	} {
		t.Run(name, func(t *testing.T) {
			withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
				c.change(m, b)
				begun := time.Now()
				placed, err := r.wallet.Place(t.Context(), b, wallet.PlaceOptions{Key: "a", Attempts: 3})
				require.Equal(t, begun, time.Now(), "without a deadline nothing is waited for")
				requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
				require.ErrorIs(t, err, c.kind)
				require.Zero(t, r.submissions())
				require.Len(t, b.asked, c.builds)
				require.Zero(t, placed.Result)
			})
		})
	}
}

// TestPlaceOutlastsTheMarket: within the caller's time a market that is above the caps may come
// down; the order is then built again. If it does not, the refusal leaves as much time as landing
// takes.
func TestPlaceOutlastsTheMarket(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		m.set(20_000)
		go func() {
			time.Sleep(31 * time.Second)
			m.set(9_000)
		}()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begun := time.Now()
		placed, err := r.wallet.Place(ctx, b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []uint64{20_000, 9_000}, b.asked)
		require.Equal(t, uint64(9_000), placed.Landing[0].Price)
		require.InDelta(t, 32, time.Since(begun).Seconds(), 1)

		m.set(20_000)
		begun = time.Now()
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err = r.wallet.Place(ctx, b, wallet.PlaceOptions{Key: "b"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrFeeMarket)
		require.InDelta(t, 44, time.Since(begun).Seconds(), 1)
		require.Len(t, r.gone(), 1)
	})
}

// TestPlaceLearnsTheRoute: a first build is corrected if its accounts are dearer than was guessed;
// the next order of the same route needs one build.
func TestPlaceLearnsTheRoute(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		m.local = []uint64{6000}
		placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []uint64{3000, 6000}, b.asked)
		require.Equal(t, []int{2}, []int{placed.Landing[0].Builds})
		require.Equal(t, uint64(6000), placed.Landing[0].Price)
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "b"})
		require.NoError(t, err)
		require.Equal(t, []uint64{3000, 6000, 6000}, b.asked)
	})
	dear := p75
	dear.Floor = 1 << 40
	withFees(t, dear, func(t *testing.T, r *rig, _ *feeMarket, b *priced, _ *landings) {
		_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []uint64{1 << 40, 10_000}, b.asked, "a guess, then as far as its units allow")
		b.units = 20_000
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "b"})
		require.NoError(t, err)
		require.Equal(t, []uint64{1 << 40, 10_000, 10_000, 5_000}, b.asked, "its limit has grown")
	})
}

// TestKeysCap: what earlier sets of a key have cost counts, those that failed.
func TestKeysCap(t *testing.T) {
	policy := p75
	policy.MaxPerKey = 10_100
	withFees(t, policy, func(t *testing.T, r *rig, _ *feeMarket, b *priced, _ *landings) {
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			return walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: walletfi.CommitmentFinalized, Slot: 7}, nil
		}
		for range 2 {
			placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
			requireStage(t, err, wallet.StageConfirm, wallet.ErrFailed)
			require.Equal(t, placed.Landing[0].Most, placed.Landing[0].Paid)
		}
		require.Equal(t, walletfi.Amount(5_030), r.entry(t, "key:a").FeesPaid)
		_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrFeeMarket)
		require.Len(t, r.gone(), 2)
		total := uint64(0)
		for _, tx := range r.gone() {
			total += r.feeOf(t, tx)
		}
		require.LessOrEqual(t, total, policy.MaxPerKey)
	})
}

// TestKeysCapOverWallets: what a wallet without a policy pays for a key counts too, and it keeps the count of
// those that have one.
func TestKeysCapOverWallets(t *testing.T) {
	policy := p75
	policy.MaxPerKey = 16_000
	withFees(t, policy, func(t *testing.T, r *rig, _ *feeMarket, b *priced, _ *landings) {
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			return walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: walletfi.CommitmentFinalized, Slot: 7}, nil
		}
		fails := func(w *wallet.Wallet) {
			b.n++
			u := r.pay(t, 1)
			u.Transactions[0] = b.transaction(3000)
			_, err := w.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"})
			require.ErrorIs(t, err, wallet.ErrFailed)
		}
		free := newRigWith(t, func(c *wallet.Config) {
			c.Journal, c.Submitter, c.Confirmer, c.Heights = r.journal, r.chain, r.chain, r.chain
		}).wallet
		fails(r.wallet)
		fails(free)
		fails(free)
		require.Equal(t, walletfi.Amount(2*5_030), r.entry(t, "key:a").FeesPaid)
		_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrFeeMarket)
		require.Len(t, r.gone(), 3)
	})
}

// TestExecuteKeepsTheCaps: what was built elsewhere is not signed above them, and its end is
// explained too.
func TestExecuteKeepsTheCaps(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, _ *feeMarket, b *priced, _ *landings) {
		build := func(price uint64) walletfi.Unsigned {
			b.n++
			u := r.pay(t, 1)
			u.Transactions[0] = b.transaction(price)
			return u
		}
		_, err := r.wallet.Execute(soon(t), build(10_001), wallet.ExecuteOptions{Key: "a"})
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrMismatch)
		require.Zero(t, r.submissions())
		_, err = r.wallet.Execute(soon(t), build(10_000), wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		r.status = lost
		result, err := r.wallet.Execute(soon(t), build(20), wallet.ExecuteOptions{Key: "b"})
		require.ErrorIs(t, err, wallet.ErrExpired)
		stopped, ok := errors.AsType[*wallet.StepError](err)
		require.True(t, ok)
		for _, told := range []error{err, stopped.Cause, result.Steps[0].Err} {
			require.ErrorContains(t, told, "paid 20, the p75 of its accounts is 3000")
		}
	})
}

// TestFeeConfig: a policy needs someone who tells the recent fees, and a cap.
func TestFeeConfig(t *testing.T) {
	for _, change := range []func(*wallet.Config){
		func(c *wallet.Config) { c.Fees = p75 },
		func(c *wallet.Config) { c.Fees, c.FeeReader = walletfi.FeePolicy{Growth: 1}, &feeMarket{} },
		func(c *wallet.Config) { c.Tips, c.TipReader = walletfi.FeePolicy{Growth: 1}, &recentTips{} },
	} {
		r := newRig(t)
		cfg := wallet.Config{Guard: signing.NewGuard(signing.Policy{}), Submitter: r.chain, Confirmer: r.chain, Heights: r.chain}
		change(&cfg)
		_, err := wallet.New(cfg)
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		require.Contains(t, err.Error(), "fee")
	}
	withFees(t, walletfi.FeePolicy{}, func(t *testing.T, r *rig, m *feeMarket, _ *priced, told *landings) {
		placed, err := r.wallet.Place(soon(t), &builder{r: r, t: t}, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Empty(t, m.asked)
		require.Empty(t, told.all)
		require.Nil(t, placed.Landing)
		require.Nil(t, placed.Result.Report.Intent.MaxNetworkFeeLamports)
	})
}

// unbuilt is an order that the service does not build.
type unbuilt struct{}

func (unbuilt) Asked() map[string]string { return paymentOf(1) }

func (unbuilt) Build(context.Context) (walletfi.Unsigned, error) {
	return walletfi.Unsigned{}, walletfi.ErrUnavailable
}

// TestOrderThatEndsAnother: what a build tells of another order is not told of this one.
func TestOrderThatEndsAnother(t *testing.T) {
	ends := []error{wallet.ErrExpired, wallet.ErrFailed, wallet.ErrNotFilled, wallet.ErrShort, wallet.ErrStopped, walletfi.ErrOutcomeUnknown}
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		for _, other := range ends {
			m.err = fmt.Errorf("after the other: %w", other)
			placed, err := r.wallet.Place(t.Context(), b, wallet.PlaceOptions{Key: "a", Attempts: 2})
			requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
			require.ErrorContains(t, err, other.Error())
			require.Equal(t, 1, placed.Attempts)
			for _, end := range ends {
				require.NotErrorIs(t, err, end)
			}
		}
	})
}

// TestOrderThatIsNotBuilt: with a policy too, the caller gets the service's error.
func TestOrderThatIsNotBuilt(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, _ *feeMarket, _ *priced, _ *landings) {
		_, err := r.wallet.Place(t.Context(), unbuilt{}, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
	})
}
