package wallet

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

// TestHeadOfANodeThatLags: a node that is behind the one that a service built on is waited for, 20 times
// a second apart, if it is behind by no more than it may catch up.
func TestHeadOfANodeThatLags(t *testing.T) {
	const height = 900
	for last, waits := range map[uint64]int{
		height + 214:       0,
		height + 214 + 1:   20,
		height + 214 + 300: 20,
		height + 214 + 301: 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			reads := 0
			e := &execution{w: &Wallet{tracker: &tracker{heads: &heads{read: func(context.Context) (Head, error) {
				reads++
				return Head{Slot: 1000, Height: height}, nil
			}}}}}
			begun := time.Now()
			head, err := e.headFor(t.Context(), last, 0)
			require.NoError(t, err)
			require.Equal(t, Head{Slot: 1000, Height: height}, head)
			require.Equal(t, 1+waits, reads, last)
			require.Equal(t, time.Duration(waits)*time.Second, time.Since(begun), last)
		})
	}
}

// TestBlockhashOfNoNode: a service that names an end which no blockhash of now has is waited for, until a
// node calls the blockhash valid; not past the caller's context.
func TestBlockhashOfNoNode(t *testing.T) {
	for _, row := range []struct {
		head      uint64 // that was told, a second ago
		last      uint64
		validFrom uint64 // the slot from which the node knows the blockhash
		within    time.Duration
		err       error
		waits     int
		reads     int // of newer heads
		asked     int // whether a blockhash is valid
	}{
		{head: 5000, last: 4000 + freshMost, validFrom: 1 << 40},
		{head: 4999, last: 4000 + freshMost, validFrom: 1 << 40, reads: 1},
		{head: 4999, last: 4001 + freshMost, validFrom: 5000, reads: 1, asked: 2},
		{head: 5000, last: 4001 + freshMost, validFrom: 5000, reads: 1, asked: 2},
		{head: 5000, last: 4001 + freshMost, validFrom: 1 << 40, err: evidence.ErrNotValid, waits: 20, reads: 1, asked: 21},
		{
			head: 5000, last: 4001 + freshMost, validFrom: 1 << 40, within: 2500 * time.Millisecond,
			err: context.DeadlineExceeded, waits: 2, reads: 1, asked: 3,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			b, reads := provingOn(t, 1), 0
			b.heads = &heads{read: func(context.Context) (Head, error) {
				reads++
				return made(5000), nil
			}}
			ctx := t.Context()
			if row.within > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, row.within)
				defer cancel()
			}
			e := &execution{w: &Wallet{tracker: b.tracker}}
			begun := time.Now()
			hash := fmt.Sprint(row.validFrom - 1)
			two := []EntryStep{{Blockhash: hash, Last: row.last}, {Blockhash: "4950", Last: row.last}, {Blockhash: hash, Last: row.last}}
			err := e.begun(ctx, two, made(row.head))
			require.ErrorIs(t, err, row.err)
			require.Equal(t, row.reads, reads, "%+v", row)
			valid := 0
			for _, question := range b.nodes[0].Asked() {
				if question == "valid" {
					valid++
				}
			}
			require.Equal(t, row.asked, valid, "each blockhash once, and once a second")
			require.Equal(t, row.waits, int(time.Since(begun)/time.Second))
			b.close()
		})
	}
}

// TestTableThatTheNodeLacks: only a refusal for a table that the node does not know is worth a wait.
func TestTableThatTheNodeLacks(t *testing.T) {
	for name, row := range map[string]struct {
		err        error
		tables     bool
		unresolved bool
		want       bool
	}{
		"nothing shows it":       {&signing.GuardError{Rule: signing.RuleBlind}, true, true, true},
		"its table is not known": {&signing.GuardError{Rule: signing.RuleLookup}, true, true, true},
		"another rule":           {&signing.GuardError{Rule: signing.RuleUnknownProgram}, true, true, false},
		"all tables are known":   {&signing.GuardError{Rule: signing.RuleLookup}, true, false, false},
		"nobody tells tables":    {&signing.GuardError{Rule: signing.RuleLookup}, false, true, false},
		"no refusal":             {errAway, true, true, false},
	} {
		e := &execution{w: &Wallet{tables: row.tables}, result: &Result{Report: &signing.Report{Unresolved: row.unresolved}}}
		require.Equal(t, row.want, e.lacksTable(row.err), name)
	}
}

// oneByOne tells the compute units of each transaction by itself.
type oneByOne struct {
	units []uint64 // by how many went before
	mute  bool     // it tells nothing, and no error
	err   error    // told beside the units
	asked []context.Context
}

func (o *oneByOne) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	return o.after(ctx, 0)
}

func (o *oneByOne) after(ctx context.Context, n int) (*signing.Simulation, error) {
	o.asked = append(o.asked, ctx)
	if o.mute {
		return nil, nil
	}
	return &signing.Simulation{Units: o.units[n]}, o.err
}

// oneAfterAnother runs sets in order.
type oneAfterAnother struct{ *oneByOne }

func (o oneAfterAnother) SimulateAfter(
	ctx context.Context, earlier []*signing.Transaction, _ signing.SimulationRequest,
) (*signing.Simulation, error) {
	return o.after(ctx, len(earlier))
}

