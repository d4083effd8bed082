package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// payment is a request of a service that quotes: each build is on another blockhash and
// promises something else.
type payment struct {
	Service, Owner, Mint, To string
	Amount                   walletfi.Amount
	Slippage                 walletfi.Slippage
}

// till builds payments.
type till struct {
	r     *rig
	t     *testing.T
	built int
	err   error
}

type ticket struct{ u walletfi.Unsigned }

func (k ticket) Unsigned() walletfi.Unsigned { return k.u }

func (c *till) build(_ context.Context, p payment, _ ...walletfi.CallOption) (ticket, error) {
	if c.built++; c.err != nil {
		return ticket{}, c.err
	}
	u := c.r.pay(c.t, 1)
	head, _ := c.r.Head(c.t.Context())
	u.LastValidBlockHeight = head.Height + lifetime
	u.Transactions[0] = c.r.transfer(c.t, 1, byte(c.built))
	u.Intent = walletfi.Intent{
		Service: p.Service, Owner: p.Owner, PayTo: []string{p.To},
		Spend:                 []walletfi.Asset{{Mint: p.Mint, Amount: p.Amount}},
		MaxNetworkFeeLamports: new(walletfi.Amount(100_000 + c.built)),
	}
	return ticket{u}, nil
}

// keyWay is a way to pay under a key.
type keyWay struct {
	name   string
	states bool // what is asked for is known before the service is called
	pay    pays
}

type pays func(*testing.T, *wallet.Wallet, *till, payment, signing.Signer, walletfi.BundleSubmitter) error

func executes(bundled bool) pays {
	return func(
		t *testing.T, w *wallet.Wallet, c *till, p payment, signer signing.Signer, bundles walletfi.BundleSubmitter,
	) (err error) {
		k, err := c.build(t.Context(), p)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(soon(t), 20*time.Minute)
		defer cancel()
		o := wallet.ExecuteOptions{Key: "order 7", Signer: signer}
		if bundled {
			_, err = w.ExecuteBundle(ctx, k.u, bundles, o)
		} else {
			_, err = w.Execute(ctx, k.u, o)
		}
		return err
	}
}

func places(bundled bool, order func(*till, payment) walletfi.Order) pays {
	return func(
		t *testing.T, w *wallet.Wallet, c *till, p payment, signer signing.Signer, bundles walletfi.BundleSubmitter,
	) error {
		ctx, cancel := context.WithTimeout(soon(t), 20*time.Minute)
		defer cancel()
		o := wallet.PlaceOptions{Key: "order 7", Signer: signer}
		if bundled {
			o.Bundles = bundles
		}
		_, err := w.Place(ctx, order(c, p), o)
		return err
	}
}

func orderOf(c *till, p payment) walletfi.Order { return wallet.OrderOf(c.build, p) }

var keyWays = []keyWay{
	{"Execute", false, executes(false)},
	{"ExecuteBundle", false, executes(true)},
	{"Place OrderOf", true, places(false, orderOf)},
	{"Place OrderOf, bundle", true, places(true, orderOf)},
	{"Place OrderFunc", false, places(false, func(c *till, p payment) walletfi.Order {
		return wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
			k, err := c.build(ctx, p)
			return k.u, err
		})
	})},
}

// keyState is a possible outcome of the key's payment.
type keyState struct {
	name     string
	prepare  func(r *rig)
	runs     bool  // the first call does not return before the second is made
	follows  bool  // the wallet follows the first in the background
	process  bool  // the second call is another process's
	first    error // of the first call
	repeated error // of another of the same payment
	pays     bool  // which pays
}

func inDoubt(r *rig) {
	r.submit = func(int, walletfi.Signed) error { return errLost }
	r.status = func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, errLost }
}

var keyStates = []keyState{
	{name: "running", runs: true, repeated: walletfi.ErrOutcomeUnknown},
	{name: "running in another process", runs: true, process: true, repeated: walletfi.ErrOutcomeUnknown},
	{name: "in doubt", prepare: inDoubt, first: walletfi.ErrOutcomeUnknown, repeated: walletfi.ErrOutcomeUnknown},
	{
		name: "followed in the background", prepare: inDoubt, follows: true,
		first: walletfi.ErrOutcomeUnknown, repeated: walletfi.ErrOutcomeUnknown,
	},
	{name: "confirmed"},
	{name: "failed", prepare: func(r *rig) {
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			return walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: walletfi.CommitmentFinalized}, nil
		}
	}, first: wallet.ErrFailed, pays: true},
	{name: "expired", prepare: func(r *rig) {
		r.submit = func(int, walletfi.Signed) error { return errLost }
	}, first: wallet.ErrExpired, pays: true},
	{name: "not sent", prepare: func(r *rig) {
		r.submit = func(int, walletfi.Signed) error { return walletfi.ErrNotSent }
	}, first: walletfi.ErrNotSent, pays: true},
}

