package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/wallet"
)

// process is one that dies at its n-th step: before or after a call of the journal, of
// the service or of a door. From then on none of its calls arrives.
type process struct {
	at, steps atomic.Int64
	dead      atomic.Bool
	die       context.CancelFunc
}

var errDead = errors.New("the process is dead")

func (p *process) step() error {
	if p.steps.Add(1) == p.at.Load() {
		p.dead.Store(true)
		p.die()
	}
	if p.dead.Load() {
		return errDead
	}
	return nil
}

// mortalJournal is a journal as a process uses it.
type mortalJournal struct {
	wallet.Journal
	*process
}

func (j mortalJournal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if err := j.step(); err != nil {
		return wallet.Entry{}, err
	}
	return j.Journal.Load(ctx, key)
}

func (j mortalJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if err := j.step(); err != nil {
		return err
	}
	return errors.Join(j.Journal.Store(ctx, was, e), j.step())
}

func (j mortalJournal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	if j.dead.Load() {
		return func(yield func(wallet.Entry, error) bool) { yield(wallet.Entry{}, errDead) }
	}
	return j.Journal.List(ctx, q)
}

func (j mortalJournal) Renew(ctx context.Context, holder string, lease time.Duration) error {
	if j.dead.Load() {
		return nil // it ends with its lease
	}
	return j.Journal.Renew(ctx, holder, lease)
}

// mortalDoor is a chain as a process reaches it.
type mortalDoor struct {
	*chain
	*process
}

func (d mortalDoor) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	if err := d.step(); err != nil {
		return "", &walletfi.OutcomeUnknownError{Cause: err}
	}
	signature, err := d.chain.Submit(ctx, tx)
	if dead := d.step(); dead != nil {
		return "", &walletfi.OutcomeUnknownError{Cause: dead}
	}
	return signature, err
}

// venue is a service that is given the signed order itself, and fills it later.
type venue struct {
	*builder
	*process
	door   walletfi.Submitter
	waited int
	asked  []string // signature and last valid block height
	end    *walletfi.OrderEnd
	err    error
}

func (v *venue) Build(ctx context.Context) (walletfi.Unsigned, error) {
	if err := v.step(); err != nil {
		return walletfi.Unsigned{}, err
	}
	u, err := v.builder.Build(ctx)
	return u, errors.Join(err, v.step())
}

func (v *venue) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	return v.door.Submit(ctx, tx)
}

func (v *venue) FilledLater() bool { return true }

func (v *venue) WaitFilled(_ context.Context, signature string, last uint64) (*walletfi.OrderEnd, error) {
	if err := v.step(); err != nil {
		return nil, err
	}
	v.waited++
	v.asked = append(v.asked, fmt.Sprint(signature, " ", last > 0))
	if err := v.step(); err != nil {
		return nil, err
	}
	return v.end, v.err
}

var whole = &walletfi.OrderEnd{State: "closed", Filled: true, Fills: []walletfi.OrderFill{{Signature: "fill 1", InAmount: 1, OutAmount: 42}}}

// mortal is a wallet in a process that dies at a step, 0 for one that does not.
func mortal(t *testing.T, on *rig, journal wallet.Journal, at int64) (context.Context, *wallet.Wallet, *process) {
	t.Helper()
	ctx, die := context.WithCancel(soon(t))
	p := &process{die: die}
	mine := newRigWith(t, func(c *wallet.Config) {
		door := mortalDoor{on.chain, p}
		c.Journal, c.Submitter, c.Confirmer, c.Heights = mortalJournal{journal, p}, door, door, door
		c.Effects = effectsOf(func(signature string) *walletfi.Effects {
			e := brought(on.owner.String(), signature)
			if signature == "fill 1" {
				e.Slot = 9
			}
			return e
		})
	})
	p.steps.Store(0)
	p.at.Store(at)
	return ctx, mine.wallet, p
}

// effectsOf tells effects of everything.
type effectsOf func(signature string) *walletfi.Effects

func (e effectsOf) Effects(_ context.Context, signature string) (*walletfi.Effects, error) {
	return e(signature), nil
}

