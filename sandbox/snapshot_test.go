package sandbox_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox"
)

func snapshotOf(t *testing.T, s *sandbox.Sandbox) []byte {
	t.Helper()
	raw, err := sandbox.Snapshot(s)
	require.NoError(t, err)
	return raw
}

// traded is a sandbox in which something has happened, and a snapshot of it.
func traded(t *testing.T, c sandbox.Config) (*trader, []byte) {
	b := newTrader(t, c)
	b.send(b.order("SOL", "USDC", "1000000"))
	_, err := sandbox.AddTenant(b.Sandbox, sandbox.Tenant{Name: "alice"})
	require.NoError(t, err)
	b.Advance(time.Minute)
	return b, snapshotOf(t, b.Sandbox)
}

func (b *trader) lamports() uint64 { return b.Ledger().Balance(b.WalletAddress()) }

func TestSnapshotStartsAndRestores(t *testing.T) {
	b, raw := traded(t, sandbox.Config{ManualClock: true, Seed: 5, Tiers: map[sandbox.Service]sandbox.Tier{sandbox.Swap: sandbox.TierPro}})
	other := newTrader(t, sandbox.Config{Snapshot: raw, Seed: 5})
	assert.Equal(t, b.Now(), other.Now())
	assert.Equal(t, b.APIKey(sandbox.Lending), other.APIKey(sandbox.Lending))
	assert.Len(t, sandbox.Tenants(other.Sandbox), 1)
	assert.Equal(t, b.lamports(), other.lamports())
	assert.True(t, bytes.Equal(raw, snapshotOf(t, other.Sandbox)))

	other.Fault(sandbox.Route{Service: sandbox.Swap}, sandbox.Fault{Status: 503})
	other.Advance(time.Hour)
	require.NoError(t, sandbox.Restore(other.Sandbox, raw))
	assert.True(t, bytes.Equal(raw, snapshotOf(t, other.Sandbox)))
	other.send(other.order("SOL", "USDC", "1000000"))
	assert.Less(t, other.lamports(), b.lamports())

	stranger := newTrader(t, sandbox.Config{})
	require.NoError(t, sandbox.Restore(stranger.Sandbox, raw))
	assert.Equal(t, b.Now(), stranger.Now(), "the clock is the snapshot's, and stands")
	assert.Equal(t, b.WalletAddress(), stranger.WalletAddress())
	assert.True(t, bytes.Equal(raw, snapshotOf(t, stranger.Sandbox)))
}

// A sandbox starts from its snapshot with the configuration that it was started with, whatever that sets.
func TestSnapshotStartsWithTheSameConfiguration(t *testing.T) {
	alice := sandbox.Tenant{Name: "alice", Keys: map[sandbox.Service]string{sandbox.Swap: "alice-swap"}}
	c := sandbox.Config{
		Seed: 3, ManualClock: true, Start: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), SlotTime: time.Second,
		FeedStep: time.Second, InstantConfirmation: true, NoLimits: true,
		Tiers: map[sandbox.Service]sandbox.Tier{sandbox.Swap: sandbox.TierPro},
		Shape: 1, StrictEcho: true, Drift: true, CompiledInner: true, PredictMetaLimit: 7,
		Tenants: []sandbox.Tenant{alice, {Name: "carol"}}, WebhookTimeout: time.Second, LendingWebhook: "http://127.0.0.1:1",
		Network: &sandbox.Network{
			SkipEvery: 7, Nodes: []sandbox.Node{{}, {Lag: 5}}, Fees: &sandbox.FeeMarket{Curve: sandbox.FeesRising},
		},
	}
	b := newTrader(t, c)
	_, err := sandbox.AddTenant(b.Sandbox, sandbox.Tenant{Name: "bob"})
	require.NoError(t, err)
	c.Snapshot = snapshotOf(t, b.Sandbox)
	twin := newTrader(t, c)
	had, has := sandbox.Tenants(b.Sandbox), sandbox.Tenants(twin.Sandbox)
	require.Len(t, has, 3)
	for i, tenant := range had {
		assert.Equal(t, tenant.Key(sandbox.Swap), has[i].Key(sandbox.Swap))
		assert.Equal(t, tenant.Address, has[i].Address)
		assert.EqualValues(t, uint64(100_000_000_000), twin.Ledger().Balance(tenant.Address), "endowed once")
	}
	assert.True(t, bytes.Equal(c.Snapshot, snapshotOf(t, twin.Sandbox)))
	c.Tenants = []sandbox.Tenant{alice, {Name: "dave"}}
	_, err = sandbox.Start(c)
	require.ErrorContains(t, err, "Config.Tenants")
}

