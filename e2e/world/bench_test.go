package world

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestIdleHourIsCheap: an hour in which nobody looks costs next to nothing, in
// time (BenchmarkIdleHour says how much; the limit leaves room for the race
// detector, the least of five runs for a busy machine) and memory.
func TestIdleHourIsCheap(t *testing.T) {
	const hours = 100
	least := time.Hour
	var c *chain
	for range 5 {
		c = newChain(1, wildCluster())
		begin := time.Now()
		c.slotAt(int64(hours * time.Hour))
		least = min(least, time.Since(begin)/hours)
	}
	if least > 5*time.Millisecond {
		t.Errorf("an idle hour costs %s", least)
	}
	if n := len(c.spans); n > hours*300 {
		t.Errorf("%d spans in %d hours", n, hours)
	}
}

func BenchmarkIdleHour(b *testing.B) {
	c := newChain(1, wildCluster())
	for i := int64(1); b.Loop(); i++ {
		c.slotAt(i * int64(time.Hour))
		if i%100 == 0 {
			c, i = newChain(1, wildCluster()), 0
		}
	}
}

// asked are the requests that are measured.
var asked = map[string]string{
	"slot":      slotCall,
	"statuses":  `{"id":7,"method":"getSignatureStatuses","params":[["SIG"],{"searchTransactionHistory":true}]}`,
	"witnesses": `{"id":7,"method":"getSignatureStatuses","params":[["SIG","LOW","HIGH"]]}`,
	"blockhash": `{"id":7,"method":"getLatestBlockhash","params":[{"commitment":"confirmed"}]}`,
	"block":     `{"id":7,"method":"getBlock","params":[SLOT,{"transactionDetails":"signatures"}]}`,
}

func BenchmarkRequest(b *testing.B) {
	for name, body := range asked {
		for _, direct := range []bool{true, false} {
			kind := map[bool]string{true: "direct", false: "connections"}[direct]
			b.Run(name+"/"+kind, func(b *testing.B) { benchmarkRequest(b, body, direct) })
		}
	}
}

func benchmarkRequest(b *testing.B, body string, direct bool) {
	cfg := Draw(3, "balancer")
	cfg.LatencyMin, cfg.LatencyMax = 0, 0
	w := New(cfg)
	defer w.Close()
	final, _ := w.Finalized()
	body = strings.NewReplacer(
		"SIG", newSignature(1).String(),
		"LOW", w.chain.strangerSignature(final-100, 0).String(),
		"HIGH", w.chain.strangerSignature(final-3, 0).String(),
		"SLOT", "250000000",
	).Replace(body)
	l := w.NewLine("bench")
	e := w.Endpoints()[0]
	hc := e.Client(l)
	if direct {
		hc = &http.Client{Transport: e.Direct(l)}
	}
	b.ReportAllocs()
	for b.Loop() {
		resp, err := hc.Post(e.URL(), "application/json", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

func newSignature(n byte) Signature {
	var s Signature
	fill(s[:], uint64(n))
	return s
}

// BenchmarkProof asks the oracle about one blockhash through one endpoint.
func BenchmarkProof(b *testing.B) {
	w := New(Draw(3, "pruned"))
	defer w.Close()
	slot, _ := w.Tip()
	q := Question{Blockhash: w.chain.blockhash(slot)}
	for b.Loop() {
		w.ProofPossible(w.Endpoints()[:1], q)
	}
}

// BenchmarkPayment is one payment in virtual time: signed, sent and followed
// to finality.
func BenchmarkPayment(b *testing.B) {
	b.ReportAllocs()
	runs := 0
	f := func(t *testing.T) {
		cfg := Draw(3, "forks")
		w := New(cfg)
		defer w.Close()
		from := newSigner(1)
		w.Fund(from.key, 1_000_000*sol)
		c := newClient(t, w, "rpc0")
		for range runs {
			hash, _ := c.blockhash("confirmed")
			s := c.send(payment(hash, from, Key{9}, uint64(runs)))
			for range 8 {
				time.Sleep(2 * time.Second)
				c.statuses(s)
			}
		}
	}
	runs = b.N
	bubble(b, f)
}

// bubble runs f of a benchmark in virtual time.
func bubble(b *testing.B, f func(t *testing.T)) {
	ok := testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "bubble", F: func(t *testing.T) { synctest.Test(t, f) }}})
	if !ok {
		b.Fatal("failed")
	}
}