// TestPlaceSurvivesACrashAnywhere: a process dies at each step of an order's way, and
// the next one calls Place with the same key. One set of transactions is executed,
// whatever was built, and the second process knows all that came of it.
func TestPlaceSurvivesACrashAnywhere(t *testing.T) {
	for _, later := range []bool{false, true} {
		steps, rebuilt := int64(0), 0
		for at := int64(1); steps == 0 || at <= steps; at++ {
			synctest.Test(t, func(t *testing.T) {
				r, journal := newRig(t), wallet.NewMemoryJournal()
				b := &builder{r: r, t: t}
				place := func(ctx context.Context, w *wallet.Wallet, p *process) (*wallet.Placed, error) {
					v := &venue{builder: b, process: p, door: mortalDoor{r.chain, p}, end: whole}
					if later {
						return w.Place(ctx, v, wallet.PlaceOptions{Key: "order 7"})
					}
					return w.Place(ctx, orderOnly{v}, wallet.PlaceOptions{Key: "order 7"})
				}
				ctx, first, p := mortal(t, r, journal, at)
				_, err := place(ctx, first, p)
				if !p.dead.Load() {
					require.NoError(t, err)
					steps = p.steps.Load()
					return
				}
				ctx, second, alive := mortal(t, r, journal, 0)
				var placed *wallet.Placed
				for tries := 0; ; tries++ {
					require.Less(t, tries, 60, "%v", err)
					if placed, err = place(ctx, second, alive); err == nil {
						break
					}
					// Until the lease of the first has ended, it may be alive. What it
					// gave to no door but its own has to expire.
					if !errors.Is(err, walletfi.ErrOutcomeUnknown) {
						require.ErrorIs(t, err, wallet.ErrExpired, "at %d", at)
					}
					pause.For(t.Context(), 10*time.Second)
				}
				require.True(t, placed.Result.Confirmed())
				require.Len(t, distinct(r.gone()), 1, "at %d", at)
				require.True(t, distinct(r.gone())[placed.Result.Signatures()[0]])
				require.NotNil(t, placed.Result.Steps[0].Effects)
				require.LessOrEqual(t, b.built, 2)
				rebuilt += b.built - 1
				if later {
					require.Equal(t, whole, placed.End)
					require.NotNil(t, placed.Fills[0].Effects)
					gained, _, known := placed.Net(r.owner.String(), "mint")
					require.True(t, known)
					require.Equal(t, walletfi.Amount(84), gained)
				}
			})
			require.Less(t, at, int64(200), "it comes to an end")
		}
		require.Greater(t, steps, int64(10), "later: %v", later)
		require.Positive(t, rebuilt, "a set that died before it was sent is built again")
	}
}

// TestPlaceLostAnswers: the door takes the bytes and never says so.
func TestPlaceLostAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := &builder{r: r, t: t}
		lost := &lossy{chain: r.chain}
		v := &venue{builder: b, process: &process{}, door: lost, end: whole}
		placed, err := r.wallet.Place(soon(t), v, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, whole, placed.End)
		require.Equal(t, []string{placed.Result.Signatures()[0] + " true"}, v.asked)
		require.Len(t, distinct(r.gone()), 1)
		require.Positive(t, lost.taken)
	})
}

// lossy is a door whose answers are all lost.
type lossy struct {
	*chain
	taken int
}

func (l *lossy) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	_, _ = l.chain.Submit(ctx, tx)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken++
	return "", errLost
}

// TestPlaceGoesThroughItsOwnDoor: an order that its service is given itself is given to
// nobody else.
func TestPlaceGoesThroughItsOwnDoor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := newChain(t, 1001)
		r := newRigWith(t, func(c *wallet.Config) {
			c.Submitter, c.Also, c.AlsoFor = other, []walletfi.Submitter{other}, []string{"test"}
		})
		v := &venue{builder: &builder{r: r, t: t}, process: &process{}, door: r.chain, end: whole}
		_, err := r.wallet.Place(soon(t), v, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, 1, r.submissions())
		require.Zero(t, other.submissions())
	})
}

