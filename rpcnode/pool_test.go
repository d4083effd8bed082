package rpcnode_test

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// onPool runs test with a pool of a sandbox's nodes, in a bubble.
func onPool(t *testing.T, nodes []sandbox.Node, test func(t *testing.T, s *sandbox.Sandbox, p *rpcnode.Pool)) {
	t.Helper()
	s, err := sandbox.Start(sandbox.Config{ManualClock: true, NoLimits: true, Network: &sandbox.Network{Nodes: nodes}})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	synctest.Test(t, func(t *testing.T) {
		var clients []*rpcnode.Client
		for i := range nodes {
			c, err := rpcnode.New(rpcnode.Config{
				URL: walletfi.NewSecret(s.Ledger().NodeURL(i)), HTTPClient: &http.Client{Transport: s.Transport()}, SkipPreflight: true,
			})
			require.NoError(t, err)
			clients = append(clients, c)
		}
		p, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: clients})
		require.NoError(t, err)
		require.Len(t, p.Nodes(), len(nodes))
		test(t, s, p)
	})
}

// TestPoolReadsFromAHealthyNode: one that lags, that never answers or that is
// gone costs a moment at first and nothing after it.
func TestPoolReadsFromAHealthyNode(t *testing.T) {
	for name, nodes := range map[string][]sandbox.Node{
		"lags":           {{Lag: 30}, {}},
		"delinquent":     {{Lag: 500}, {}},
		"silent":         {{Silent: true}, {}},
		"silent of 3":    {{Silent: true}, {Lag: 1}, {}},
		"both lag a bit": {{Lag: 2}, {Lag: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			onPool(t, nodes, func(t *testing.T, s *sandbox.Sandbox, p *rpcnode.Pool) {
				begun := time.Now()
				for i := range 30 {
					head, err := p.Head(t.Context())
					require.NoError(t, err)
					require.GreaterOrEqual(t, head.Slot, s.Ledger().Slot()-4)
					require.Less(t, head.Height, head.Slot)
					if i == 0 {
						require.LessOrEqual(t, time.Since(begun), 2*time.Second)
						begun = time.Now()
					}
				}
				require.Zero(t, time.Since(begun), "no time goes by while a node answers")
				_, _, err := p.LatestBlockhash(t.Context())
				require.NoError(t, err)
				got, err := p.SignatureStatuses(t.Context(), []string{solana.Signature{1}.String()})
				require.NoError(t, err)
				require.Equal(t, []walletfi.SignatureStatus{{}}, got.Statuses)
				require.Positive(t, got.AsOfSlot)
			})
		})
	}
}

// TestPoolSubmits: one node that takes it is enough; "not sent" takes all.
func TestPoolSubmits(t *testing.T) {
	onPool(t, []sandbox.Node{{}, {Silent: true}, {}}, func(t *testing.T, s *sandbox.Sandbox, p *rpcnode.Pool) {
		key, err := signing.NewLocalKey(s.Wallet())
		require.NoError(t, err)
		b := &bench{s: s, key: key, me: solana.PublicKey(key.PublicKey())}
		b.Client = p.Nodes()[0].(*rpcnode.Client)
		tx := b.payment(t, 2_000_000)
		signature, err := p.Submit(t.Context(), tx)
		require.NoError(t, err)
		require.Equal(t, tx.Signature, signature)
		s.Advance(2 * time.Second)
		require.True(t, s.Ledger().TransactionStatus(signature).Found)
		require.GreaterOrEqual(t, b.hits("sendTransaction"), 2, "to several")

		s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "sendTransaction"}, sandbox.Fault{Status: 403, Times: 1})
		_, err = p.Submit(t.Context(), b.payment(t, 3_000_000))
		require.NoError(t, err, "the other takes it")
		s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "sendTransaction"}, sandbox.Fault{Status: 403, Times: 2})
		_, err = p.Submit(t.Context(), b.payment(t, 4_000_000))
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "sendTransaction"}, sandbox.Fault{Garbage: true, Times: 1})
		s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "sendTransaction"}, sandbox.Fault{Status: 403, Times: 1})
		_, err = p.Submit(t.Context(), b.payment(t, 5_000_000))
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "one of them may have sent it")
	})
}

