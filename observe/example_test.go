package observe_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/observe"
)

// A line for each attempt of each call.
func Example() {
	server, config := busyOnce()
	defer server.Close()
	config.Observer = observe.OnAttempt(func(_ context.Context, a observe.Attempt, end observe.AttemptEnd) {
		fmt.Println(a.Service+"."+a.Op, a.Method, a.Route, "attempt", a.Number, "status", end.StatusCode)
	})
	client, err := lending.New(config)
	if err != nil {
		panic(err)
	}
	if _, err := client.ListPools(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// lending.ListPools GET /v1/pools attempt 1 status 503
	// lending.ListPools GET /v1/pools attempt 2 status 200
}

// failures counts calls that failed and repeats. It embeds None, so that it goes on
// to compile when the interface's package learns of more.
type failures struct {
	observe.None
	failed, repeats atomic.Int64
}

func (f *failures) Start(ctx context.Context, op observe.Operation) (context.Context, func(observe.End)) {
	if _, ok := op.(observe.Backoff); ok {
		f.repeats.Add(1)
	}
	return ctx, func(end observe.End) {
		if e, ok := end.(observe.CallEnd); ok && e.Err != nil {
			f.failed.Add(1)
		}
	}
}

// An observer that wants a part embeds None and looks at the types that it knows.
func ExampleNone() {
	server, config := busyOnce()
	defer server.Close()
	count := &failures{}
	config.Observer = count
	client, err := lending.New(config)
	if err != nil {
		panic(err)
	}
	if _, err := client.ListPools(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(count.repeats.Load(), "repeated,", count.failed.Load(), "failed")
	// Output: 1 repeated, 0 failed
}

// busyOnce is a service whose first answer is 503.
func busyOnce() (*httptest.Server, lending.Config) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, `{"pools":[]}`)
	}))
	return server, lending.Config{
		BaseURL: server.URL, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Retry: walletfi.RetryPolicy{MinWait: time.Millisecond, MaxWait: time.Millisecond}},
	}
}