// TestPlaceFills: an order that ends early, one of which the end is not known, and one
// that was asked for already.
func TestPlaceFills(t *testing.T) {
	part := &walletfi.OrderEnd{State: "failed", Fills: []walletfi.OrderFill{{Signature: "fill 1", InAmount: 1, OutAmount: 42}}}
	for name, c := range map[string]struct {
		end   *walletfi.OrderEnd
		err   error
		kind  error
		asked int // by two calls of Place
	}{
		"filled":     {end: whole, asked: 1},
		"in part":    {end: part, kind: wallet.ErrNotFilled, asked: 1},
		"not at all": {end: &walletfi.OrderEnd{State: "expired"}, kind: wallet.ErrNotFilled, asked: 1},
		"unknown":    {err: walletfi.ErrUnavailable, kind: walletfi.ErrOutcomeUnknown, asked: 2},
		"no word":    {kind: walletfi.ErrOutcomeUnknown, asked: 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				ctx, w, p := mortal(t, r, wallet.NewMemoryJournal(), 0)
				v := &venue{builder: &builder{r: r, t: t}, process: p, door: r.chain, end: c.end, err: c.err}
				for n := range 2 {
					var told []string
					placed, err := w.Place(ctx, v, wallet.PlaceOptions{Key: "a", Attempts: 3, Progress: stages(&told)})
					if c.kind == nil {
						require.NoError(t, err)
					} else {
						requireStage(t, err, wallet.StageFill, c.kind)
					}
					require.Equal(t, c.end, placed.End)
					require.True(t, placed.Result.Confirmed())
					_, _, known := placed.Net(r.owner.String(), "mint")
					require.Equal(t, c.end == whole, known)
					if c.end != nil {
						require.Len(t, placed.Fills, len(c.end.Fills))
						in, out, ok := c.end.Amounts()
						require.True(t, ok)
						require.Equal(t, walletfi.Amount(len(c.end.Fills)), in)
						require.Equal(t, walletfi.Amount(42*len(c.end.Fills)), out)
						for _, f := range placed.Fills {
							require.NotNil(t, f.Effects)
						}
					}
					require.Contains(t, told, fmt.Sprintf("fill 1 0/%d", 1))
					require.Equal(t, n == 0, placed.Unsigned != nil)
				}
				require.Equal(t, c.asked, v.waited)
				require.Equal(t, 1, v.built)
				require.Equal(t, 1, r.submissions())
				outcome, err := w.Outcome(t.Context(), "a")
				require.NoError(t, err)
				require.True(t, outcome.FilledLater)
				require.Equal(t, c.end, outcome.End)
			})
		})
	}
	huge := walletfi.OrderEnd{Fills: []walletfi.OrderFill{{InAmount: 1<<64 - 1}, {InAmount: 1}}}
	_, _, ok := huge.Amounts()
	require.False(t, ok)
}

// TestPlaceIsShort: 42 arrive by the fill, one less than was asked for. The order is
// paid, each Place says the same, and after the first one no node need show it.
func TestPlaceIsShort(t *testing.T) {
	mint := solana.PublicKey{77}.String()
	for name, least := range map[string]walletfi.Amount{"as asked": 42, "less": 43} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shows, memory := true, wallet.NewMemoryJournal()
				r := newRigWith(t, func(c *wallet.Config) {
					c.Journal = memory
					c.Effects = effectsOf(func(signature string) *walletfi.Effects {
						e := &walletfi.Effects{Signature: signature, Slot: 7}
						if signature == "fill 1" {
							e.Tokens = []walletfi.TokenChange{{Account: "a", Owner: owner(t), Mint: mint, Change: walletfi.Change{After: 42}}}
						}
						if !shows {
							e.Signature = "another"
						}
						return e
					})
				})
				v := &floored{&venue{builder: &builder{r: r, t: t}, process: &process{}, door: r.chain, end: whole}, mint, least}
				for range 3 {
					placed, err := r.wallet.Place(soon(t), v, wallet.PlaceOptions{Key: "a"})
					require.True(t, placed.Result.Confirmed())
					require.Equal(t, whole, placed.End)
					if least == 42 {
						require.NoError(t, err)
						require.Empty(t, placed.Short)
						continue
					}
					requireStage(t, err, wallet.StageEffects, wallet.ErrShort)
					require.ErrorContains(t, err, "42 of "+mint+", not 43")
					require.Equal(t, []wallet.Shortfall{{Mint: mint, Asked: 43, Arrived: 42}}, placed.Short)
					shows = false
				}
				require.Equal(t, 1, r.submissions())
				require.Equal(t, 1, v.waited)
				settled, err := r.wallet.Outcome(t.Context(), "a")
				require.NoError(t, err)
				require.True(t, settled.Settled())
			})
		})
	}
}

// floored is an order that expects something of its fills.
type floored struct {
	*venue
	mint  string
	least walletfi.Amount
}

func (f *floored) Build(ctx context.Context) (walletfi.Unsigned, error) {
	u, err := f.venue.Build(ctx)
	u.Intent.Receive = []walletfi.Asset{{Mint: f.mint, Amount: f.least}}
	u.Intent.ReceiveAfter = new(time.Duration)
	return u, err
}

// owner is the address of each rig.
func owner(t *testing.T) string { return newRig(t).owner.String() }
