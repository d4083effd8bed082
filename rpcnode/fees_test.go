package rpcnode_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// feeNode answers for all transactions, and for some accounts, and counts.
type feeNode struct {
	global, local string
	mu            sync.Mutex
	asked         [][]string
}

func (f *feeNode) answer(w http.ResponseWriter, method string, params []json.RawMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if method != "getRecentPrioritizationFees" {
		http.Error(w, method, http.StatusTeapot)
		return
	}
	var accounts []string
	text := f.global
	if len(params) > 0 {
		if json.Unmarshal(params[0], &accounts) != nil {
			http.Error(w, "params", http.StatusTeapot)
			return
		}
		text = f.local
	}
	f.asked = append(f.asked, accounts)
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, text)
}

func (f *feeNode) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.asked)
}

// fees writes an answer: pairs of slot and price.
func fees(pairs ...uint64) string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, fmt.Sprintf(`{"slot":%d,"prioritizationFee":%d}`, pairs[i], pairs[i+1]))
	}
	return "[" + strings.Join(all, ",") + "]"
}

func account(n byte) string { return solana.PublicKey{1, n}.String() }

// TestRecentFees: of each slot the greater of both markets, 0 for a slot without a price, and
// one question for all who ask within a slot.
func TestRecentFees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feeNode{global: fees(12, 5, 10, 9, 13, 0), local: fees(13, 8, 10, 2, 15, 1<<63)}
		node := onFake(t, f.answer)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				recent, err := node.RecentFees(t.Context(), []string{account(2), account(1)})
				require.NoError(t, err)
				require.Equal(t, []uint64{9, 0, 5, 8, 0, 1 << 63}, recent.Prices)
			})
		}
		all.Wait()
		require.Equal(t, [][]string{nil, {account(1), account(2)}}, f.asked)
		paid, err := node.RecentFees(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, []uint64{9, 0, 5, 0}, paid.Prices)
		require.Equal(t, 2, f.count())
		time.Sleep(401 * time.Millisecond)
		_, err = node.RecentFees(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, 3, f.count(), "what is older than a slot is asked for again")
	})
}

// TestRecentFeesUnderALimit: a node with little room is asked less often, and yet each two seconds.
func TestRecentFeesUnderALimit(t *testing.T) {
	for requests, kept := range map[int]time.Duration{
		100: 400 * time.Millisecond, 50: 400 * time.Millisecond, 20: time.Second, 10: 2 * time.Second, 1: 2 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &feeNode{global: fees(1, 1)}
			transport := wiretest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var call call
				if json.NewDecoder(r.Body).Decode(&call) == nil {
					f.answer(call.numbers(w), call.Method, call.Params)
				}
			}))
			node, err := rpcnode.New(rpcnode.Config{
				URL: walletfi.NewSecret("http://localhost"), HTTPClient: &http.Client{Transport: transport},
				Limiter: ratelimit.New(ratelimit.Budget{Requests: requests, Per: time.Second}),
			})
			require.NoError(t, err)
			for asked, wait := range []time.Duration{0, kept, time.Millisecond} {
				time.Sleep(wait)
				_, err := node.RecentFees(t.Context(), nil)
				require.NoError(t, err)
				require.Equal(t, max(1, asked), f.count(), requests)
			}
		})
	}
}

// TestRecentFeesOfManyAccounts: a node takes 128.
func TestRecentFeesOfManyAccounts(t *testing.T) {
	f := &feeNode{global: fees(1, 1), local: fees(1, 2)}
	node := onFake(t, f.answer)
	var many []string
	for i := range byte(130) {
		many = append(many, account(i))
	}
	_, err := node.RecentFees(t.Context(), many)
	require.NoError(t, err)
	require.ElementsMatch(t, many[:128], f.asked[1])
	_, err = node.RecentFees(t.Context(), []string{account(1), "none"})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.ErrorContains(t, err, "writable[1]")
	require.Equal(t, 2, f.count())
}

// TestBadFees: a bad answer is refused, in either market.
func TestBadFees(t *testing.T) {
	for name, bad := range map[string]string{
		"nothing": `[]`, "null": `null`, "a null": `[null]`, "no slot": `[{"prioritizationFee":1}]`, "no price": `[{"slot":1}]`,
		"a slot twice": fees(1, 1, 1, 2), "a price below 0": `[{"slot":1,"prioritizationFee":-1}]`,
		"a text": `[{"slot":1,"prioritizationFee":"1"}]`, "a fraction": `[{"slot":1,"prioritizationFee":1.5}]`,
		"slots far apart": fees(1, 1, 513, 1), "an object": `{"slot":1,"prioritizationFee":1}`,
	} {
		for _, f := range []*feeNode{{global: bad, local: fees(1, 1)}, {global: fees(1, 1), local: bad}} {
			recent, err := onFake(t, f.answer).RecentFees(t.Context(), []string{account(1)})
			require.ErrorIs(t, err, walletfi.ErrDecode, name)
			require.Nil(t, recent.Prices, name)
		}
	}
	apart := &feeNode{global: fees(1, 1), local: fees(1000, 1)}
	_, err := onFake(t, apart.answer).RecentFees(t.Context(), []string{account(1)})
	require.ErrorIs(t, err, walletfi.ErrDecode, "the markets are of different times")
	edge := &feeNode{global: fees(1, 1, 512, 1)}
	paid, err := onFake(t, edge.answer).RecentFees(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, paid.Prices, 512)
}

// TestPoolFees: the median of each slot, whatever a minority says.
func TestPoolFees(t *testing.T) {
	pool := func(answers ...string) *rpcnode.Pool {
		var nodes []*rpcnode.Client
		for _, text := range answers {
			nodes = append(nodes, onFake(t, (&feeNode{global: text, local: text}).answer))
		}
		p, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: nodes})
		require.NoError(t, err)
		return p
	}
	for _, c := range []struct {
		nodes []string
		want  []uint64
	}{
		{[]string{fees(7, 3, 8, 4), fees(7, 5, 8, 1<<63), fees(7, 9, 8, 5)}, []uint64{5, 5}},
		{[]string{fees(7, 3), fees(7, 9)}, []uint64{3}},
		{[]string{fees(7, 3, 8, 4), fees(6, 1, 7, 5), fees(7, 1<<40, 8, 6)}, []uint64{5, 4}},
		{[]string{fees(7, 3), `[]`, fees(7, 9)}, []uint64{3}},
		{[]string{fees(7, 3), fees(7, 9), fees(1_000_000, 9)}, []uint64{3}},
	} {
		recent, err := pool(c.nodes...).RecentFees(t.Context(), []string{account(1)})
		require.NoError(t, err, c.nodes)
		require.Equal(t, c.want, recent.Prices, c.nodes)
	}
	for _, nodes := range [][]string{{fees(7, 3), `[]`}, {fees(7, 3), `[]`, `[]`}, {fees(7, 3), fees(8, 3)}} {
		_, err := pool(nodes...).RecentFees(t.Context(), nil)
		require.ErrorIs(t, err, walletfi.ErrDecode, nodes)
	}
}
