package sandbox

import "strconv"

// onchain is the market data's side: networks, their exchanges, tokens and
// pools. Every figure that it serves is read off the tapes of the pools, which
// follow from the seed and the time alone.
type onchain struct {
	*Sandbox
	start    int64 // of the sandbox, Unix seconds
	networks []*onchainNetwork
	launched int64 // how many pools have opened in the course of time
}

func newOnchainData(s *Sandbox) *service {
	b := &onchain{Sandbox: s, start: s.now().Unix()}
	b.openNetworks()
	return &service{
		name: OnchainData, prefix: "/api/v3/onchain", inURL: true, hosts: []string{onchainPro}, sharedHosts: true,
		auth:     auth{required, []string{"X-Demo-Api-Key"}},
		hostAuth: map[string]auth{onchainPro: {required, []string{"X-Pro-Api-Key"}}},
		envelope: onchainEnvelope, routes: b.routes(),
	}
}

// onchainPro is the listener of the pro tier; the main one is the demo tier's.
const onchainPro = "pro"

func (b *onchain) routes() []route {
	return []route{
		{method: "GET", path: "/simple/networks/{network}/token_price/{addresses}", endpoint: handle(b.simplePrices)},
		{method: "GET", path: "/networks/{network}/tokens/{address}", endpoint: handle(b.getToken)},
		{method: "GET", path: "/networks/{network}/tokens/multi/{addresses}", endpoint: handle(b.multiTokens)},
		{method: "GET", path: "/networks/{network}/pools/{address}", endpoint: handle(b.getPool)},
		{method: "GET", path: "/networks/{network}/pools", endpoint: handle(b.topPools)},
		{method: "GET", path: "/networks/trending_pools", endpoint: handle(b.trending)},
		{method: "GET", path: "/networks/{network}/trending_pools", endpoint: handle(b.networkTrending)},
		{method: "GET", path: "/networks/{network}/new_pools", endpoint: handle(b.newPools)},
		{method: "GET", path: "/search/pools", endpoint: handle(b.search)},
		{method: "GET", path: "/networks/{network}/pools/multi/{addresses}", endpoint: handle(b.multiPools)},
		{method: "GET", path: "/pools/megafilter", endpoint: handle(b.megafilter)},
		{method: "GET", path: "/networks/{network}/pools/{pool_address}/ohlcv/{timeframe}", endpoint: handle(b.poolCandles)},
		{method: "GET", path: "/networks/{network}/tokens/{token_address}/ohlcv/{timeframe}", endpoint: handle(b.tokenCandles)},
		{method: "GET", path: "/networks/{network}/pools/{pool_address}/trades", endpoint: handle(b.trades)},
		{method: "GET", path: "/networks", endpoint: handle(b.listNetworks)},
		{method: "GET", path: "/networks/{network}/dexes", endpoint: handle(b.listDexes)},
	}
}

// onchainState marks a refusal that depends on what there is, not on the form
// of the request.
const onchainState = "state"

// onchainEnvelope writes an error in one of the two ways that are seen, neither
// of which is documented. The second comes under a status of 200 at times; not
// for a fault that asks for a status, nor for a credential.
func onchainEnvelope(c *call, f *failure) reply {
	turn := c.turn("onchaindata errors", 3)
	if turn == 0 {
		return reply{body: map[string]any{"errors": []map[string]string{{"status": strconv.Itoa(f.Status), "title": f.Message}}}}
	}
	code := f.Status
	if f.Code == onchainState {
		code = 10_004
	}
	answer := reply{body: map[string]any{"status": map[string]any{
		"timestamp": c.now().UTC().Format(onchainMillis), "error_code": code, "error_message": f.Message,
	}}}
	if turn == 2 && f.Code == onchainState {
		answer.status = 200
	}
	return answer
}

// onchainMillis is how the service writes a time to the millisecond.
const onchainMillis = "2006-01-02T15:04:05.000Z"
