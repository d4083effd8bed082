package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Two clients share the budget of a key. A call that finds no slot fails at
// once here; by default it waits up to two minutes.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"pools":[]}`)
	}))
	defer server.Close()

	limiter := ratelimit.New(ratelimit.Budget{Requests: 2, Per: time.Minute})
	options := walletfi.Options{
		Limiter:      func(ratelimit.Scope) ratelimit.Limiter { return limiter },
		MaxQueueWait: new(time.Duration(0)),
	}
	config := lending.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("k-123456"), Options: options}
	for range 3 {
		client, err := lending.New(config)
		if err != nil {
			fmt.Println(err)
			return
		}
		_, err = client.ListPools(context.Background())
		var refused *ratelimit.Error
		switch {
		case errors.As(err, &refused):
			fmt.Println("refused; wait more than 50 s:", time.Until(refused.ResetAt) > 50*time.Second)
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println("answered")
		}
	}
	// Output:
	// answered
	// answered
	// refused; wait more than 50 s: true
}

func ExampleNew() {
	// The budgets of a key: one for the minute, one for the day.
	limiter := ratelimit.New(
		ratelimit.Budget{Requests: 2, Per: time.Minute},
		ratelimit.Budget{Requests: 10_000, Per: 24 * time.Hour})
	for range 3 {
		done, err := limiter.Permit(context.Background(), 0) // 0: fail rather than wait
		if err != nil {
			fmt.Println("no slot is free")
			continue
		}
		fmt.Println("request sent")
		done(context.Background(), true)
	}
	// Output:
	// request sent
	// request sent
	// no slot is free
}
