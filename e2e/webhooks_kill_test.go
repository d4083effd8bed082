package e2e

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestWebhooksSurviveKill has the sandbox deliver to a receiver's process that
// is killed (SIGKILL) at each stage of a delivery and started again with the
// same store on disk. Every event is handled, and none twice but where the
// process died between the handler's end and the commit.
func TestWebhooksSurviveKill(t *testing.T) {
	binary := buildReceiver(t)
	for stage, handled := range map[string]int{
		"before verifying": 1, "while reading": 1, "before the handler": 1, "in the handler": 1,
		"between handler and commit": 2, "in the commit": 2,
		"after the commit": 1, "before the answer": 1,
	} {
		// The sandbox signs a retry again or as before, in turn from delivery to
		// delivery.
		for _, signed := range []string{"as before", "anew"} {
			t.Run(stage+"/signed "+signed, func(t *testing.T) {
				t.Parallel()
				newKillRig(t, binary).killAt(stage, handled, signed == "anew")
			})
		}
	}
}

func (k *killRig) killAt(stage string, handled int, anew bool) {
	k.t.Helper()
	events := map[string]int{"first": 1, "second": handled, "third": 1}
	k.start("none")
	if anew {
		k.deliver("zeroth")
		k.settled("zeroth", true)
		events["zeroth"] = 1
	}
	k.deliver("first")
	k.settled("first", true)
	k.kill() // while idle

	k.start(stage)
	k.deliver("second")
	k.awaitStop()
	k.kill()
	k.settled("second", false)
	before := k.sandbox.Deliveries()

	k.start("none")
	k.sandbox.Advance(time.Minute) // the service's first retry
	k.settled("second", true)
	after := k.sandbox.Deliveries()
	require.Len(k.t, after, len(before)+1)
	nonce := func(d sandbox.Delivery) string { return d.Header.Get(webhooks.HeaderNonce) }
	require.Equal(k.t, anew, nonce(before[len(before)-1]) != nonce(after[len(after)-1]))
	k.deliver("third")
	k.settled("third", true)
	k.kill()
	require.Equal(k.t, events, k.handled())
	require.Empty(k.t, k.sandbox.Violations())
}

// buildReceiver builds the example's receiver with the stops that its tests
// have.
func buildReceiver(t *testing.T) string {
	t.Helper()
	const source = "../examples/webhookreceiver"
	files, err := filepath.Glob(source + "/*.go")
	require.NoError(t, err)
	for _, file := range files {
		// What the test opens counts for the go command's cache of results.
		_, err := os.ReadFile(file)
		require.NoError(t, err)
	}
	binary := filepath.Join(t.TempDir(), "receiver")
	out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", binary, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

// killRig is a sandbox, a webhook and the receiver's process behind a proxy
// that ends TLS.
type killRig struct {
	t       *testing.T
	sandbox *sandbox.Sandbox
	hook    string
	binary  string
	store   string
	target  atomic.Pointer[url.URL] // where the process listens

	process *exec.Cmd
	read    sync.WaitGroup // its output
	stopped chan struct{}
	address chan string

	mu     sync.Mutex
	events []string
}

func newKillRig(t *testing.T, binary string) *killRig {
	k := &killRig{t: t, binary: binary, store: filepath.Join(t.TempDir(), "seen.jsonl")}
	proxy := httptest.NewTLSServer(&httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(k.target.Load()) },
		Transport: &http.Transport{DisableKeepAlives: true},
		ErrorLog:  log.New(io.Discard, "", 0),
	})
	t.Cleanup(proxy.Close)
	// The processes go by the real clock, from which the sandbox starts.
	k.sandbox = flows.Start(t, sandbox.Config{ManualClock: true, Start: time.Now(), WebhookClient: proxy.Client()})
	hook, err := flows.Webhooks(t, k.sandbox).CreateWebhook(t.Context(), webhooks.TemplateEVMABIFilter, webhooks.CreateWebhookRequest{
		Name: "watch", Network: "ETH_MAINNET", Enabled: true, DestinationURL: proxy.URL, TemplateArgs: webhooks.RawArgs(`{}`),
	})
	require.NoError(t, err)
	k.hook = hook.ID
	return k
}

// start starts the process, which stops at a stage, and waits until it
// listens.
func (k *killRig) start(stage string) {
	k.t.Helper()
	k.process = exec.Command(k.binary)
	k.process.Env = append(os.Environ(), "RECEIVER_STAGE="+stage, "RECEIVER_STORE="+k.store, "WEBHOOK_SECRET="+k.sandbox.Webhooks().Secret())
	k.process.Stderr = os.Stderr
	out, err := k.process.StdoutPipe()
	require.NoError(k.t, err)
	k.stopped, k.address = make(chan struct{}, 1), make(chan string, 1)
	require.NoError(k.t, k.process.Start())
	k.t.Cleanup(func() { k.process.Process.Kill() })
	k.read.Go(func() { k.follow(out) })
	select {
	case address, ok := <-k.address:
		require.True(k.t, ok, "the receiver ended before it listened")
		k.target.Store(&url.URL{Scheme: "http", Host: address})
	case <-time.After(15 * time.Second):
		k.t.Fatal("the receiver does not listen")
	}
}

// follow reads what the process prints, down to the last that it printed
// before it died.
func (k *killRig) follow(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := lines.Text()
		if address, ok := strings.CutPrefix(line, "listening on "); ok {
			k.address <- address
		} else if line == "stopped" {
			k.stopped <- struct{}{}
		} else {
			k.mu.Lock()
			k.events = append(k.events, line)
			k.mu.Unlock()
		}
	}
	close(k.address)
}

func (k *killRig) awaitStop() {
	k.t.Helper()
	select {
	case <-k.stopped:
	case <-time.After(15 * time.Second):
		k.t.Fatal("the receiver does not come to the stage")
	}
}

// kill ends the process as a crash would, and waits until it is gone and all of
// its output is read.
func (k *killRig) kill() {
	k.t.Helper()
	require.NoError(k.t, k.process.Process.Signal(syscall.SIGKILL))
	k.read.Wait()
	require.ErrorContains(k.t, k.process.Wait(), "killed")
}

func (k *killRig) deliver(event string) {
	k.t.Helper()
	require.NoError(k.t, k.sandbox.Webhooks().Deliver(k.hook, fmt.Appendf(nil, `{"webhookId":%q,"event":%q}`, k.hook, event)))
}

// settled waits for the attempt that is under way, which is an event's and
// landed or not.
func (k *killRig) settled(event string, landed bool) {
	k.t.Helper()
	sandbox.Settle(k.sandbox, 15*time.Second)
	all := k.sandbox.Deliveries()
	last := all[len(all)-1]
	require.Contains(k.t, string(last.Body), event)
	require.Equal(k.t, landed, last.Landed, "%d %s", last.Status, last.Err)
}

// handled counts how often each event was handled, by any process.
func (k *killRig) handled() map[string]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	count := map[string]int{}
	for _, line := range k.events {
		_, event, _ := strings.Cut(line, `"event":"`)
		count[strings.TrimSuffix(event, `"}`)]++
	}
	return count
}
