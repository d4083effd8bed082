package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// stairs is a set of two transactions of which the second acts on what the first makes,
// and a node that runs no set in order.
type stairs struct {
	s    *sandbox.Sandbox
	node *rpcnode.Client
	sell flows.Builder
	sent sync.Map // messages that were handed to the node; one that is not confirmed soon is handed in again

	turned atomic.Bool                         // the service's program does something else by now
	dead   atomic.Bool                         // the process is
	first  atomic.Pointer[signing.Transaction] // that was sent
	ahead  atomic.Int64                        // transactions sent before those before them were executed
}

// Simulate runs what the program does.
func (st *stairs) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	simulation, err := st.node.Simulate(ctx, r)
	if err == nil && st.turned.Load() {
		simulation.Err = "it takes more than it did"
	}
	return simulation, err
}

// Submit sends for a process that lives.
func (st *stairs) Submit(ctx context.Context, signed walletfi.Signed) (string, error) {
	if st.dead.Load() {
		return "", errors.New("the process has died")
	}
	tx, err := signing.Decode(signed.Transaction)
	if err != nil {
		return "", err
	}
	if was := st.first.Load(); was == nil {
		st.first.Store(tx)
	} else if !bytes.Equal(was.Message(), tx.Message()) {
		if _, err := st.node.Effects(context.WithoutCancel(ctx), was.Signature().String()); err != nil {
			st.ahead.Add(1)
		}
	}
	st.sent.Store(string(tx.Message()), true)
	return st.node.Submit(ctx, signed)
}

// noBundles answers for a node that has no simulateBundle.
type noBundles struct{ http.RoundTripper }

func (n noBundles) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(body, &call) != nil || call.Method != "simulateBundle" {
		return n.RoundTripper.RoundTrip(r)
	}
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, call.ID)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(strings.NewReader(answer)),
	}, nil
}

func newStairs(t *testing.T) *stairs {
	t.Helper()
	s := flows.Start(t, sandbox.Config{NoLimits: true, InstantConfirmation: true})
	node, err := rpcnode.New(rpcnode.Config{
		URL: walletfi.NewSecret(s.URL(sandbox.RPC)), HTTPClient: &http.Client{Transport: noBundles{s.Transport()}},
	})
	require.NoError(t, err)
	for _, b := range flows.Builders(t, s) {
		if b.Name == "BuildPartialSell" {
			return &stairs{s: s, node: node, sell: b}
		}
	}
	t.Fatal("no builder of a partial sell")
	return nil
}

func (st *stairs) build(t *testing.T) walletfi.Unsigned {
	t.Helper()
	u, err := st.sell.Build(t.Context())
	require.NoError(t, err)
	require.Len(t, u.Transactions, 2)
	return u
}

// wallet has a guard of pins alone.
func (st *stairs) wallet(t *testing.T, journal wallet.Journal) *wallet.Wallet {
	t.Helper()
	key, err := signing.NewLocalKey(st.s.Wallet())
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Pins: flows.Pins(st.s), Simulator: st}), Submitter: st, Confirmer: st.node,
		Heights: st.node, PollEvery: 10 * time.Millisecond, Journal: journal, Lease: 50 * time.Millisecond,
	})
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

func (st *stairs) hits(method string) (n int) {
	for route, hits := range st.s.Hits() {
		if route.Pattern == method {
			n += hits
		}
	}
	return n
}

// sentMessages counts the transactions that were sent, however often each.
func (st *stairs) sentMessages() (n int) {
	st.sent.Range(func(any, any) bool {
		n++
		return true
	})
	return n
}

// TestStepByStep: nothing of the second transaction is signed before the first is
// confirmed, and it is judged on what that has left.
func TestStepByStep(t *testing.T) {
	st := newStairs(t)
	journal := wallet.NewMemoryJournal()
	w := st.wallet(t, journal)
	var between wallet.Entry
	simulated := 0
	result, err := w.Execute(t.Context(), st.build(t), wallet.ExecuteOptions{Key: "sell", Progress: func(confirmed, _ int) {
		if confirmed == 1 {
			for e := range journal.List(t.Context(), wallet.Query{Open: true}) {
				between = e
			}
			simulated = st.hits("simulateTransaction")
		}
	}})
	require.NoError(t, err)
	require.True(t, result.Confirmed())
	require.True(t, result.Report.Simulated)
	require.Empty(t, result.Report.Blind)
	require.Len(t, between.Steps, 2)
	require.Equal(t, wallet.KeyConfirmed, between.Steps[0].State)
	require.Equal(t, wallet.KeyClaimed, between.Steps[1].State)
	require.Empty(t, between.Steps[1].Own, "step 2 is not signed")
	require.Empty(t, between.Steps[1].Transaction)
	require.Greater(t, st.hits("simulateTransaction"), simulated, "the second was simulated again")
	require.Empty(t, st.s.Violations())
}

