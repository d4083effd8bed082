package sandbox

import (
	"net/http"
	"time"
)

// swap quotes and builds trades over the pools of all venues, keeps orders that
// end later than they begin, and makes markets' tokens tradable.
type swap struct {
	*Sandbox
	book         *poolBook
	initializing bool
	quotes       poolEchoes[*swapQuote]
	intents      poolEchoes[*swapIntent]
	orders       map[string]*swapOrder // by the signature that opened them
	initialized  map[string]bool       // mints of markets that somebody made tradable
}

func newSwap(s *Sandbox) *service {
	s.pools = s.openPools()
	w := &swap{Sandbox: s, book: s.pools, orders: map[string]*swapOrder{}, initialized: map[string]bool{}}
	s.swap = w
	s.chain.Airdrop(publicKey(s.keypair("swap tips")), lamportsPerSOL) // an account without rent takes no small tip
	return &service{name: Swap, auth: optionalAPIKey, budgets: w.budgets, envelope: plainEnvelope, routes: w.routes()}
}

func (w *swap) routes() []route {
	return []route{
		{method: "GET", path: "/order", endpoint: swapReady(w, w.order)},
		{method: "GET", path: "/order-status", endpoint: swapReady(w, w.orderStatus)},
		{method: "GET", path: "/quote", endpoint: swapReady(w, w.quote)},
		{method: "POST", path: "/swap", endpoint: swapReady(w, w.swap)},
		{method: "POST", path: "/swap-instructions", endpoint: swapReady(w, w.swapInstructions)},
		{method: "GET", path: "/intent", endpoint: swapReady(w, w.intent)},
		{method: "POST", path: "/submit-intent", endpoint: swapReady(w, w.submitIntent)},
		{method: "GET", path: "/tokens", endpoint: swapReady(w, w.tokens)},
		{method: "GET", path: "/tokens-with-decimals", endpoint: swapReady(w, w.tokensWithDecimals)},
		{method: "GET", path: "/venues", endpoint: swapReady(w, w.venues)},
		{method: "GET", path: "/prediction-market-init", endpoint: swapReady(w, w.initMarket)},
	}
}

// swapReady is handle for routes that say 503 while the service initializes.
func swapReady[In, Out any](w *swap, handler func(*call, In) (Out, error)) endpoint {
	return handle(func(c *call, in In) (any, error) {
		if w.initializing {
			return nil, refuse(http.StatusServiceUnavailable, "", "system initializing")
		}
		return handler(c, in)
	})
}

// SetSwapInitializing makes every route of the swap service answer 503, as it
// does while it starts, until it is set to false.
func (s *Sandbox) SetSwapInitializing(initializing bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.swap.initializing = initializing
}

// swapKeyless is the limit of requests without a key: about as many a minute.
// What a key grants is not documented; here nothing limits it.
const swapKeyless = 10

func (w *swap) budgets(c *call) []budget {
	if c.credential != "" {
		return nil
	}
	return []budget{{swapKeyless, time.Minute}}
}

// The routes that only list.

func (w *swap) tokens(*call, nothing) (any, error) {
	mints := []string{}
	for _, t := range w.tradable() {
		mints = append(mints, t.Mint)
	}
	return map[string]any{"tokens": mints}, nil
}

type swapTokenAnswer struct {
	Mint     string `json:"mint"`
	Decimals uint8  `json:"decimals"`
	Symbol   string `json:"symbol"`
}

func (w *swap) tokensWithDecimals(*call, nothing) (any, error) {
	tokens := []swapTokenAnswer{}
	for _, t := range w.tradable() {
		tokens = append(tokens, swapTokenAnswer{t.Mint, t.Decimals, t.Symbol})
	}
	return map[string]any{"tokens": tokens}, nil
}

func (w *swap) venues(*call, nothing) (any, error) {
	venues := []map[string]any{}
	for _, v := range w.book.venues {
		venues = append(venues, map[string]any{"name": v.name, "id": v.slug, "enabled": v.enabled})
	}
	return map[string]any{"venues": venues}, nil
}
