package rpcnode_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
)

// TestHeadOfOneMethodAheadOfAnother: heads are told by a node that is ahead of the one
// which shows blocks. An earlier head serves as soon as its block is shown.
func TestHeadOfOneMethodAheadOfAnother(t *testing.T) {
	m := makeLedger(t)
	shown := m.final().slot - 10
	m.hides = func(slot uint64) bool { return slot > shown }
	c := m.client()
	_, err := c.FinalHead(t.Context())
	require.ErrorIs(t, err, walletfi.ErrUnavailable, "its block is not shown yet")
	first := m.head(m.final().slot)
	m.tip, shown = m.tip+5, shown+5
	_, err = c.FinalHead(t.Context())
	require.Error(t, err)
	m.tip, shown = m.tip+5, shown+5
	head, err := c.FinalHead(t.Context())
	require.NoError(t, err)
	require.Equal(t, first, head, "the first that was told is shown by now")
	m.tip, shown = m.tip+5, m.tip
	head, err = c.FinalHead(t.Context())
	require.NoError(t, err)
	require.Equal(t, m.head(m.final().slot), head, "the newest")
	// One that was never true is not shown by time.
	m.edit = func(method string, result any) any {
		if method == "getEpochInfo" {
			result.(map[string]any)["blockHeight"] = uint64(9)
		}
		return result
	}
	for range 3 {
		m.tip++
		_, err = c.FinalHead(t.Context())
		require.Error(t, err)
	}
}

// TestHeadThatIsNeverShown: one that was told long ago may be in a gap of what the node has, or in blocks that it has
// dropped. Those that were told after it serve, each by its own block.
func TestHeadThatIsNeverShown(t *testing.T) {
	for _, never := range []struct {
		name string
		set  func(m *made, slot uint64)
	}{
		{"in a gap", func(m *made, slot uint64) { m.skips = func(s uint64) bool { return s == slot } }},
		{"dropped", func(m *made, slot uint64) { m.drops = func(s uint64) bool { return s <= slot } }},
	} {
		t.Run(never.name, func(t *testing.T) {
			m := makeLedger(t)
			m.hides = func(slot uint64) bool { return slot > m.final().slot-10 }
			c := m.client()
			first := m.final().slot
			never.set(m, first)
			for told := range 5 {
				head, err := c.FinalHead(t.Context())
				m.tip += 5
				if told < 3 {
					require.ErrorIs(t, err, walletfi.ErrUnavailable, "%d", told)
					continue
				}
				require.NoError(t, err, "%d", told)
				require.Equal(t, m.head(first+uint64(told-2)*5), head)
			}
			spent := m.spent()["getBlock"]
			require.LessOrEqual(t, spent, 12, "a dropped block is not asked for again")
		})
	}
}

// TestBlockOfPastAGap: a block that the node does not have lies between the newest and
// the one that is looked for.
func TestBlockOfPastAGap(t *testing.T) {
	m := makeLedger(t)
	near, want := m.head(2700), m.head(2650)
	m.hides = func(slot uint64) bool { return slot == 2661 || slot == 2662 || slot == 2900 }
	block, err := m.client().BlockOf(t.Context(), m.blocks[2650].hash, near)
	require.NoError(t, err)
	require.Equal(t, want, block)
	_, err = m.client().BlockOf(t.Context(), m.blocks[2661].hash, near)
	require.ErrorIs(t, err, walletfi.ErrNotFound)
}

// TestBlockOfInAGap: the block that is looked for is not there, and the one after it tells its slot, height and hash.
// One that is there in another form is not believed by that.
func TestBlockOfInAGap(t *testing.T) {
	in := func(slot uint64) bool { return slot == 2656 }
	for what, lacking := range map[string]func(*made){
		"skipped":         func(m *made) { m.skips = in },
		"dropped":         func(m *made) { m.drops = func(slot uint64) bool { return slot <= 2656 } },
		"not reached":     func(m *made) { m.hides = in },
		"not archived":    func(m *made) { m.archiveLacks = in },
		"with one before": func(m *made) { m.skips = func(slot uint64) bool { return slot == 2655 || slot == 2656 } },
	} {
		m := makeLedger(t)
		lacking(m)
		block, err := m.client().BlockOf(t.Context(), m.blocks[2656].hash, m.head(2700))
		require.NoError(t, err, what)
		require.Equal(t, m.head(2656), block, what)
	}
	m := makeLedger(t)
	want := m.blocks[2656].hash
	m.blocks[2656].hash = hashOf(1)
	_, err := m.client().BlockOf(t.Context(), want, m.head(2700))
	require.Error(t, err)
}

// TestIdentity: a node is known by a digest of its address, which tells no key of it.
func TestIdentity(t *testing.T) {
	of := func(url string) string {
		c, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(url)})
		require.NoError(t, err)
		return c.Identity()
	}
	require.Equal(t, of("https://node.example/key-1"), of("https://node.example/key-1"))
	require.NotEqual(t, of("https://node.example/key-1"), of("https://node.example/key-2"))
	require.Regexp(t, "^[0-9a-f]{16}$", of("https://node.example/key-1"))
}