// TestSignedWhole: a bundle, and what a person approved, are not signed step by step.
func TestSignedWhole(t *testing.T) {
	st := newStairs(t)
	u, w := st.build(t), st.wallet(t, wallet.NewMemoryJournal())
	_, approved := w.Execute(t.Context(), u, wallet.ExecuteOptions{Approved: strings.Repeat("0", 64)})
	_, bundled := w.ExecuteBundle(t.Context(), u, noRelay{}, wallet.ExecuteOptions{})
	for text, err := range map[string]error{"a person has approved": approved, "it is sent as a bundle": bundled} {
		var refusal *signing.GuardError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, signing.RuleBlind, refusal.Rule)
		require.ErrorContains(t, err, "it cannot be signed step by step, as "+text)
		require.ErrorIs(t, err, walletfi.ErrNotSent)
	}
	require.Zero(t, st.sentMessages())
}

// noRelay is never asked.
type noRelay struct{ walletfi.BundleSubmitter }

// TestPlaceStopsBetweenSteps: Place goes on by what the journal has, in another process and
// without the builder.
func TestPlaceStopsBetweenSteps(t *testing.T) {
	st := newStairs(t)
	journal := wallet.NewMemoryJournal()
	var built, stages int
	order := wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
		if built++; built > 1 {
			return walletfi.Unsigned{}, walletfi.ErrUnavailable // of what is left, the service knows no position
		}
		return st.sell.Build(ctx)
	})
	placed, err := st.wallet(t, journal).Place(t.Context(), order, wallet.PlaceOptions{Key: "sell", Progress: func(p wallet.PlaceProgress) {
		st.turned.Store(p.Confirmed > 0)
	}})
	w := st.wallet(t, journal)
	for range 2 {
		var stage *wallet.StageError
		require.ErrorAs(t, err, &stage)
		require.Equal(t, wallet.StageGuard, stage.Stage)
		require.ErrorContains(t, err, "transaction 2 is not signed: ")
		require.ErrorContains(t, err, "Place or Execute with the same key goes on")
		_, err = w.Place(t.Context(), order, wallet.PlaceOptions{Key: "sell"})
	}
	require.Equal(t, wallet.StateNotSigned, placed.Result.Steps[1].State)
	require.Equal(t, 1, st.sentMessages())
	st.turned.Store(false)
	outcome, err := w.Outcome(t.Context(), "sell")
	require.NoError(t, err)
	require.Equal(t, wallet.StateNotSigned, outcome.State)
	again, err := w.Place(t.Context(), order, wallet.PlaceOptions{Key: "sell", Progress: func(p wallet.PlaceProgress) {
		if p.Stage == wallet.StageBuild {
			stages++
		}
	}})
	require.NoError(t, err)
	require.True(t, again.Result.Confirmed())
	require.Equal(t, placed.Result.Steps[0].Signature, again.Result.Steps[0].Signature)
	require.Equal(t, placed.Intent, again.Intent)
	require.Zero(t, stages)
	require.Equal(t, 2, st.sentMessages())
}

// TestStopBetweenSteps: a set that stops there says so, and the same key goes on.
func TestStopBetweenSteps(t *testing.T) {
	fails := sandbox.Fault{Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`)}
	for name, stop := range map[string]func(*stairs, func()) (start func()){
		"the node does not simulate": func(st *stairs, _ func()) func() {
			return st.s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "simulateTransaction"}, fails)
		},
		"what the first has changed is not known": func(st *stairs, _ func()) func() {
			return st.s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "getTransaction"}, fails)
		},
		"the caller gives up": func(_ *stairs, cancel func()) func() {
			cancel()
			return func() {}
		},
		"the guard refuses it": func(st *stairs, _ func()) func() {
			st.turned.Store(true)
			return func() { st.turned.Store(false) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := newStairs(t)
			journal := wallet.NewMemoryJournal()
			w := st.wallet(t, journal)
			u := st.build(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var start func()
			result, err := w.Execute(ctx, u, wallet.ExecuteOptions{Key: "sell", Progress: func(int, int) { start = stop(st, cancel) }})
			require.ErrorIs(t, err, wallet.ErrStopped)
			require.ErrorContains(t, err, "transaction 2 is not signed: the execution stopped before it: ")
			require.ErrorContains(t, err, "Place or Execute with the same key goes on")
			require.Equal(t, wallet.StateConfirmed, result.Steps[0].State)
			require.Equal(t, wallet.StateNotSigned, result.Steps[1].State)
			require.Empty(t, result.Steps[1].Signed.Transaction)
			require.Equal(t, []int{1}, result.Remaining())

			start()
			other := u
			other.Transactions = []walletfi.EncodedTransaction{u.Transactions[1], u.Transactions[0]}
			result, err = w.Execute(t.Context(), other, wallet.ExecuteOptions{Key: "sell"})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
			for i, tx := range u.Transactions {
				want, err := signing.Decode(tx)
				require.NoError(t, err)
				signature, err := signing.ParseSignature(result.Steps[i].Signature)
				require.NoError(t, err)
				require.True(t, signature.Verify(want.FeePayer(), want.Message()), "those that were begun, whatever is given")
			}
			again, err := w.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "sell"})
			require.NoError(t, err)
			require.Equal(t, result.Signatures(), again.Signatures())
			require.Equal(t, 2, st.sentMessages(), "each of the set, and no other")
		})
	}
}
