package docs_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/sandbox"
)

func Example_observability() {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	options := s.Options()
	options.Observer = observe.OnAttempt(func(_ context.Context, a observe.Attempt, end observe.AttemptEnd) {
		fmt.Println(a.Service+"."+a.Op, a.Route, "attempt", a.Number, "status", end.StatusCode)
	})
	client, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: options,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Status: 503, Times: 1})
	inStep(s, func(ctx context.Context) {
		if _, err := client.ListPools(ctx); err != nil {
			fmt.Println(err)
		}
	})
	// Output:
	// lending.ListPools /v1/pools attempt 1 status 503
	// lending.ListPools /v1/pools attempt 2 status 200
}
