package main

import (
	"context"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
)

// offer is the quote of one service.
type offer struct {
	service string
	out     walletfi.Amount // expected
	least   walletfi.Amount // after slippage
	impact  walletfi.Decimal
	came    time.Time
	err     error          // why there is no offer
	order   walletfi.Order // builds the offer's transactions
}

// ask gets quotes from all services at the same time, so that they see the same
// market. A service that fails does not affect the others.
func (t *trader) ask(ctx context.Context, want order) []*offer {
	services := []struct {
		name  string
		quote func(context.Context, order) (*offer, error)
	}{
		{"amm", t.askAMM}, {"swap", t.askSwap}, {"providerswap", t.askProviders},
	}
	offers := make([]*offer, len(services))
	var group sync.WaitGroup
	for i, service := range services {
		group.Go(func() {
			o, err := service.quote(ctx, want)
			if err != nil {
				o = &offer{err: err}
			}
			o.service, o.came = service.name, time.Now()
			offers[i] = o
		})
	}
	group.Wait()
	return offers
}
