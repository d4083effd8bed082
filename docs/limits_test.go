package docs_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/sandbox"
)

func Example_limits() {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	limiter := ratelimit.New(ratelimit.Budget{Requests: 2, Per: time.Minute})
	options := walletfi.Options{
		Limiter:      func(ratelimit.Scope) ratelimit.Limiter { return limiter },
		MaxQueueWait: new(time.Duration(0)), // fail rather than wait
	}
	client, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: options,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for range 3 {
		_, err := client.ListPools(ctx)
		var refused *ratelimit.Error
		if errors.As(err, &refused) {
			fmt.Println("no slot for", time.Until(refused.ResetAt).Round(time.Minute))
		}
	}
	// Output:
	// no slot for 1m0s
}