// TestWhatANodeCanShow: each kind of proof is tried, and the node's own words say why
// one is not possible.
func TestWhatANodeCanShow(t *testing.T) {
	for what, row := range map[string]struct {
		change                        func(*made)
		recent, old, sponsored, nonce bool
		missing                       []string
	}{
		"all":         {func(*made) {}, true, true, true, true, nil},
		"no history":  {func(m *made) { m.noHistory = true }, true, false, true, true, []string{"earlier: "}},
		"a short one": {func(m *made) { m.from = 2700 }, true, false, true, true, []string{"earlier: "}},
		"blocks without transactions": {func(m *made) {
			m.say["getSignatureStatuses"] = `{"error":{"code":-32601,"message":"not with this plan"}}`
		}, false, false, true, true, []string{"just now: ", "earlier: "}},
		"no accounts' history": {func(m *made) {
			m.say["getSignaturesForAddress"] = `{"error":{"code":-32601,"message":"not with this plan"}}`
		}, true, true, true, false, []string{"the history of an account: "}},
		"no heads": {func(m *made) {
			m.say["getEpochInfo"] = `{"error":{"code":-32601,"message":"no"}}`
		}, false, false, false, false, []string{"a finalized block: "}},
		"no blockhashes": {func(m *made) {
			m.say["isBlockhashValid"] = `{"error":{"code":-32601,"message":"not with this plan"}}`
		}, false, false, false, false, []string{"the end of a blockhash: "}},
	} {
		a := ability(t, row.change)
		want, can := []bool{row.recent, row.old, row.sponsored, row.nonce}, []bool{a.Recent, a.Old, a.Sponsored, a.Nonces}
		require.Equal(t, want, can, "%s: %v", what, a)
		require.Len(t, a.Missing, len(row.missing), what)
		for i, words := range row.missing {
			require.Contains(t, a.Missing[i], words, what)
			require.Contains(t, a.String(), a.Missing[i], what)
		}
		if row.recent {
			require.Less(t, a.RecentCalls, 60, what)
			require.Contains(t, a.String(), "expired, just now: can be proven, in about ", what)
		}
		if row.old {
			require.Greater(t, a.OldCalls, 151, what)
			require.Less(t, a.OldCalls, 300, what)
		}
	}
}

// ability asks a node what it can show. The node gets no older between the questions.
func ability(t *testing.T, change func(*made)) (a *rpcnode.Ability) {
	synctest.Test(t, func(t *testing.T) {
		m := makeLedger(t)
		m.tip = 3100
		change(m)
		var err error
		a, err = m.client().Prove(t.Context())
		require.NoError(t, err)
	})
	return a
}

// TestProveAgain: a node that lags itself is asked again.
func TestProveAgain(t *testing.T) {
	hidden := 2
	a := ability(t, func(m *made) {
		m.edit = func(method string, result any) any {
			if method == "getBlock" && hidden > 0 {
				hidden--
				return nil
			}
			return result
		}
	})
	require.True(t, a.Recent)
	require.Zero(t, hidden)
}

// TestProveOfANodeThatIsAway: it has shown nothing of itself.
func TestProveOfANodeThatIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		node, err := rpcnode.New(rpcnode.Config{
			URL: walletfi.NewSecret("https://node.example"), HTTPClient: &http.Client{Transport: &http.Transport{DialContext: away}},
		})
		require.NoError(t, err)
		begun := time.Now()
		_, err = node.Prove(t.Context())
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		require.Less(t, time.Since(begun), time.Minute)
	})
}

// TestCosts: a call counts as many requests of the limit as its provider says.
func TestCosts(t *testing.T) {
	limit := &slots{}
	cfg := rpcnode.Config{
		URL: walletfi.NewSecret("https://node.example"), Limiter: limit, Costs: map[string]int{"getBlockHeight": 10},
		HTTPClient: &http.Client{Transport: inMemory(says(200, `{"jsonrpc":"2.0","id":1,"result":7}`))},
	}
	node, err := rpcnode.New(cfg)
	require.NoError(t, err)
	cfg.Costs["getBlockHeight"] = 99 // it is not shared
	_, err = node.BlockHeight(t.Context())
	require.NoError(t, err)
	require.Equal(t, 10, limit.sent)
	_, _ = node.Genesis(t.Context())
	require.Equal(t, 11, limit.sent, "what is not listed counts once")
	require.Zero(t, limit.under)
	cfg.Costs = map[string]int{"getBlock": 0}
	_, err = rpcnode.New(cfg)
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "costs", invalid.Field)
}

// TestNodeThatHasHadTooMuch: after 429 it is left alone by every call for as long as it
// says, a minute at most.
func TestNodeThatHasHadTooMuch(t *testing.T) {
	for _, row := range []struct {
		says string
		wait time.Duration
	}{{"5", 5 * time.Second}, {"", 500 * time.Millisecond}, {"3600", time.Minute}} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			var asked []time.Duration
			node := onFake(t, func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
				asked = append(asked, time.Since(begun))
				if len(asked) > 1 {
					says(200, `{"jsonrpc":"2.0","id":1,"result":7}`)(w, "", nil)
					return
				}
				if row.says != "" {
					w.Header().Set("Retry-After", row.says)
				}
				says(429, "")(w, "", nil)
			})
			pauses := node.SkipPauses()
			_, _ = node.BlockHeight(t.Context())
			_, err := node.BlockHeight(t.Context())
			require.NoError(t, err)
			require.NotNil(t, pauses)
			require.GreaterOrEqual(t, asked[1], row.wait)
			require.Less(t, asked[1], row.wait+time.Second/2)
		})
	}
}
