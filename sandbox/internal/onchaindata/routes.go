// Package onchaindata is the market data service of the sandbox.
package onchaindata

import (
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service is the market data service: networks, their exchanges, tokens and
// pools. It computes every figure from the trades of the pools: tapes, which
// depend on the seed and the time only, and trades executed on the pools of
// package market.
type Service struct {
	*build.Chain
	start    int64 // of the sandbox, Unix seconds
	networks []*network
	launched int64 // how many pools have opened in the course of time
	moved    int64 // when the market's price was set last, Unix seconds
	book     *market.Book
}

// New makes the service and its specification for the kit.
func New(m *market.Book) (*Service, *kit.Spec) {
	b := &Service{Chain: m.Chain, start: m.Now().Unix(), book: m}
	b.openNetworks()
	m.OnExecution(b.executed)
	m.OnPrice(b.repriced)
	return b, &kit.Spec{
		Name: play.OnchainData, Prefix: "/api/v3/onchain", InURL: true, Hosts: []string{pro}, SharedHosts: true,
		Auth:     kit.Auth{Demand: kit.Required, Headers: []string{"X-Demo-Api-Key"}},
		HostAuth: map[string]kit.Auth{pro: {Demand: kit.Required, Headers: []string{"X-Pro-Api-Key"}}},
		Envelope: envelope, Routes: b.routes(),
	}
}

// pro is the listener of the pro tier; the main one is the demo tier's.
const pro = "pro"

func (b *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "GET", Path: "/simple/networks/{network}/token_price/{addresses}", Endpoint: kit.Handle(b.simplePrices)},
		{Method: "GET", Path: "/networks/{network}/tokens/{address}", Endpoint: kit.Handle(b.getToken)},
		{Method: "GET", Path: "/networks/{network}/tokens/multi/{addresses}", Endpoint: kit.Handle(b.multiTokens)},
		{Method: "GET", Path: "/networks/{network}/pools/{address}", Endpoint: kit.Handle(b.getPool)},
		{Method: "GET", Path: "/networks/{network}/pools", Endpoint: kit.Handle(b.topPools)},
		{Method: "GET", Path: "/networks/trending_pools", Endpoint: kit.Handle(b.trending)},
		{Method: "GET", Path: "/networks/{network}/trending_pools", Endpoint: kit.Handle(b.networkTrending)},
		{Method: "GET", Path: "/networks/{network}/new_pools", Endpoint: kit.Handle(b.newPools)},
		{Method: "GET", Path: "/search/pools", Endpoint: kit.Handle(b.search)},
		{Method: "GET", Path: "/networks/{network}/pools/multi/{addresses}", Endpoint: kit.Handle(b.multiPools)},
		{Method: "GET", Path: "/pools/megafilter", Endpoint: kit.Handle(b.megafilter)},
		{Method: "GET", Path: "/networks/{network}/pools/{pool_address}/ohlcv/{timeframe}",
			Endpoint: kit.Handle(b.poolCandles)},
		{Method: "GET", Path: "/networks/{network}/tokens/{token_address}/ohlcv/{timeframe}",
			Endpoint: kit.Handle(b.tokenCandles)},
		{Method: "GET", Path: "/networks/{network}/pools/{pool_address}/trades", Endpoint: kit.Handle(b.trades)},
		{Method: "GET", Path: "/networks", Endpoint: kit.Handle(b.listNetworks)},
		{Method: "GET", Path: "/networks/{network}/dexes", Endpoint: kit.Handle(b.listDexes)},
	}
}

// state marks a refusal that depends on what there is, not on the form
// of the request.
const state = "state"

// envelope writes an error in one of the two ways that are seen, neither
// of which is documented. The second comes under a status of 200 at times; not
// for a fault that asks for a status, nor for a credential.
func envelope(c *kit.Call, f *kit.Failure) kit.Reply {
	turn := c.Turn("onchaindata errors", 3)
	if turn == 0 {
		return kit.Reply{
			Body: map[string]any{"errors": []map[string]string{{"status": strconv.Itoa(f.Status), "title": f.Message}}},
		}
	}
	code := f.Status
	if f.Code == state {
		code = 10_004
	}
	answer := kit.Reply{Body: map[string]any{"status": map[string]any{
		"timestamp": kit.Stamp(c.Now()), "error_code": code, "error_message": f.Message,
	}}}
	if turn == 2 && f.Code == state {
		answer.Status = 200
	}
	return answer
}