func TestPoolIsChecked(t *testing.T) {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("https://node.example")})
	require.NoError(t, err)
	for field, c := range map[string]rpcnode.PoolConfig{
		"nodes": {}, "sendTo": {Nodes: []*rpcnode.Client{node}, SendTo: -1}, "tryTimeout": {Nodes: []*rpcnode.Client{node}, TryTimeout: -1},
	} {
		_, err := rpcnode.NewPool(c)
		var invalid *walletfi.ValidationError
		require.ErrorAs(t, err, &invalid)
		require.Equal(t, field, invalid.Field)
	}
}

// TestPoolAsksAnotherNode: each read of a pool is the next node's own answer if the best
// node refuses it.
func TestPoolAsksAnotherNode(t *testing.T) {
	account, signature := signing.PublicKey{9}, solana.Signature{1}.String()
	tx, err := signing.Decode(signedOffline(t).Transaction)
	require.NoError(t, err)
	simulated := &fakeNode{slot: 7, simulate: simulatedFine, balance: func(int) uint64 { return 9 }}
	for name, row := range map[string]struct {
		answer answers
		ask    func(reader) (any, error)
	}{
		"SignatureStatus": {
			says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1000},"value":[{"slot":5,"confirmations":null,"err":null,`+
				`"confirmationStatus":"finalized"}]}}`),
			func(r reader) (any, error) { return r.SignatureStatus(t.Context(), signature) },
		},
		"BlockHeight": {
			says(200, `{"jsonrpc":"2.0","id":1,"result":77}`),
			func(r reader) (any, error) { return r.BlockHeight(t.Context()) },
		},
		"FinalTime": {
			says(200, `{"jsonrpc":"2.0","id":1,"result":1764350000}`),
			func(r reader) (any, error) { return r.FinalTime(t.Context(), 7) },
		},
		"DurableNonce": {
			holds(solana.SystemProgramID.String(), nonceData(1, 1), new(int)),
			func(r reader) (any, error) { return r.DurableNonce(t.Context(), account) },
		},
		"LookupTable": {
			holds(tableProgram, tableData(math.MaxUint64, 3), new(int)),
			func(r reader) (any, error) { return r.LookupTable(t.Context(), account) },
		},
		"Accounts": {
			says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":7},"value":[`+accountJSON(5)+`]}}`),
			func(r reader) (any, error) { return r.Accounts(t.Context(), []signing.PublicKey{account}) },
		},
		"Simulate": {
			simulated.answer,
			func(r reader) (any, error) {
				simulated.slot = 7
				return r.Simulate(t.Context(), simulationRequest(tx, shop))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			refused := 0
			first := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
				if method == "getEpochInfo" {
					says(200, `{"jsonrpc":"2.0","id":1,"result":{"absoluteSlot":1000,"blockHeight":900}}`)(w, method, params)
					return
				}
				refused++
				w.WriteHeader(http.StatusForbidden)
			})
			second := onFake(t, row.answer)
			want, err := row.ask(second)
			require.NoError(t, err)
			require.NotZero(t, want)

			p, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: []*rpcnode.Client{first, second}})
			require.NoError(t, err)
			got, err := row.ask(p)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Positive(t, refused, "the best one is asked first")
		})
	}
}

// reader has the methods of both a Client and a Pool.
type reader interface {
	walletfi.Confirmer
	signing.Simulator
	signing.Resolver
	signing.AccountReader
	walletfi.FinalTimer
	BlockHeight(ctx context.Context) (uint64, error)
	DurableNonce(ctx context.Context, account signing.PublicKey) (*rpcnode.DurableNonce, error)
}