// gate lets what is sent through when it is opened. The zero gate is open.
type gate struct {
	*chain
	opened chan struct{}
}

func (g gate) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	if g.opened != nil {
		<-g.opened
	}
	return g.chain.Submit(ctx, tx)
}

func (g gate) SubmitBundle(ctx context.Context, txs []walletfi.Signed) (string, error) {
	_, err := g.Submit(ctx, txs[0])
	return "bundle", err
}

// otherAsks are what can differ from the key's payment.
var otherAsks = []struct {
	is     func(payment) string
	change func(*payment)
}{
	{func(p payment) string { return p.Amount.String() }, func(p *payment) { p.Amount *= 10 }},
	{func(p payment) string { return p.Owner }, func(p *payment) { p.Owner = anotherKey.PublicKey().String() }},
	{func(p payment) string { return p.Mint }, func(p *payment) { p.Mint = wiretest.Address(9) }},
	{func(p payment) string { return p.To }, func(p *payment) { p.To = wiretest.Address(8) }},
	{func(p payment) string { return p.Service }, func(p *payment) { p.Service = "more" }},
}

var anotherKey, _ = signing.NewLocalKeyFromSeed([]byte(strings.Repeat("x", 32)))

// TestKeyReuse: a call under a key that asks for something else than the key's payment is
// refused, whatever became of that, however both are made. Nothing is built for an order
// that states its request, nothing is signed, sent or recorded. The error names the key,
// what differs and both values. The same payment with a new quote is not refused.
func TestKeyReuse(t *testing.T) {
	cells := 0
	for _, state := range keyStates {
		for _, first := range keyWays {
			for _, second := range keyWays {
				t.Run(strings.Join([]string{state.name, first.name, second.name}, "/"), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						k, ended := paidUnder(t, state, first)
						for _, other := range otherAsks {
							asks := k.paid
							other.change(&asks)
							k.refused(first, second, asks, other.is(k.paid), other.is(asks))
							cells++
						}
						k.repeated(second, state)
						if k.open(); state.runs {
							require.NoError(t, <-ended)
						}
					})
				})
			}
		}
	}
	require.Equal(t, len(keyStates)*len(keyWays)*len(keyWays)*len(otherAsks), cells)
	require.Equal(t, 8*5*5*5, cells)
	ways := len(keyWays)
	t.Logf("%d cells: %d states, %d by %d ways, %d things that differ", cells, len(keyStates), ways, ways, len(otherAsks))
}

// reuse is a key whose payment has come to a state.
type reuse struct {
	t    *testing.T
	r    *rig
	w    *wallet.Wallet // makes the second call
	till *till
	paid payment
	open func() // lets what runs go on
}

// paidUnder makes the first call of a key. If that runs on, ended has its error later.
func paidUnder(t *testing.T, state keyState, first keyWay) (k reuse, ended chan error) {
	t.Helper()
	var memory wallet.Journal = wallet.NewMemoryJournal()
	if !state.follows {
		memory = unlisted{memory}
	}
	door := gate{}
	k = reuse{t: t, open: func() {}}
	k.r = newRigWith(t, func(c *wallet.Config) {
		if door.chain = c.Submitter.(*chain); state.runs {
			door.opened = make(chan struct{})
			k.open = sync.OnceFunc(func() { close(door.opened) })
		}
		c.Journal, c.Submitter = memory, door
	})
	t.Cleanup(k.open)
	if k.w = k.r.wallet; state.process {
		k.w = newRigWith(t, func(c *wallet.Config) { c.Journal = memory }).wallet
	}
	k.till, k.paid = &till{r: k.r, t: t}, aPayment(k.r, 1_000)
	if state.prepare != nil {
		state.prepare(k.r)
	}
	ended = make(chan error, 1)
	go func() { ended <- first.pay(t, k.r.wallet, k.till, k.paid, nil, door) }()
	if synctest.Wait(); state.runs {
		return k, ended
	}
	if err := <-ended; state.first != nil {
		require.ErrorIs(t, err, state.first)
	} else {
		require.NoError(t, err)
	}
	if state.follows {
		pause.For(t.Context(), 20*time.Second)
		synctest.Wait()
		running, _, _, _ := k.w.Kept()
		require.Equal(t, 1, running)
	}
	return k, nil
}

func aPayment(r *rig, amount walletfi.Amount) payment {
	return payment{
		Service: "test", Owner: r.owner.String(), Mint: walletfi.NativeMint, To: r.shop.String(), Amount: amount,
	}
}

