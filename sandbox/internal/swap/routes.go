// Package swap is the swap service of the sandbox.
package swap

import (
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service quotes and builds trades over the pools of all venues, fills orders
// over several steps, and makes the outcome tokens of prediction markets
// tradable.
type Service struct {
	*build.Chain
	book         *market.Book
	outcomes     market.Outcomes
	initializing bool
	quotes       *market.Echoes[*quote]
	intents      *market.Echoes[*intent]
	orders       *kit.Shelf[string, *order] // by the signature that opened them
	initialized  map[string]bool            // mints of markets that were made tradable
}

// mostOrders is how many orders the service remembers, the newest.
const mostOrders = 4096

// New makes the service and its specification for the kit.
func New(b *market.Book, outcomes market.Outcomes) (*Service, *kit.Spec) {
	w := &Service{
		Chain: b.Chain, book: b, outcomes: outcomes, orders: kit.NewShelf[string, *order](b.Core, 0, mostOrders),
		initialized: map[string]bool{},
	}
	w.quotes, w.intents = market.NewEchoes[*quote](b.Core, QuoteLife), market.NewEchoes[*intent](b.Core, intentLife)
	w.Airdrop(build.PublicKey(w.Keypair("swap tips")), build.LamportsPerSOL) // an account without rent takes no small tip
	return w, &kit.Spec{
		Name: play.Swap, Auth: kit.OptionalHeaderKey, Budgets: w.budgets, Envelope: kit.PlainEnvelope, Routes: w.routes(),
	}
}

func (w *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "GET", Path: "/order", Endpoint: ready(w, w.order)},
		{Method: "GET", Path: "/order-status", Endpoint: ready(w, w.orderStatus)},
		{Method: "GET", Path: "/quote", BackAs: "quoteResponse", Endpoint: ready(w, w.quote)},
		{Method: "POST", Path: "/swap", Endpoint: ready(w, w.swap)},
		{Method: "POST", Path: "/swap-instructions", Endpoint: ready(w, w.swapInstructions)},
		{Method: "GET", Path: "/intent", BackAs: "intentResponse", Endpoint: ready(w, w.intent)},
		{Method: "POST", Path: "/submit-intent", Endpoint: ready(w, w.submitIntent)},
		{Method: "GET", Path: "/tokens", Endpoint: ready(w, w.tokens)},
		{Method: "GET", Path: "/tokens-with-decimals", Endpoint: ready(w, w.tokensWithDecimals)},
		{Method: "GET", Path: "/venues", Endpoint: ready(w, w.venues)},
		{Method: "GET", Path: "/prediction-market-init", Endpoint: ready(w, w.initMarket)},
	}
}

// ready is kit.Handle for routes that answer 503 while the service initializes.
func ready[In any](w *Service, handler func(*kit.Call, In) any) kit.Endpoint {
	return kit.Handle(func(c *kit.Call, in In) any {
		kit.RefuseIf(w.initializing, http.StatusServiceUnavailable, "", "system initializing")
		return handler(c, in)
	})
}

// SetInitializing does what sandbox.SwapHandle.SetInitializing says.
func (w *Service) SetInitializing(initializing bool) {
	w.Locked(func() { w.initializing = initializing })
}

// Keyless is the limit of requests without a key: about as many a minute.
// What a key grants is not documented; here nothing limits it.
const Keyless = 10

func (w *Service) budgets(c *kit.Call) []kit.Budget {
	if c.Credential != "" {
		return nil
	}
	return []kit.Budget{{N: Keyless, Window: time.Minute}}
}
