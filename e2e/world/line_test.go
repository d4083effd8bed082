package world

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
)

// TestCut: a cut line breaks calls under way; what had arrived is served.
func TestCut(t *testing.T) {
	cfg := Config{Seed: 1, LatencyMin: time.Second, LatencyMax: time.Second}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, sol)
		e := w.Endpoint("rpc0")
		hash, _ := newClient(t, w, "rpc0").blockhash("confirmed")
		for i, direct := range []bool{true, false} {
			l := w.NewLine("killed")
			hc := e.Client(l)
			if direct {
				hc = &http.Client{Transport: e.Direct(l)}
			}
			raw := payment(hash, from, Key{9}, uint64(i)+1)
			done := make(chan error)
			go func() {
				body := `{"id":1,"method":"sendTransaction","params":["` + base58.Encode(raw) + `",{"skipPreflight":true}]}`
				_, err := hc.Post(e.URL(), "application/json", strings.NewReader(body))
				done <- err
			}()
			time.Sleep(100 * time.Millisecond)
			begin := time.Now()
			l.Cut()
			if err := <-done; err == nil || time.Since(begin) > 0 || !l.IsCut() {
				t.Fatalf("error %v after %s", err, time.Since(begin))
			}
			if _, err := hc.Post(e.URL(), "application/json", strings.NewReader(slotCall)); err == nil {
				t.Fatal("a cut line carries a request")
			}
			time.Sleep(3 * time.Second)
			if !w.Seen(signatureIn(raw)) {
				t.Fatal("a request that had arrived was not served")
			}
		}
	})
}

// TestDelayAndCancel: a line can be slow, and callers may give up.
func TestDelayAndCancel(t *testing.T) {
	inBubble(t, Config{Seed: 1}, func(t *testing.T, w *World) {
		e := w.Endpoint("rpc0")
		l := w.NewLine("slow")
		l.Delay(5 * time.Second)
		for _, transport := range []http.RoundTripper{e.Direct(l), e.Transport(l)} {
			hc := &http.Client{Transport: transport}
			begin := time.Now()
			resp, err := hc.Post(e.URL(), "application/json", strings.NewReader(slotCall))
			if err != nil || time.Since(begin) != 5*time.Second {
				t.Fatalf("%v after %s", err, time.Since(begin))
			}
			resp.Body.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			req, _ := http.NewRequestWithContext(ctx, http.MethodPost, e.URL(), strings.NewReader(slotCall))
			if _, err := hc.Do(req); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			cancel()
		}
	})
}

// TestSameAnswers: both transports, and two worlds of one seed, answer alike,
// whatever the order of the requests.
func TestSameAnswers(t *testing.T) {
	ask := func(direct, reverse bool) []string {
		var out []string
		inBubble(t, Draw(12, "balancer"), func(t *testing.T, w *World) {
			l := w.NewLine("x")
			time.Sleep(time.Minute)
			bodies := []string{slotCall, strings.ReplaceAll(slotCall, "getSlot", "getBlockHeight"),
				strings.ReplaceAll(slotCall, "getSlot", "getLatestBlockhash")}
			if reverse {
				slices.Reverse(bodies)
			}
			answers := make([]chan string, len(bodies))
			for i, body := range bodies {
				answers[i] = make(chan string, 1)
				go func() {
					e := w.Endpoints()[0]
					hc := e.Client(l)
					if direct {
						hc.Transport = e.Direct(l)
					}
					_, text := (&client{t, e.URL(), hc}).post(body)
					answers[i] <- text
				}()
			}
			for _, a := range answers {
				out = append(out, <-a)
			}
			if reverse {
				slices.Reverse(out)
			}
		})
		return out
	}
	want := ask(true, false)
	for _, got := range [][]string{ask(true, true), ask(false, false), ask(false, true)} {
		if !slices.Equal(got, want) {
			t.Fatalf("%v\n%v", got, want)
		}
	}
}