// TestUnitsOfASet: each transaction is measured after those before it, as far as the simulator can, up to
// the first of which nothing is told.
func TestUnitsOfASet(t *testing.T) {
	tx := decoded(t, solana.NewInstruction(solana.PublicKey{7}, nil, []byte{1}))
	set := []*signing.Transaction{tx, tx, tx}
	for name, row := range map[string]struct {
		inOrder     bool
		units, want []uint64
		asked       int
	}{
		"one by one":            {false, []uint64{3, 4, 5}, []uint64{3, 0, 0}, 1},
		"in order":              {true, []uint64{3, 4, 5}, []uint64{3, 4, 5}, 3},
		"the second is not":     {true, []uint64{3, 0, 5}, []uint64{3, 0, 0}, 2},
		"the first is not":      {true, []uint64{0, 4, 5}, nil, 1},
		"a single unit is told": {true, []uint64{1, 1, 1}, []uint64{1, 1, 1}, 3},
	} {
		o := &oneByOne{units: row.units}
		var simulator signing.Simulator = o
		if row.inOrder {
			simulator = oneAfterAnother{o}
		}
		require.Equal(t, row.want, fees.Measure(t.Context(), simulator, set), name)
		require.Len(t, o.asked, row.asked, name)
		for _, ctx := range o.asked {
			require.Error(t, ctx.Err(), "%s: the question ends with the answer", name)
		}
	}
}

// TestUnitsThatNothingTells: an error counts, whatever is told beside it.
func TestUnitsThatNothingTells(t *testing.T) {
	tx := decoded(t, solana.NewInstruction(solana.PublicKey{7}, nil, []byte{1}))
	for _, o := range []*oneByOne{{mute: true}, {units: []uint64{7}, err: errAway}} {
		require.Nil(t, fees.Measure(t.Context(), o, []*signing.Transaction{tx}))
	}
}

// TestWhatCountsAgainstAKey: what was executed or may still be is paid; only what has expired makes the
// next one dearer.
func TestWhatCountsAgainstAKey(t *testing.T) {
	for state, want := range map[KeyState][2]uint64{ // paid, last
		KeyClaimed: {100, 0}, KeySigned: {100, 0}, KeyReleased: {100, 0}, KeyExpired: {100, 9},
		KeySent: {107, 0}, KeyInDoubt: {107, 0}, KeyConfirmed: {107, 0}, KeyFailed: {107, 0},
	} {
		e := Entry{FeesPaid: 100, Steps: []EntryStep{{State: state, Fee: 7, Price: 9}}}
		b := (&market{}).bid(e)
		require.Equal(t, want, [2]uint64{b.Paid, b.Last}, state)
	}
	require.Equal(t, walletfi.Amount(1<<63-1), feesOf(Entry{FeesPaid: 1 << 63}), "what every journal can hold")
}

// TestCapsForTheGuard: the least of the policy's caps for a transaction, for the key, and the caller's own.
func TestCapsForTheGuard(t *testing.T) {
	two := walletfi.Unsigned{Transactions: make([]walletfi.EncodedTransaction, 2)}
	for _, row := range []struct{ each, key, own, want walletfi.Amount }{
		{100, 0, 0, 200}, {100, 150, 0, 150}, {100, 300, 0, 200}, {100, 1, 0, 1}, {100, 150, 70, 70}, {100, 150, 151, 150},
	} {
		policy := walletfi.FeePolicy{MaxPerTransaction: row.each, MaxPerKey: row.key}
		u := two
		if row.own > 0 {
			u.Intent.MaxNetworkFeeLamports = &row.own
		}
		require.Equal(t, row.want, *(&market{policy: policy}).capped(u).Intent.MaxNetworkFeeLamports, "%+v", row)
		if u.Intent.TipLamports = row.own; row.own == 0 {
			u.Intent.TipLamports = 1 << 40
		}
		require.Equal(t, row.want, (&fees.Tips{Policy: policy}).Capped(u).Intent.TipLamports, "%+v", row)
	}
}

// TestExpiryThatTheMarketDoesNotExplain: the error stays as it was.
func TestExpiryThatTheMarketDoesNotExplain(t *testing.T) {
	tx := decoded(t, solana.NewInstruction(solana.PublicKey{7}, nil, []byte{1}))
	one := walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{tx.Base64()}}
	none := walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction("no transaction")}}
	expired := &StepError{State: StateExpired, Cause: ErrExpired}
	e := &execution{w: &Wallet{market: &market{}}}
	for _, row := range []struct {
		u   walletfi.Unsigned
		err error
	}{
		{none, expired}, {one, &StepError{State: StateExpired, Index: 1, Cause: ErrExpired}},
		{one, &StepError{State: StateFailed, Cause: ErrFailed}}, {one, errors.New("away")}, {one, nil},
	} {
		require.Equal(t, row.err, e.explain(t.Context(), row.u, row.err))
	}
	require.Equal(t, expired, (&execution{w: &Wallet{}}).explain(t.Context(), one, expired), "without a policy")
}
