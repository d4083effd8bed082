package world

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

const slotCall = `{"jsonrpc":"2.0","id":7,"method":"getSlot","params":[{"commitment":"processed"}]}`

func batch(n int) string { return "[" + strings.Repeat(slotCall+",", n-1) + slotCall + "]" }

// TestBatches: a batch is served by one node, unless it is split; some refuse
// batches, some large ones.
func TestBatches(t *testing.T) {
	nodes := []NodeConfig{{}, {Lag: 100}}
	service := func(p Profile) EndpointConfig { return EndpointConfig{Nodes: []int{0, 1}, Profile: p} }
	cfg := Config{Seed: 1, Nodes: nodes, Services: []EndpointConfig{
		service(Profile{}), service(Profile{SplitBatch: true}),
		service(Profile{Batch: -1}), service(Profile{Batch: 10}),
	}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		slots := func(name string) int {
			most := 0
			for range 30 {
				time.Sleep(time.Second)
				_, body := newClient(t, w, name).post(batch(8))
				var list []struct{ Result uint64 }
				if err := json.Unmarshal([]byte(body), &list); err != nil || len(list) != 8 {
					t.Fatalf("%v: %s", err, body)
				}
				different := map[uint64]bool{}
				for _, r := range list {
					different[r.Result] = true
				}
				most = max(most, len(different))
			}
			return most
		}
		if got := slots("rpc0"); got != 1 {
			t.Errorf("%d nodes served one batch", got)
		}
		if got := slots("rpc1"); got != 2 {
			t.Errorf("%d nodes served a batch that is split", got)
		}
		for name, n := range map[string]int{"rpc2": 1, "rpc3": 11} {
			if code, body := newClient(t, w, name).post(batch(n)); code != 400 || !strings.Contains(body, "-32600") {
				t.Errorf("%s: %d %s", name, code, body)
			}
		}
		if code, _ := newClient(t, w, "rpc3").post(batch(10)); code != 200 {
			t.Errorf("a batch of 10: status %d", code)
		}
	})
}

// TestBalancer: behind one address are nodes that see different slots.
func TestBalancer(t *testing.T) {
	cfg := Config{Seed: 1, Nodes: []NodeConfig{{}, {Lag: 60}}}
	cfg.Services = []EndpointConfig{
		{Nodes: []int{0, 1}},
		{Nodes: []int{0, 1}, Balance: BalanceSticky},
		{Nodes: []int{0, 1}, Balance: BalanceByMethod},
	}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		back := func(c *client) int {
			n, before := 0, uint64(0)
			for range 300 {
				time.Sleep(time.Second)
				var slot uint64
				c.call(&slot, "getSlot", object{"commitment": "processed"})
				if slot < before {
					n++
				}
				before = slot
			}
			return n
		}
		if n := back(newClient(t, w, "rpc0")); n < 30 {
			t.Errorf("random: %d steps back", n)
		}
		if n := back(newClient(t, w, "rpc1")); n < 1 || n > 8 {
			t.Errorf("sticky: %d steps back", n)
		}
		c := newClient(t, w, "rpc2")
		tip, _ := w.Tip()
		plain := statuses{}
		c.call(&plain, "getSignatureStatuses", []string{Signature{1}.String()})
		archive := c.statuses(Signature{1}).Context.Slot
		if n := back(c); n != 0 || plain.Context.Slot != tip || archive+60 != tip {
			t.Errorf("by method: %d steps back, %d and %d at %d", n, plain.Context.Slot, archive, tip)
		}
	})
}

// TestProviders goes through the remaining limits of providers.
func TestProviders(t *testing.T) {
	cfg := Config{Seed: 1, Services: []EndpointConfig{
		{Nodes: []int{0}, Profile: Profile{GetBlocksMax: 5, Refuse: []string{"getHealth"}}},
		{Nodes: []int{0}, Profile: Profile{Rate: 10, RetryAfter: true}},
		{Nodes: []int{0}, Profile: Profile{Cache: 10 * time.Second}},
	}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		final, _ := w.Finalized()
		if c.code("getBlocks", final-5, final) != 0 || c.code("getBlocks", final-6, final) != codeParams {
			t.Error("getBlocks of 5 slots")
		}
		if c.code("getHealth") != codeNoMethod || c.code("getNothing") != codeNoMethod {
			t.Error("a method that is refused")
		}
		limited := newClient(t, w, "rpc1")
		codes := map[int]int{}
		for range 15 {
			code, _ := limited.post(slotCall)
			codes[code]++
		}
		resp, err := limited.http.Post(limited.url, "application/json", strings.NewReader(slotCall))
		if err != nil || codes[200] != 10 || resp.Header.Get("Retry-After") != "1" {
			t.Errorf("rate: %v %v", codes, err)
		}
		cached := newClient(t, w, "rpc2")
		seen := map[string]bool{}
		for range 40 {
			time.Sleep(time.Second)
			_, body := cached.post(slotCall)
			seen[body] = true
		}
		if len(seen) < 4 || len(seen) > 6 {
			t.Errorf("%d answers in 40 s from a cache of 10", len(seen))
		}
	})
}

// TestFaults counts what a flaky front does, over real connections and
// without.
func TestFaults(t *testing.T) {
	cfg := Config{Seed: 1, Services: []EndpointConfig{{Nodes: []int{0}, Profile: Profile{
		Fail: 0.2, Reset: 0.2, Hang: 0.1, Garble: 0.2, HangFor: time.Minute,
	}}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		e := w.Endpoint("rpc0")
		for name, transport := range map[string]http.RoundTripper{
			"direct": e.Direct(w.NewLine("a")), "connections": e.Transport(w.NewLine("b")),
		} {
			hc := &http.Client{Transport: transport, Timeout: 10 * time.Second}
			good, fails, broken, late, garbled := 0, 0, 0, 0, 0
			for range 300 {
				time.Sleep(time.Second)
				begin := time.Now()
				resp, err := hc.Post(e.URL(), "application/json", strings.NewReader(slotCall))
				var v struct{ Result uint64 }
				switch {
				case err != nil && time.Since(begin) >= 10*time.Second:
					late++
				case err != nil:
					broken++
				case resp.StatusCode >= 500:
					fails++
				case json.NewDecoder(resp.Body).Decode(&v) != nil:
					garbled++
				default:
					good++
				}
				if resp != nil {
					resp.Body.Close()
				}
			}
			if min(good, fails, broken, late, garbled) < 10 {
				t.Errorf("%s: %d good, %d fail, %d break, %d hang, %d garbled",
					name, good, fails, broken, late, garbled)
			}
		}
	})
}
