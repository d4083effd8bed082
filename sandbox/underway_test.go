package sandbox_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// overReset is a request's body in the midst of which the state begins again: the server reads it already.
type overReset struct {
	io.Reader
	reset func()
}

func (b overReset) Read(into []byte) (int, error) {
	b.reset()
	return b.Reader.Read(into)
}

// TestResetCutsOffWhatIsUnderWay: a request that came to the old state leaves nothing in the new one, and one
// that a fault delays does not wait any longer.
func TestResetCutsOffWhatIsUnderWay(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true, Network: &sandbox.Network{}})
	reset := func() { assert.NoError(t, sandbox.Reset(p.Sandbox, sandbox.PartState)) }
	reset()
	fresh, wallet := snapshotOf(t, p.Sandbox), p.WalletAddress()
	patient := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute, DisableKeepAlives: true}}
	for url, body := range map[string]string{
		p.URL(sandbox.RPC):                    `{"jsonrpc":"2.0","id":1,"method":"requestAirdrop","params":["` + wallet + `",1]}`,
		p.URL(sandbox.Lending) + "/v1/none":   `{}`,
		p.URL(sandbox.BurnClose) + "/v1/none": `{"a":1}`,
	} {
		times := 0
		r, err := http.NewRequest("POST", url, overReset{strings.NewReader(body), sync.OnceFunc(func() {
			times++
			reset()
		})})
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Expect", "100-continue")
		_, err = patient.Do(r)
		require.Error(t, err, url)
		require.Equal(t, 1, times)
	}

	p.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Delay: time.Hour})
	cut := make(chan error, 1)
	go func() {
		r, err := http.NewRequest("GET", p.URL(sandbox.Lending)+"/v1/pools", nil)
		assert.NoError(t, err)
		r.Header.Set("X-Api-Key", p.APIKey(sandbox.Lending))
		_, err = patient.Do(r)
		cut <- err
	}()
	require.Eventually(t, func() bool { return len(p.Hits()) > 0 }, time.Minute, time.Millisecond)
	reset()
	require.Error(t, <-cut)

	assert.Empty(t, p.Hits())
	assert.Empty(t, p.Violations())
	assert.Empty(t, sandbox.Requests(p.Sandbox, sandbox.Exchange{}))
	p.Advance(time.Minute)
	assert.EqualValues(t, uint64(100_000_000_000), p.Ledger().Balance(wallet))
	assert.InDelta(t, len(fresh), len(snapshotOf(t, p.Sandbox)), float64(len(fresh))/4, "one ledger")
}

// TestFaultOfASnapshotIsUndone: what undoes a fault undoes it after it was restored too, and no other.
func TestFaultOfASnapshotIsUndone(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	match := sandbox.Route{Service: sandbox.Lending}
	p.Fault(match, sandbox.Fault{Status: 500, Times: 1})
	remove := p.Fault(match, sandbox.Fault{Status: 503})
	id := p.do("POST", "/fault", `{"match":{"service":"lending"},"fault":{"status":502}}`)["id"].(string)
	shot := snapshotOf(t, p.Sandbox)
	require.Equal(t, 500, p.poolsAs("one", "/v1/pools"))
	later := p.Fault(match, sandbox.Fault{Status: 501})
	require.NoError(t, sandbox.Restore(p.Sandbox, shot))
	again := p.Fault(match, sandbox.Fault{Status: 501})
	later()
	require.Equal(t, 500, p.poolsAs("one", "/v1/pools"))
	require.Equal(t, 503, p.poolsAs("one", "/v1/pools"))
	remove()
	require.Equal(t, 502, p.poolsAs("one", "/v1/pools"))
	p.do("POST", "/undo", `{"id":"`+id+`"}`)
	require.Equal(t, 501, p.poolsAs("one", "/v1/pools"), "a fault from before the restoring is not this one")
	again()
	assert.Equal(t, 200, p.poolsAs("one", "/v1/pools"))

	require.NoError(t, sandbox.Restore(p.Sandbox, shot))
	twin := openPort(t, sandbox.Config{Snapshot: shot})
	added := twin.Fault(match, sandbox.Fault{Status: 501})
	require.NoError(t, sandbox.Restore(p.Sandbox, snapshotOf(t, twin.Sandbox)))
	remove()
	added()
	require.Equal(t, 500, p.poolsAs("one", "/v1/pools"))
	require.Equal(t, 502, p.poolsAs("one", "/v1/pools"))
}

// TestRestoreDuringEverythingElse is for go test -race: methods may be called from any number of goroutines.
func TestRestoreDuringEverythingElse(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true, NoLimits: true, Tenants: []sandbox.Tenant{{Name: "alice"}}})
	shot := snapshotOf(t, p.Sandbox)
	ask := func(method, url, body string) { // which may be cut off
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		assert.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		if answer, err := p.client.Do(r); err == nil {
			answer.Body.Close()
		}
	}
	var all sync.WaitGroup
	over, counts := make(chan bool), make([]int, 7)
	for i, do := range []func(n int){
		func(int) { p.Options().Clock.Now() },
		func(int) {
			p.Options().Clock.(interface {
				Draw(time.Duration) time.Duration
			}).Draw(time.Second)
		},
		func(int) { _ = sandbox.Tenants(p.Sandbox) },
		func(n int) {
			access, err := sandbox.AddTenant(p.Sandbox, sandbox.Tenant{Name: fmt.Sprint("t", n)})
			assert.True(t, err != nil || access.Address != "")
		},
		func(int) { p.Advance(time.Second) },
		func(int) { ask("GET", p.URL(sandbox.Lending)+"/v1/pools", "") },
		func(int) {
			ask("POST", p.URL(sandbox.RPC), `{"jsonrpc":"2.0","id":1,"method":"getSupply"}`)
			p.request("GET", "/", "", byPassword(p))
		},
	} {
		all.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				do(counts[i])
				counts[i]++
			}
		})
	}
	for restored := 0; restored < 5; {
		err := sandbox.Restore(p.Sandbox, shot)
		if err == nil {
			restored++
			continue
		}
		require.ErrorContains(t, err, "clock is being moved")
	}
	require.NoError(t, sandbox.Reset(p.Sandbox, sandbox.PartState))
	close(over)
	all.Wait()
	assert.NotContains(t, counts, 0)
	require.NoError(t, sandbox.Restore(p.Sandbox, shot))
	assert.Len(t, sandbox.Tenants(p.Sandbox), 1)
}
