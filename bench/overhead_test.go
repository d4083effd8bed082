package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-github/v74/github"
	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/ratelimit"
)

const (
	key    = "bench-key-0123456789"
	wallet = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
	base   = "https://bench.example"
	target = "/v1/account/" + wallet
)

// memory answers every request from memory, so that the benchmark measures the
// clients' own work.
type memory struct{ body []byte }

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != target {
		return nil, fmt.Errorf("unexpected path %s", r.URL.Path)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(m.body)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}, "Date": {"Mon, 02 Jan 2006 15:04:05 GMT"}},
		Body:   io.NopCloser(bytes.NewReader(m.body)),
	}, nil
}

func account(tb testing.TB) memory {
	tb.Helper()
	body, err := os.ReadFile("testdata/account.json")
	if err != nil {
		tb.Fatal(err)
	}
	return memory{body}
}

// call makes one request and returns the decoded answer.
type call func(context.Context) (*lending.Account, error)

// raw is the code that a careful program writes by hand: a timeout, the headers,
// a cap on the body, the status, encoding/json.
func raw(transport http.RoundTripper) call {
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	return func(ctx context.Context) (*lending.Account, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+target, nil)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Accept", "application/json")
		r.Header.Set("User-Agent", "bench")
		r.Header.Set("X-Api-Key", key)
		response, err := client.Do(r)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(io.LimitReader(response.Body, 32<<20))
		if err != nil {
			return nil, err
		}
		if response.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("HTTP %d", response.StatusCode)
		}
		v := new(lending.Account)
		return v, json.Unmarshal(body, v)
	}
}

func walletfiClient(tb testing.TB, transport http.RoundTripper) call {
	tb.Helper()
	client, err := lending.New(lending.Config{
		BaseURL: base, APIKey: walletfi.NewSecret(key),
		Options: walletfi.Options{
			HTTPClient: &http.Client{Transport: transport},
			Limiter: func(ratelimit.Scope) ratelimit.Limiter {
				return ratelimit.New(ratelimit.Budget{Requests: 1 << 30, Per: 24 * time.Hour},
					ratelimit.Budget{Requests: 1 << 30, Per: time.Minute})
			},
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return func(ctx context.Context) (*lending.Account, error) { return client.GetAccount(ctx, wallet) }
}

func goGithub(tb testing.TB, transport http.RoundTripper) call {
	tb.Helper()
	client, err := github.NewClient(&http.Client{Transport: transport, Timeout: 30 * time.Second}).
		WithAuthToken(key).WithEnterpriseURLs(base, base)
	if err != nil {
		tb.Fatal(err)
	}
	client.BaseURL.Path = "/"
	return func(ctx context.Context) (*lending.Account, error) {
		r, err := client.NewRequest(http.MethodGet, target[1:], nil)
		if err != nil {
			return nil, err
		}
		v := new(lending.Account)
		_, err = client.Do(ctx, r, v)
		return v, err
	}
}

func openaiGo(transport http.RoundTripper) call {
	client := openai.NewClient(option.WithBaseURL(base), option.WithAPIKey(key),
		option.WithHTTPClient(&http.Client{Transport: transport, Timeout: 30 * time.Second}))
	return func(ctx context.Context) (*lending.Account, error) {
		v := new(lending.Account)
		return v, client.Get(ctx, target[1:], nil, v)
	}
}

// clients returns the clients to compare.
func clients(tb testing.TB) map[string]call {
	m := account(tb)
	return map[string]call{
		"raw": raw(m), "walletfi": walletfiClient(tb, m), "go-github": goGithub(tb, m), "openai-go": openaiGo(m),
	}
}

// BenchmarkGetAccount alternates with the hand-written call, so that a noisy
// machine slows both. x-raw is the client's time divided by that of raw, and
// x-raw-allocs is the same for allocations.
func BenchmarkGetAccount(b *testing.B) {
	all := clients(b)
	rawAllocs := allocations(b, all["raw"])
	for _, name := range []string{"raw", "walletfi", "go-github", "openai-go"} {
		b.Run(name, func(b *testing.B) {
			var own, byHand time.Duration
			for b.Loop() {
				own += timed(b, all[name], 8)
				byHand += timed(b, all["raw"], 8)
			}
			allocs := allocations(b, all[name])
			b.ReportMetric(float64(own.Nanoseconds())/float64(8*b.N), "ns/op")
			b.ReportMetric(float64(own)/float64(byHand), "x-raw")
			b.ReportMetric(allocs, "allocs/call")
			b.ReportMetric(allocs/rawAllocs, "x-raw-allocs")
		})
	}
}

// timed returns the duration of n calls in a row.
func timed(tb testing.TB, c call, n int) time.Duration {
	begun := time.Now()
	for range n {
		got, err := c(tb.Context())
		if err != nil || len(got.Positions) != 2 {
			tb.Fatal(got, err)
		}
	}
	return time.Since(begun)
}

func allocations(tb testing.TB, c call) float64 {
	return testing.AllocsPerRun(100, func() { timed(tb, c, 1) })
}

// TestSameResult: the clients do the same work.
func TestSameResult(t *testing.T) {
	all := clients(t)
	want, err := all["raw"](t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range all {
		if got, err := c(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestOverhead holds the client to 1.2 times the hand-written call, in time (the
// best of many short turns, which a busy machine disturbs least) and in
// allocations.
func TestOverhead(t *testing.T) {
	const most, mostAllocations, turns = 1.2, 50, 300
	all := clients(t)
	own, byHand := time.Hour, time.Hour
	for range turns {
		own = min(own, timed(t, all["walletfi"], 20))
		byHand = min(byHand, timed(t, all["raw"], 20))
	}
	if x := float64(own) / float64(byHand); x > most {
		t.Errorf("%.2f times the time of net/http and encoding/json", x)
	}
	if n := allocations(t, all["walletfi"]); n > mostAllocations {
		t.Errorf("%v allocations a call", n)
	}
	if x := allocations(t, all["walletfi"]) / allocations(t, all["raw"]); x > most {
		t.Errorf("%.2f times the allocations of net/http and encoding/json", x)
	}
}
