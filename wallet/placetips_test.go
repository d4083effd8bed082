package wallet_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// tipping builds payments of a lamport a transaction, with the tip that the wallet asks for.
type tipping struct {
	*priced
	count int
	adds  uint64 // that the service adds to the tip, and says so
	skews uint64 // that one of two tips less and the other one more
	tips  []uint64
}

func (b *tipping) Build(ctx context.Context) (walletfi.Unsigned, error) {
	tip, ok := wallet.TipAsked(ctx)
	require.True(b.t, ok)
	b.tips = append(b.tips, uint64(tip))
	u := b.r.pay(b.t, b.count)
	u.Transactions, u.Intent.TipLamports = nil, (tip+walletfi.Amount(b.adds))*walletfi.Amount(b.count)
	head, _ := b.r.Head(ctx)
	u.LastValidBlockHeight = head.Height + lifetime
	for range b.count {
		b.n++
		u.Transactions = append(u.Transactions, b.transfers(1, uint64(tip)+b.adds-b.skews))
		b.skews = -b.skews
	}
	return u, nil
}

func (b *tipping) Asked() map[string]string { return paymentOf(b.count) }

func (b *tipping) transfers(pays, tip uint64) walletfi.Base64Transaction {
	born, blockhash := b.r.tip(), solana.Hash{b.n, 2}
	b.r.mu.Lock()
	b.r.born[blockhash.String()] = born
	b.r.mu.Unlock()
	tx, err := solana.NewTransaction([]solana.Instruction{
		system.NewTransferInstruction(pays, b.r.owner, b.r.shop).Build(),
		system.NewTransferInstruction(tip, b.r.owner, solana.PublicKey{7, 7}).Build(),
	}, blockhash, solana.TransactionPayer(b.r.owner))
	require.NoError(b.t, err)
	tx.Signatures = make([]solana.Signature, 1)
	text, err := tx.ToBase64()
	require.NoError(b.t, err)
	return walletfi.Base64Transaction(text)
}

// recentTips tells the tip at the percentile of tip75.
type recentTips struct {
	mu  sync.Mutex
	tip walletfi.Amount
	err error
}

func (r *recentTips) TipAt(_ context.Context, percentile int) (walletfi.Amount, error) {
	if percentile != 75 {
		return 0, walletfi.ErrNotFound
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tip, r.err
}

// withTips runs a test on a wallet with a policy for tips alone.
func withTips(t *testing.T, policy walletfi.FeePolicy, test func(t *testing.T, r *rig, m *recentTips, b *tipping, told *landings)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m, told := &recentTips{tip: 3000}, &landings{}
		r := newRigWith(t, func(c *wallet.Config) { c.Tips, c.TipReader, c.Observer = policy, m, told })
		test(t, r, m, &tipping{priced: &priced{r: r, t: t}, count: 1}, told)
	})
}

var tip75 = walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: 5_000, MaxPerKey: 5_000, Growth: 50}

// TestPlaceTips: the policy's tip goes into the first request, and more after a proven expiry, up
// to the cap; what the bytes tip is told.
func TestPlaceTips(t *testing.T) {
	withTips(t, tip75, func(t *testing.T, r *rig, m *recentTips, b *tipping, told *landings) {
		placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []uint64{3000}, b.tips)
		require.Equal(t, []wallet.LandingFee{{Attempt: 1, Tip: 3000, Paid: 3000, Builds: 1, State: wallet.StateConfirmed}}, placed.Landing)
		require.Len(t, told.all, 1)
		require.Equal(t, observe.Landing{Service: "test", Owner: r.owner.String(), Attempt: 1, State: "confirmed", Lamports: 3000}, told.all[0])
		require.Equal(t, walletfi.Amount(3000), r.entry(t, "key:a").Steps[0].Tip)

		r.status = lost
		placed, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "b", Attempts: 3})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
		require.Equal(t, []uint64{3000, 3000, 4500, 5000}, b.tips)
		require.Len(t, placed.Landing, 3)
		for i, tip := range []walletfi.Amount{3000, 4500, 5000} {
			require.Equal(t, tip, placed.Landing[i].Tip)
			require.Zero(t, placed.Landing[i].Paid)
		}
	})
}

// TestTipsKeepTheCaps: a market above them is refused before anything is built, or waited for; a
// service that adds to the tip is refused by the guard; the key's cap is for all of a set.
func TestTipsKeepTheCaps(t *testing.T) {
	withTips(t, tip75, func(t *testing.T, r *rig, m *recentTips, b *tipping, _ *landings) {
		for _, c := range []struct {
			recent    walletfi.Amount
			err, kind error
		}{{recent: 5001, kind: walletfi.ErrFeeMarket}, {err: walletfi.ErrUnavailable, kind: walletfi.ErrUnavailable}} {
			m.tip, m.err = c.recent, c.err
			_, err := r.wallet.Place(t.Context(), b, wallet.PlaceOptions{Key: "a"})
			requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
			require.ErrorIs(t, err, c.kind)
		}
		require.Empty(t, b.tips)

		m.tip, m.err = 5001, nil
		go func() {
			time.Sleep(31 * time.Second)
			m.mu.Lock()
			defer m.mu.Unlock()
			m.tip = 100
		}()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := r.wallet.Place(ctx, b, wallet.PlaceOptions{Key: "waits"})
		require.NoError(t, err)
		require.Equal(t, []uint64{100}, b.tips)

		b.adds = 4_901
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "adds"})
		requireStage(t, err, wallet.StageGuard, walletfi.ErrNotSent)
		require.ErrorIs(t, err, signing.ErrRefused)
		b.adds = 4_900
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "adds"})
		require.NoError(t, err)

		m.tip, b.adds, b.count, b.tips = 2500, 0, 2, nil
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a set that fits"})
		require.NoError(t, err)
		require.Equal(t, []uint64{2500}, b.tips)
		b.adds = 1
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a set that adds"})
		require.ErrorIs(t, err, signing.ErrRefused)

		// The growth asks for more than the key's cap allows to each of two.
		r.status, b.adds, b.tips = lost, 0, nil
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a set", Attempts: 2})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
		require.Equal(t, []uint64{2500, 3750, 2500}, b.tips)
	})
	one := tip75
	one.MaxPerKey = 0
	withTips(t, one, func(t *testing.T, r *rig, m *recentTips, b *tipping, _ *landings) {
		b.count, b.skews = 2, 2_001
		_, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "one of a set"})
		requireStage(t, err, wallet.StageSign, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrMismatch)
		require.Zero(t, r.submissions())
		require.ErrorContains(t, err, "transactions[1].tip")
		b.skews = 2_000
		placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "one of a set"})
		require.NoError(t, err)
		require.Equal(t, walletfi.Amount(6_000), placed.Landing[0].Tip)
	})
}

// TestTipConfig: a policy needs someone who tells the recent tips, or a floor.
func TestTipConfig(t *testing.T) {
	floor := tip75
	floor.Floor = 700
	withTips(t, floor, func(t *testing.T, r *rig, m *recentTips, b *tipping, _ *landings) {
		cfg := wallet.Config{Guard: signing.NewGuard(signing.Policy{}), Submitter: r.chain, Confirmer: r.chain, Heights: r.chain}
		for _, policy := range []walletfi.FeePolicy{tip75, {Growth: 1}} {
			cfg.Tips = policy
			_, err := wallet.New(cfg)
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		}
		cfg.Tips = floor
		_, err := wallet.New(cfg)
		require.NoError(t, err)
		m.tip = 0
		_, err = r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []uint64{700}, b.tips)
	})
}
