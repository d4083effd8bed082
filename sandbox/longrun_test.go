package sandbox_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/sandbox"
)

// soak makes TestLongRunSoak take its ten days: go test ./sandbox -run Soak -soak
var soak = flag.Bool("soak", false, "soak for ten sandbox days instead of a sample of them")

// trader trades on a sandbox without a connection.
type trader struct {
	*sandbox.Sandbox
	t      *testing.T
	client http.Client
}

func newTrader(t *testing.T, c sandbox.Config) *trader {
	t.Helper()
	s, err := sandbox.Start(c)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return &trader{s, t, http.Client{Transport: s.Transport()}}
}

// do makes a request of a service and decodes its answer.
func (b *trader) do(method, url, body string, answer any) {
	b.t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(b.t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(url, b.URL(sandbox.SocialSearch)) {
		r.Header.Set("Authorization", "Bearer "+b.APIKey(sandbox.SocialSearch))
	}
	response, err := b.client.Do(r)
	require.NoError(b.t, err)
	raw, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	require.Equal(b.t, 200, response.StatusCode, "%s: %s", url, raw)
	require.NoError(b.t, json.Unmarshal(raw, answer), "%s", raw)
}

// order has an order built and returns its transaction.
func (b *trader) order(from, to, amount string) string {
	var built struct{ Transaction string }
	b.do("GET", b.URL(sandbox.Swap)+"/order?inputMint="+b.Mint(from)+"&outputMint="+b.Mint(to)+"&amount="+amount+"&userPublicKey="+b.WalletAddress(), "", &built)
	require.NotEmpty(b.t, built.Transaction)
	return built.Transaction
}

// send signs a transaction that the wallet alone signs and sends it.
func (b *trader) send(transaction string) (signature string) {
	raw, err := base64.StdEncoding.DecodeString(transaction)
	require.NoError(b.t, err)
	copy(raw[1:65], ed25519.Sign(b.Wallet(), raw[65:]))
	var sent struct {
		Result string
		Error  any
	}
	b.do("POST", b.URL(sandbox.RPC), `{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":["`+base64.StdEncoding.EncodeToString(raw)+`",{"encoding":"base64","preflightCommitment":"confirmed"}]}`, &sent)
	require.Nil(b.t, sent.Error)
	return sent.Result
}

// heap is all that is in use once the garbage is gone.
func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

const mib = 1 << 20

// Orders that nobody signs leave nothing behind once their blockhash is over.
func TestLongRunOrdersAreLetGo(t *testing.T) {
	b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true})
	for range 1000 { // the log of requests is full, and stays so
		b.order("SOL", "USDC", "1000000")
	}
	b.Advance(time.Hour)
	before := heap()
	for range 4000 / slower {
		b.order("SOL", "USDC", "1000000")
	}
	built := heap()
	b.Advance(2 * time.Minute)
	after := heap()
	t.Logf("%d orders: %.1f MiB while they can land, %.1f MiB two minutes later", 4000/slower, float64(built-before)/mib, float64(after-before)/mib)
	assert.Less(t, after-before, mib/2)
	assert.Greater(t, built-before, 2*mib/slower, "the orders did not even exist")
}

// What is asked for and never used leaves nothing behind either.
func TestLongRunReadsAreLetGo(t *testing.T) {
	b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true})
	pair := "inputMint=" + b.Mint("SOL") + "&outputMint=" + b.Mint("USDC") + "&amount=1000000"
	var any any
	for name, c := range map[string]struct {
		life time.Duration
		read func()
	}{
		"quotes of swap":  {10 * time.Minute, func() { b.do("GET", b.URL(sandbox.Swap)+"/quote?"+pair, "", &any) }},
		"intents of swap": {15 * time.Minute, func() { b.do("GET", b.URL(sandbox.Swap)+"/intent?"+pair+"&userPublicKey="+b.WalletAddress(), "", &any) }},
		"quotes of amm": {15 * time.Minute, func() {
			b.do("GET", b.URL(sandbox.AMM)+"/compute/swap-base-in?"+pair+"&slippageBps=50&txVersion=V0", "", &any)
		}},
		"searches": {2 * time.Hour, func() {
			b.do("GET", b.URL(sandbox.SocialSearch)+"/2/posts/search/recent?query=sol&max_results=10", "", &any)
		}},
		"sign-ins": {31 * 24 * time.Hour, func() {
			for range 20 {
				b.SmartAccount().SignIn("a@example.com")
			}
		}},
	} {
		for range 1000 { // the log of requests is full of them, and stays so
			c.read()
		}
		b.Advance(c.life)
		idle := heap()
		b.Advance(c.life)
		before := heap()
		idle = max(0, before-idle) // the world itself grows, by new prediction markets
		for range 500 {
			c.read()
		}
		held := heap()
		b.Advance(c.life)
		after := heap()
		t.Logf("%s: %.2f MiB, then %.2f MiB, %.2f MiB of it new markets", name, float64(held-before)/mib, float64(after-before)/mib, float64(idle)/mib)
		assert.Less(t, after-before, (held-before)/2+idle, name)
	}
}

// TestLongRunSoak trades at 100 orders a minute. Each order is built, every
// second one executed, to and fro; each minute prices, posts and quotes are read.
func TestLongRunSoak(t *testing.T) {
	minutes, limit := 45/slower, 32*mib // the sample ends when what is remembered is not yet full
	if *soak {
		minutes, limit = 10*24*60, 64*mib
	}
	b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true})
	most, orders := 0, 0
	for minute := range minutes {
		for i := range 100 {
			from, to, amount := "SOL", "USDC", "1000000"
			if i%4 > 1 {
				from, to, amount = "USDC", "SOL", "150000"
			}
			tx := b.order(from, to, amount)
			orders++
			if i%2 == 0 {
				b.send(tx)
			}
			b.Advance(time.Minute / 100)
		}
		b.read()
		if every := max(1, minutes/30); minute%every == every-1 {
			most = max(most, heap())
			if *soak {
				t.Logf("day %.2f: %.1f MiB", float64(minute+1)/1440, float64(heap())/mib)
			}
		}
	}
	t.Logf("%d orders in %d sandbox minutes: %.1f MiB of heap at most", orders, minutes, float64(most)/mib)
	assert.Positive(t, most)
	assert.Less(t, most, limit)
	assert.Empty(t, b.Violations())
}

