package wallet_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestRouteOfAnOrderThatStatesNothing is guessed each time, and no other order takes it for its own.
func TestRouteOfAnOrderThatStatesNothing(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		m.local = []uint64{6000}
		for i, order := range []walletfi.Order{
			wallet.OrderFunc(b.Build), oneField{b}, wallet.OrderFunc(b.Build), oneField{b},
		} {
			_, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: string(rune('a' + i))})
			require.NoError(t, err)
		}
		require.Equal(t, []uint64{3000, 6000, 3000, 6000, 3000, 6000, 6000}, b.asked)
	})
}

// partly is a fee market of which one half fails.
type partly struct {
	prices []uint64
	local  error // for accounts
	global error // for all transactions, from the second question on
	asked  int
}

func (p *partly) RecentFees(_ context.Context, writable []string) (walletfi.RecentFees, error) {
	p.asked++
	if len(writable) > 0 {
		return walletfi.RecentFees{Prices: p.prices}, p.local
	}
	if p.asked > 1 {
		return walletfi.RecentFees{Prices: p.prices}, p.global
	}
	return walletfi.RecentFees{Prices: p.prices}, nil
}

// TestHalfAMarketIsNone: if the prices of an order's accounts are not known, or those of all, nothing is
// signed, and the error is the reader's.
func TestHalfAMarketIsNone(t *testing.T) {
	for _, m := range []*partly{
		{prices: []uint64{1000}, local: walletfi.ErrUnavailable}, {global: walletfi.ErrUnavailable, asked: 1},
		{prices: []uint64{1000}, global: walletfi.ErrUnavailable},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, func(c *wallet.Config) { c.Fees, c.FeeReader = p75, m })
			b := &priced{r: r, t: t, units: 10_000}
			_, err := r.wallet.Place(t.Context(), b, wallet.PlaceOptions{Key: "a"})
			requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
			require.ErrorIs(t, err, walletfi.ErrUnavailable)
			require.NotErrorIs(t, err, walletfi.ErrDecode)
			require.Zero(t, r.submissions())
		})
	}
}

// TestMarketThatIsLostWhileAnOrderWaits: it is not waited for any longer, and the refusal says why it was.
func TestMarketThatIsLostWhileAnOrderWaits(t *testing.T) {
	withFees(t, p75, func(t *testing.T, r *rig, m *feeMarket, b *priced, _ *landings) {
		m.set(20_000)
		go func() {
			time.Sleep(time.Second)
			m.mu.Lock()
			defer m.mu.Unlock()
			m.err = walletfi.ErrForbidden
		}()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begun := time.Now()
		_, err := r.wallet.Place(ctx, b, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrFeeMarket)
		require.Len(t, b.asked, 1)
		require.Less(t, time.Since(begun), 30*time.Second)
		require.GreaterOrEqual(t, time.Since(begun), 2*time.Second)
	})
}

// TestOrderOfNoTransactionIsNotPriced: the guard says what is wrong with it, and with one that cannot be
// read.
func TestOrderOfNoTransactionIsNotPriced(t *testing.T) {
	for _, txs := range [][]walletfi.EncodedTransaction{nil, {walletfi.Base64Transaction("AAAA")}} {
		withFees(t, p75, func(t *testing.T, r *rig, _ *feeMarket, _ *priced, told *landings) {
			order := wallet.OrderFunc(func(context.Context) (walletfi.Unsigned, error) {
				u := r.pay(t, 1)
				u.Transactions = txs
				return u, nil
			})
			placed, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
			require.ErrorIs(t, err, walletfi.ErrNotSent)
			require.NotErrorIs(t, err, walletfi.ErrFeeMarket)
			require.Empty(t, placed.Landing)
			require.Empty(t, told.all)
			require.Equal(t, r.owner.String(), placed.Unsigned.Intent.Owner)
			require.Equal(t, txs, placed.Unsigned.Transactions)
		})
	}
}

// rising is a market that doubles with each question.
type rising struct{ price uint64 }

func (m *rising) RecentFees(context.Context, []string) (walletfi.RecentFees, error) {
	m.price *= 2
	return walletfi.RecentFees{Prices: []uint64{m.price}}, nil
}

// TestOrderIsBuiltTwiceAtMost, wherever the market goes meanwhile.
func TestOrderIsBuiltTwiceAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy := p75
		policy.MaxPerTransaction = 1 << 40
		r := newRigWith(t, func(c *wallet.Config) { c.Fees, c.FeeReader = policy, &rising{price: 10_000} })
		b := &priced{r: r, t: t, units: 10_000}
		placed, err := r.wallet.Place(soon(t), b, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Len(t, b.asked, 2)
		require.Equal(t, 2, placed.Landing[0].Builds)
	})
}

