package docs_test

import (
	"context"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

func Example_retries() {
	s, client, err := lendingOf(sandbox.Config{ManualClock: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	inStep(s, func(ctx context.Context) {
		s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Status: 503, Times: 2})
		pools, err := client.ListPools(ctx)
		fmt.Println(len(pools.Items) > 0, err)
	})
	// Output:
	// true <nil>
}

// inStep moves a sandbox's clock on while do waits.
func inStep(s *sandbox.Sandbox, do func(ctx context.Context)) {
	ctx, ended := context.Background(), make(chan struct{})
	walletfi.Go(ctx, s.Options().Clock, func(ctx context.Context) {
		defer close(ended)
		do(ctx)
	})
	done := func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	}
	if err := s.AdvanceUntil(ctx, 24*time.Hour, done); err != nil {
		fmt.Println(err)
	}
}