func TestSnapshotOfARunningClock(t *testing.T) {
	_, raw := traded(t, sandbox.Config{Start: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)})
	s := newTrader(t, sandbox.Config{Snapshot: raw})
	now := s.Now()
	assert.Less(t, now.Sub(time.Date(2030, 1, 1, 0, 1, 0, 0, time.UTC)), time.Minute)
	assert.Eventually(t, func() bool { return s.Now().After(now) }, time.Minute, time.Millisecond)
	s.send(s.order("SOL", "USDC", "1000000"))
}

// What is no snapshot, or does not fit, is refused with words, and changes nothing.
func TestSnapshotIsRefused(t *testing.T) {
	b, raw := traded(t, sandbox.Config{ManualClock: true, LendingWebhook: "http://127.0.0.1:1"})
	b.Advance(time.Minute)
	before := snapshotOf(t, b.Sandbox)
	damaged := bytes.Clone(raw)
	damaged[len(raw)/2] ^= 1
	vendor := &deployment.Deployment{}
	for want, refused := range map[string][]byte{
		"no snapshot": []byte("hello"), "no snapshot of": {}, "cut or damaged": raw[:len(raw)-1], "cut": raw[:60],
		"damaged": damaged,
	} {
		require.ErrorContains(t, sandbox.Restore(b.Sandbox, refused), want)
		if len(refused) > 0 {
			_, err := sandbox.Start(sandbox.Config{Snapshot: refused})
			require.ErrorContains(t, err, want)
		}
	}
	for want, c := range map[string]sandbox.Config{
		"Config.Seed": {Seed: 7}, "Config.SlotTime": {SlotTime: time.Second}, "Config.NoLimits": {NoLimits: true},
		"Config.Start": {Start: time.Unix(1, 0)}, "Config.Network": {Network: &sandbox.Network{}}, "another Deployment": {Deployment: vendor},
	} {
		c.Snapshot = raw
		_, err := sandbox.Start(c)
		require.ErrorContains(t, err, want)
	}
	two := newTrader(t, sandbox.Config{ManualClock: true, Network: &sandbox.Network{Nodes: make([]sandbox.Node, 2)}})
	require.ErrorContains(t, sandbox.Restore(b.Sandbox, snapshotOf(t, two.Sandbox)), "2 nodes, the sandbox has 1")
	assert.True(t, bytes.Equal(before, snapshotOf(t, b.Sandbox)))
}

// Whoever waits on the sandbox's clock waits for as long as without the restoring.
func TestRestoreKeepsWhatClientsWaitFor(t *testing.T) {
	b, raw := traded(t, sandbox.Config{ManualClock: true})
	b.Advance(24 * time.Hour)
	ended := make(chan time.Time, 1)
	b.Options().Clock.AfterFunc(time.Hour, func() { ended <- b.Now() })
	b.Advance(40 * time.Minute)
	require.NoError(t, sandbox.Restore(b.Sandbox, raw))
	start := b.Now()
	b.Advance(19 * time.Minute)
	require.Empty(t, ended)
	b.Advance(time.Minute)
	assert.False(t, (<-ended).Before(start.Add(20*time.Minute)))
}

func TestSnapshotByTheControlPort(t *testing.T) {
	b, raw := traded(t, sandbox.Config{ManualClock: true, Control: &sandbox.ControlPort{}})
	token := b.APIKey(sandbox.Control)
	call := func(method, path, body string) (answer struct{ Snapshot []byte }) {
		r, err := http.NewRequest(method, b.URL(sandbox.Control)+path, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer response.Body.Close()
		require.Equal(t, 200, response.StatusCode)
		require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
		return answer
	}
	assert.True(t, bytes.Equal(raw, call("GET", "/snapshot", "").Snapshot))
	assert.NotContains(t, string(raw), token)
	b.Advance(time.Hour)
	call("POST", "/restore", `{"snapshot":"`+base64.StdEncoding.EncodeToString(raw)+`"}`)
	assert.True(t, bytes.Equal(raw, call("GET", "/snapshot", "").Snapshot), "and the token is good still")
}

// A sandbox starts from a snapshot in at most 50 ms on a machine that is idle. The bound of the
// test is that of a busy one.
func TestSnapshotStartsQuickly(t *testing.T) {
	b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true})
	for range 200 {
		b.send(b.order("SOL", "USDC", "1000000"))
		b.Advance(time.Second)
	}
	raw := snapshotOf(t, b.Sandbox)
	best := time.Hour
	for range 5 {
		began := time.Now()
		s, err := sandbox.Start(sandbox.Config{Snapshot: raw})
		best = min(best, time.Since(began))
		require.NoError(t, err)
		s.Close()
	}
	t.Logf("a sandbox starts from a snapshot of %d KiB in %v", len(raw)>>10, best)
	assert.Less(t, best, 5*time.Second)
}