// TestPriceByTheUnitsThatAreLearnt: the second build asks for as much a unit as the caps allow under its
// own limit, not under that of the first.
func TestPriceByTheUnitsThatAreLearnt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dear := p75
		dear.Floor = 1 << 40
		r := newRigWith(t, func(c *wallet.Config) {
			c.Fees, c.FeeReader, c.FeeSimulator = dear, &feeMarket{global: []uint64{1000}}, &simulated{units: 5000}
		})
		l := &limited{priced: &priced{r: r, t: t}}
		placed, err := r.wallet.Place(soon(t), l, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, [][]uint64{nil, {6000}}, l.limits)
		require.Equal(t, uint64(100*1_000_000/6000), l.asked[1], "100 lamports for 6,000 units")
		require.LessOrEqual(t, placed.Landing[0].Most, walletfi.Amount(dear.MaxPerTransaction))
	})
}

// TestExpiryAtTheMarketsPrice is not explained by it.
func TestExpiryAtTheMarketsPrice(t *testing.T) {
	for price, below := range map[uint64]bool{3000: false, 2999: true} {
		withFees(t, p75, func(t *testing.T, r *rig, _ *feeMarket, b *priced, _ *landings) {
			r.status = lost
			b.n++
			u := r.pay(t, 1)
			u.Transactions[0] = b.transaction(price)
			_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"})
			require.ErrorIs(t, err, wallet.ErrExpired)
			if below {
				require.ErrorContains(t, err, "fee below the market")
			} else {
				require.NotContains(t, err.Error(), "fee below the market")
			}
		})
	}
}

// once tells a tip a single time.
type once struct{ asked int }

func (o *once) TipAt(context.Context, int) (walletfi.Amount, error) {
	if o.asked++; o.asked > 1 {
		return 0, walletfi.ErrUnavailable
	}
	return 3000, nil
}

// TestTipOfASetThatIsNotKnown: a set whose share is not known is not sent.
func TestTipOfASetThatIsNotKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Tips, c.TipReader = tip75, &once{} })
		b := &tipping{priced: &priced{r: r, t: t}, count: 2}
		_, err := r.wallet.Place(t.Context(), b, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		require.Equal(t, []uint64{3000}, b.tips)
		require.Zero(t, r.submissions())
	})
}

// TestOrderOfAsksThePolicysTip: the request asks for it, where the service takes one.
func TestOrderOfAsksThePolicysTip(t *testing.T) {
	withTips(t, tip75, func(t *testing.T, r *rig, _ *recentTips, _ *tipping, _ *landings) {
		var asked []leverage.OpenRequest
		build := func(_ context.Context, req leverage.OpenRequest, _ ...walletfi.CallOption) (deposited, error) {
			asked = append(asked, req)
			return deposited{}, walletfi.ErrUnavailable
		}
		_, err := r.wallet.Place(soon(t), wallet.OrderOf(build, leverage.OpenRequest{}), wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.Equal(t, []leverage.OpenRequest{{TipLamports: 3000}}, asked)
	})
}

// TestStatementOfOneField names the payment: under its key another one is refused without a call.
func TestStatementOfOneField(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := &builder{r: r, t: t}
		_, err := r.wallet.Place(soon(t), amountOf{b, "1"}, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, map[string]string{"Amount": "1"}, r.entry(t, "key:a").Asked.Asked)
		_, err = r.wallet.Place(soon(t), amountOf{b, "2"}, wallet.PlaceOptions{Key: "a"})
		require.ErrorIs(t, err, wallet.ErrKeyReused)
		require.Equal(t, 1, b.built)

		built := wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
			u, err := b.Build(ctx)
			return stated(u), err
		})
		_, err = r.wallet.Place(soon(t), built, wallet.PlaceOptions{Key: "b"})
		require.NoError(t, err)
		require.Equal(t, paymentOf(1), r.entry(t, "key:b").Asked.Asked, "the builder's statement stays")
	})
}

// amountOf is an order that states an amount.
type amountOf struct {
	*builder
	amount string
}

func (a amountOf) Asked() map[string]string { return map[string]string{"Amount": a.amount} }

// TestEffectsOfFillsAreAStage of their own, if there are fills and a node that tells effects.
func TestEffectsOfFillsAreAStage(t *testing.T) {
	for _, row := range []struct {
		fills []walletfi.OrderFill
		tells bool
		want  []string
	}{
		{whole.Fills, true, []string{"effects 1 0/0", "fill 1 0/1", "effects 1 0/1"}},
		{nil, true, []string{"effects 1 0/0", "fill 1 0/1"}},
		{whole.Fills, false, []string{"fill 1 0/1"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, func(c *wallet.Config) {
				if row.tells {
					c.Effects = effectsOf(func(signature string) *walletfi.Effects { return brought("owner", signature) })
				}
			})
			end := *whole
			end.Fills = row.fills
			v := &venue{builder: &builder{r: r, t: t}, process: &process{}, door: r.chain, end: &end}
			var told []string
			_, err := r.wallet.Place(soon(t), v, wallet.PlaceOptions{Key: "a", Progress: stages(&told)})
			require.NoError(t, err)
			require.Equal(t, row.want, told[len(told)-len(row.want):], "%q", told)
			require.Equal(t, "confirm 1 1/1", told[len(told)-len(row.want)-1], "%q", told)
		})
	}
}