// read makes a request of each kind that leaves something behind.
func (b *trader) read() {
	var any any
	b.do("GET", b.URL(sandbox.Swap)+"/quote?inputMint="+b.Mint("SOL")+"&outputMint="+b.Mint("USDC")+"&amount=1000000", "", &any)
	b.do("GET", b.URL(sandbox.SocialSearch)+"/2/posts/search/recent?query=sol&max_results=10", "", &any)
	b.do("GET", b.URL(sandbox.AMM)+"/compute/swap-base-in?inputMint="+b.Mint("SOL")+"&outputMint="+b.Mint("USDC")+"&amount=1000000&slippageBps=50&txVersion=V0", "", &any)
}

// The logs of a sandbox that is sent rubbish for days stay short, and count.
func TestLongRunLogsAreBounded(t *testing.T) {
	b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true})
	before := heap()
	for i := range 3000 {
		r, err := http.NewRequest("GET", b.URL(sandbox.Lending)+"/"+strconv.Itoa(i)+strings.Repeat("x", 4000), nil)
		require.NoError(t, err)
		answer, err := b.client.Do(r)
		require.NoError(t, err)
		require.Equal(t, 404, answer.StatusCode)
		b.Fault(sandbox.Route{Service: sandbox.RPC}, sandbox.Fault{Status: 500})()
	}
	all := b.Violations()
	require.Len(t, all, 1000)
	assert.Equal(t, []int{1, 999, 3000}, []int{all[0].Number, all[998].Number, all[999].Number})
	assert.Less(t, len(all[0].Route), 600)
	groups := sandbox.ViolationGroups(b.Sandbox)
	require.Len(t, groups, 1001)
	assert.Equal(t, 2000, groups[1000].Count, "the rest is counted as one")
	assert.Less(t, heap()-before, 2*mib)
	assert.Empty(t, b.Hits(), "a path that is none is no route")
}

// Deliveries are counted, and the eldest let go.
func TestLongRunDeliveriesAreBounded(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer receiver.Close()
	b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true, WebhookClient: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}})
	b.Lending().SetWebhook(receiver.URL)
	id := b.hook(receiver.URL)
	for range 30 {
		for range 100 {
			require.NoError(t, b.Webhooks().Deliver(id, []byte("{}")))
		}
		sandbox.Settle(b.Sandbox, 10*time.Second)
	}
	all := b.Deliveries()
	require.Greater(t, len(all), 2000)
	assert.Less(t, len(all), 2400)
	assert.Equal(t, 3000, all[len(all)-1].Number)
	assert.Equal(t, 3001-len(all), all[0].Number)
}

// hook makes a webhook on the wallet and returns its id.
func (b *trader) hook(destination string) string {
	r, err := http.NewRequest("POST", b.URL(sandbox.Webhooks)+"/webhooks/rest/v1/webhooks/template/"+sandbox.LedgerWalletFilter,
		strings.NewReader(`{"name":"mine","network":"solana-mainnet","templateArgs":{"addresses":["`+b.WalletAddress()+`"]},"destination_url":"`+destination+`"}`))
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+b.APIKey(sandbox.Webhooks))
	answer, err := b.client.Do(r)
	require.NoError(b.t, err)
	var made struct{ ID string }
	require.NoError(b.t, json.NewDecoder(answer.Body).Decode(&made))
	return made.ID
}

// A call that waits for a confirmation ends when the clock passes its timeout, in
// one leap too, and tells what was true at that time.
func TestLongRunWaitForConfirmation(t *testing.T) {
	for _, c := range []struct {
		timeout, leap time.Duration
		timedOut      bool
	}{
		{time.Second, time.Hour, true}, {time.Second, time.Second, true}, {time.Minute, time.Hour, false},
	} {
		b := newTrader(t, sandbox.Config{ManualClock: true, NoLimits: true, Shape: 1})
		raw, err := base64.StdEncoding.DecodeString(b.order("SOL", "USDC", "1000000"))
		require.NoError(t, err)
		copy(raw[1:65], ed25519.Sign(b.Wallet(), raw[65:]))
		answered := make(chan string, 1)
		go func() {
			body := fmt.Sprintf(`{"signedTransaction":%q,"encoding":"base64","waitForConfirmation":true,"confirmationCommitment":"finalized","confirmationTimeoutMs":%d}`,
				base64.StdEncoding.EncodeToString(raw), c.timeout.Milliseconds())
			_, answer := call("POST", b.URL(sandbox.BurnClose)+"/transactions/send", body, "X-Api-Key", b.APIKey(sandbox.BurnClose))
			answered <- answer
		}()
		signature := base58.Encode(raw[1:65])
		for !b.Ledger().TransactionStatus(signature).Found { // it waits from then on
			require.NoError(t, pause.For(t.Context(), time.Millisecond))
		}
		b.Advance(c.leap)
		select {
		case answer := <-answered:
			assert.Contains(t, answer, fmt.Sprintf(`"timedOut":%v`, c.timedOut), "%v, %v", c.timeout, c.leap)
		case <-time.After(10 * time.Second):
			t.Fatal("the call still waits")
		}
	}
}