// refused makes a call that asks for something else.
func (k reuse) refused(first, second keyWay, asks payment, was, now string) {
	t := k.t
	t.Helper()
	var signer signing.Signer
	if asks.Owner != k.paid.Owner {
		signer = anotherKey
	}
	before, sent, built, begun := k.r.entry(t, "key:order 7"), k.r.submissions(), k.till.built, time.Now()
	err := second.pay(t, k.w, k.till, asks, signer, gate{chain: k.r.chain})
	require.ErrorIs(t, err, wallet.ErrKeyReused)
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	answersTo(t, err, walletfi.ErrNotSent)
	for _, text := range []string{`"order 7"`, " " + was + ",", "not " + now} {
		require.ErrorContains(t, err, text)
	}
	require.Zero(t, time.Since(begun), "it waits for nothing")
	require.Equal(t, before, k.r.entry(t, "key:order 7"), "the key's payment is left alone")
	require.Equal(t, sent, k.r.submissions())
	calls := 1 // built, to be compared
	if first.states && second.states || signer != nil && strings.HasPrefix(second.name, "Place") {
		calls = 0
	}
	require.Equal(t, built+calls, k.till.built)
}

// repeated makes a call of the same payment, quoted again with another tolerance.
func (k reuse) repeated(way keyWay, state keyState) {
	t := k.t
	t.Helper()
	if state.repeated == nil {
		k.r.mu.Lock()
		k.r.submit, k.r.status = nil, nil
		k.r.mu.Unlock()
	}
	asks, sent := k.paid, k.r.submissions()
	asks.Slippage = walletfi.SlippageBps(500)
	err := way.pay(t, k.w, k.till, asks, nil, gate{chain: k.r.chain})
	require.NotErrorIs(t, err, wallet.ErrKeyReused)
	if state.repeated != nil {
		require.ErrorIs(t, err, state.repeated)
		require.Equal(t, sent, k.r.submissions())
		return
	}
	require.NoError(t, err)
	require.Equal(t, state.pays, k.r.submissions() > sent)
}

// TestKeyReuseThatCannotBeCompared: the service builds nothing, so that what the journal
// has stands.
func TestKeyReuseThatCannotBeCompared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := &till{r: r, t: t}
		p := aPayment(r, 1_000)
		orderFunc := keyWays[4]
		require.NoError(t, orderFunc.pay(t, r.wallet, c, p, nil, nil))
		c.err = errors.New("down")
		p.Amount *= 10
		require.NoError(t, orderFunc.pay(t, r.wallet, c, p, nil, nil))
		require.Equal(t, 2, c.built)
		var calls []context.Context
		hangs := wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
			if calls = append(calls, ctx); len(calls) == 1 {
				return walletfi.Unsigned{}, c.err
			}
			<-ctx.Done()
			return walletfi.Unsigned{}, ctx.Err()
		})
		begun := time.Now()
		for range 2 {
			_, err := r.wallet.Place(soon(t), hangs, wallet.PlaceOptions{Key: "order 7"})
			require.NoError(t, err)
			require.ErrorIs(t, calls[0].Err(), context.Canceled)
		}
		require.Equal(t, 10*time.Second, time.Since(begun))
		require.Equal(t, 1, r.submissions())
	})
}

// TestKeyReuseOfAnEarlierVersion: its entries do not state what was asked for. What they
// have is compared.
func TestKeyReuseOfAnEarlierVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := &till{r: r, t: t}
		p := aPayment(r, 1_000)
		require.NoError(t, keyWays[2].pay(t, r.wallet, c, p, nil, nil))
		e := r.entry(t, "key:order 7")
		require.Equal(t, map[string]string{
			"request": "wallet_test.payment", "Service": "test", "Owner": p.Owner, "Mint": p.Mint, "To": p.To, "Amount": "1000",
		}, e.Asked.Asked)
		e.Asked.Asked, e.Version = nil, e.Version+1
		require.NoError(t, r.journal.Store(t.Context(), e.Version-1, e))
		for i, way := range keyWays {
			require.NoError(t, way.pay(t, r.wallet, c, p, nil, gate{chain: r.chain}), way.name)
			other := p
			other.Amount = walletfi.Amount(5_000 + i)
			require.ErrorIs(t, way.pay(t, r.wallet, c, other, nil, gate{chain: r.chain}), wallet.ErrKeyReused, way.name)
		}
		require.Equal(t, 1, r.submissions())
	})
}

// TestKeyReuseInTheSameMoment: of several at once with amounts of their own, one pays. The
// others are refused, or told that the key is in use before its amount is known.
func TestKeyReuseInTheSameMoment(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			errs := make(chan error)
			for n := range 5 {
				c := &till{r: r, t: t, built: 10 * n}
				p := aPayment(r, walletfi.Amount(1_000+n))
				go func() { errs <- keyWays[n].pay(t, r.wallet, c, p, nil, gate{chain: r.chain}) }()
			}
			paid := 0
			for range 5 {
				err := <-errs
				if err == nil {
					paid++
					continue
				}
				open, unsettled := errors.AsType[*wallet.UnsettledError](err)
				require.True(t, errors.Is(err, wallet.ErrKeyReused) || unsettled && open.Running, fmt.Sprint(err))
			}
			require.Equal(t, 1, paid)
			require.Equal(t, 1, r.submissions())
		})
	}
}
