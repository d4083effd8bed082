package onchaindata_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

func (s *started) onchain(t *testing.T, path string) answer {
	t.Helper()
	return s.Do(t, play.OnchainData, "GET", path, nil)
}

func (s *started) pro(t *testing.T, path string) answer {
	t.Helper()
	return s.DoAt(t, s.OnchainProURL(), play.OnchainData, "GET", path, nil, "X-Demo-Api-Key", "", "X-Pro-Api-Key", s.APIKey(play.OnchainData))
}

// onchainPoolAddress is that of a pool of the ledger's network.
func (s *started) poolAddress(dex, base, quote string) string {
	return build.PublicKey(s.Keypair("pool " + dex + " " + base + " " + quote)).String()
}

// items are the resources under data, an object being a list of one.
func items(a answer) (items []map[string]any) {
	switch data := a.At("data").(type) {
	case []any:
		for _, x := range data {
			items = append(items, x.(map[string]any))
		}
	case map[string]any:
		items = append(items, data)
	}
	return items
}

func iDs(resources []map[string]any) (ids []string) {
	for _, r := range resources {
		ids = append(ids, r["id"].(string))
	}
	return ids
}

// attribute reads an attribute of each resource.
func attribute(resources []map[string]any, name string) (all []string) {
	for _, r := range resources {
		all = append(all, fmt.Sprint(r["attributes"].(map[string]any)[name]))
	}
	return all
}

// onchainPaths has a request for each of the routes.
func (s *started) paths() []string {
	pool, sol := s.poolAddress("atlas", "SOL", "USDC"), s.Mint("SOL")
	return []string{
		"/simple/networks/solana/token_price/" + sol + "," + s.Mint("DUST") + "?include_market_cap=true&mcap_fdv_fallback=true&include_24hr_vol=true&include_24hr_price_change=true&include_total_reserve_in_usd=true",
		"/networks/solana/tokens/" + sol + "?include=top_pools&include_composition=true&include_inactive_source=true",
		"/networks/solana/tokens/multi/" + sol + "," + s.Mint("USDC") + "?include=top_pools",
		"/networks/solana/pools/" + pool + "?include=base_token,quote_token,dex&include_volume_breakdown=true&include_composition=true",
		"/networks/solana/pools?include=base_token&page=2&sort=h24_volume_usd_desc",
		"/networks/trending_pools?include=dex&page=1&duration=5m&include_gt_community_data=true",
		"/networks/eth/trending_pools?duration=6h",
		"/networks/solana/new_pools?page=1",
		"/search/pools?query=sol&network=solana&include=quote_token&page=1",
		"/networks/solana/pools/multi/" + pool + "?include=dex",
		"/pools/megafilter?networks=solana,eth&dexes=atlas,meridian&sort=h24_tx_count_desc&min_reserve_in_usd=1000&max_reserve_in_usd=1000000000&min_h24_volume_usd=0&max_h24_volume_usd=1000000000000.5&min_h24_tx_count=5&page=1",
		"/networks/solana/pools/" + pool + "/ohlcv/minute?aggregate=5&limit=10&currency=usd&before_timestamp=1767200000",
		"/networks/solana/tokens/" + sol + "/ohlcv/hour?aggregate=4&currency=token",
		"/networks/solana/pools/" + pool + "/trades?trade_volume_in_usd_greater_than=100.5",
		"/networks",
		"/networks/solana/dexes?page=2",
	}
}

func TestEveryRouteInEveryShapeOnBothTiers(t *testing.T) {
	for shape := 1; shape <= onchaindata.Shapes; shape++ {
		s := start(t, play.Config{ManualClock: true, Shape: shape})
		paths := s.paths()
		require.Len(t, paths, 16)
		for _, path := range paths {
			for _, a := range []answer{s.onchain(t, path), s.pro(t, path)} {
				require.Equal(t, 200, a.Status, "%s: %s", path, a.Raw)
				items := items(a)
				require.NotEmpty(t, items, "%s: %s", path, a.Raw)
				for _, r := range items {
					assert.NotEmpty(t, r["id"])
					assert.NotEmpty(t, r["type"])
					assert.NotEmpty(t, r["attributes"])
				}
			}
		}
		hit := 0
		for r := range s.Hits() {
			if r.Service == play.OnchainData {
				hit++
			}
		}
		assert.Equal(t, 16, hit)
	}
}

func TestTheSameSeedIsTheSameMarket(t *testing.T) {
	read := func(seed uint64) (all []string) {
		s := start(t, play.Config{ManualClock: true, Seed: seed, Shape: 1})
		pools := s.onchain(t, "/networks/eth/pools")
		for _, path := range []string{"/networks/eth/pools", "/networks/trending_pools", "/networks/eth/pools/" + attribute(items(pools), "address")[0] + "/trades"} {
			all = append(all, string(s.onchain(t, path).Raw))
		}
		return all
	}
	assert.Equal(t, read(7), read(7))
	for i, other := range read(8) {
		assert.NotEqual(t, read(7)[i], other)
	}
}

func TestTiersHaveTheirHostHeaderAndCaps(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	key := s.APIKey(play.OnchainData)
	for _, wrong := range []struct {
		base    string
		headers []string
	}{
		{s.URL(play.OnchainData), []string{"X-Demo-Api-Key", "", "X-Pro-Api-Key", key}},
		{s.URL(play.OnchainData), []string{"X-Pro-Api-Key", key}},
		{s.URL(play.OnchainData), []string{"X-Demo-Api-Key", ""}},
		{s.OnchainProURL(), nil},
		{s.OnchainProURL(), []string{"X-Pro-Api-Key", key}},
	} {
		a := s.DoAt(t, wrong.base, play.OnchainData, "GET", "/networks", nil, wrong.headers...)
		assert.Equal(t, 401, a.Status, "%v", wrong)
		assert.Len(t, s.TakeProblems(), 1)
	}
	assert.Equal(t, 401, s.Do(t, play.OnchainData, "GET", "/networks", nil, "X-Demo-Api-Key", "no").Status)
	assert.Empty(t, s.TakeProblems(), "a wrong key is an error and no violation")

	paged := []string{"/networks/solana/pools?page=", "/networks/trending_pools?page=", "/networks/solana/trending_pools?page=", "/networks/solana/new_pools?page=", "/search/pools?query=sol&page=", "/pools/megafilter?page="}
	for _, path := range paged {
		assert.Len(t, items(s.onchain(t, path+"10")), 20, path)
		assert.Equal(t, 400, s.onchain(t, path+"11").Status, path)
		assert.Equal(t, []string{"a page beyond the 10 of the demo tier"}, s.TakeProblems())
		assert.NotEmpty(t, items(s.pro(t, path+"11")), path)
		assert.Empty(t, items(s.pro(t, path+"400")), path)
	}
	list := func(n int) string { return strings.TrimSuffix(strings.Repeat(s.Mint("SOL")+",", n), ",") }
	for most, get := range map[int]func(*testing.T, string) answer{30: s.onchain, 50: s.pro} {
		assert.Len(t, items(get(t, "/networks/solana/tokens/multi/"+list(most))), 1)
		assert.Equal(t, 400, get(t, "/networks/solana/tokens/multi/"+list(most+1)).Status)
		assert.Equal(t, []string{fmt.Sprintf("more than %d addresses", most)}, s.TakeProblems())
		assert.Equal(t, 200, get(t, "/simple/networks/solana/token_price/"+list(most+1)).Status, "no cap is documented")
	}
}

func TestPagesHoldEveryPoolOnce(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	var ids []string
	for page := 1; ; page++ {
		items := items(s.pro(t, fmt.Sprintf("/networks/solana/pools?page=%d", page)))
		if len(items) == 0 {
			break
		}
		ids = append(ids, iDs(items)...)
	}
	assert.Len(t, ids, 17+220)
	slices.Sort(ids)
	assert.Len(t, slices.Compact(ids), 17+220)
	first, second := items(s.onchain(t, "/networks/solana/dexes")), items(s.onchain(t, "/networks/solana/dexes?page=2"))
	assert.Len(t, first, 20)
	assert.Len(t, second, 4)
	assert.Len(t, items(s.onchain(t, "/networks")), 3)
	assert.Empty(t, items(s.onchain(t, "/networks?page=2")))
	assert.Equal(t, "Marsh Clmm", attribute(second, "name")[1])
}

func TestErrorsComeInTwoShapesAndUnderSuccess(t *testing.T) {
	missing := []string{
		"/networks/nowhere/dexes", "/networks/solana/pools/nothing", "/networks/solana/tokens/nothing",
		"/networks/solana/tokens/nothing/ohlcv/day", "/networks/solana/pools/nothing/trades",
	}
	for shape, want := range map[int]struct {
		status int
		path   []any
		value  string
	}{
		1: {404, []any{"errors", 0, "status"}, "404"},
		2: {404, []any{"status", "error_code"}, "10004"},
		3: {200, []any{"status", "error_code"}, "10004"},
	} {
		s := start(t, play.Config{ManualClock: true, Shape: shape})
		for _, path := range missing {
			a := s.onchain(t, path)
			assert.Equal(t, want.status, a.Status, path)
			assert.Equal(t, want.value, a.Text(want.path...))
			assert.Contains(t, a.Text("errors", 0, "title")+a.Text("status", "error_message"), "not found")
			assert.Nil(t, a.At("data"))
		}
		s.Fault(play.Route{Service: play.OnchainData}, play.Fault{Status: 503, Times: 1})
		assert.Equal(t, 503, s.onchain(t, "/networks").Status)
		assert.Equal(t, 401, s.Do(t, play.OnchainData, "GET", "/networks", nil, "X-Demo-Api-Key", "no").Status)
	}
}

func TestRefusesWhatIsNotDocumented(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	pool, sol := "/networks/solana/pools/"+s.poolAddress("atlas", "SOL", "USDC"), s.Mint("SOL")
	for path, problem := range map[string]string{
		pool + "?include=top_pools":                             `query parameter include lists "top_pools", which is none of base_token, quote_token, dex`,
		pool + "?include=dex,dex":                               `query parameter include lists "dex" twice`,
		pool + "?page=1":                                        "unknown query parameter page",
		pool + "?include_composition=1":                         "query parameter include_composition is not of type bool",
		pool + "/ohlcv/week":                                    "path parameter timeframe is none of day, hour, minute",
		pool + "/ohlcv/minute?aggregate=4":                      "aggregate 4 does not go with minute",
		pool + "/ohlcv/hour?aggregate=15":                       "aggregate 15 does not go with hour",
		pool + "/ohlcv/day?aggregate=4":                         "aggregate 4 does not go with day",
		pool + "/ohlcv/day?limit=1001":                          "query parameter limit is out of range: 1001",
		pool + "/ohlcv/day?currency=eur":                        "query parameter currency is none of usd, token",
		pool + "/ohlcv/day?before_timestamp=" + "1767200000000": "query parameter before_timestamp is out of range: 1767200000000",
		pool + "/trades?page=1":                                 "unknown query parameter page",
		pool + "/trades?trade_volume_in_usd_greater_than=-1":    "query parameter trade_volume_in_usd_greater_than is not of type float64",
		"/networks/solana/tokens/" + sol + "?include=dex":       `query parameter include lists "dex", which is none of top_pools`,
		"/networks/solana/pools/multi/" + sol + ",":             "path parameter addresses is a list with an empty item or a space about one",
		"/networks/solana/pools?page=0":                         "query parameter page is out of range: 0",
		"/networks/trending_pools?duration=7d":                  "query parameter duration is none of 5m, 1h, 6h, 24h",
		"/networks/solana/new_pools?include=dex":                "unknown query parameter include",
		"/networks?include=dex":                                 "unknown query parameter include",
		"/search/pools?query=":                                  "query parameter query is empty",
		"/pools/megafilter?include=dex":                         "unknown query parameter include",
		"/pools/megafilter?min_h24_tx_count=1.5":                "query parameter min_h24_tx_count is not of type int64",
	} {
		a := s.onchain(t, path)
		assert.Equal(t, 400, a.Status, path)
		assert.NotEmpty(t, a.Text("errors", 0, "title"))
		assert.Equal(t, []string{problem}, s.TakeProblems(), path)
	}
	for _, path := range []string{
		"/networks/solana/pools?sort=nonsense", "/networks/solana/pools?include=nonsense", "/pools/megafilter?min_reserve_in_usd=2&max_reserve_in_usd=1",
		"/networks/solana/tokens/multi/" + sol + "%2C" + sol, pool + "/ohlcv/day?limit=0", pool + "/ohlcv/day?before_timestamp=0",
	} {
		assert.Equal(t, 200, s.onchain(t, path).Status, "%s: nothing says that it is wrong", path)
	}
}

func TestIncludesWhatIsAskedFor(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	kinds := func(a answer) (all []string) {
		included, _ := a.At("included").([]any)
		for _, x := range included {
			all = append(all, x.(map[string]any)["type"].(string)+" "+x.(map[string]any)["id"].(string))
		}
		slices.Sort(all)
		return all
	}
	pool := s.poolAddress("atlas", "SOL", "USDC")
	a := s.onchain(t, "/networks/solana/pools/"+pool+"?include=base_token,quote_token,dex")
	sol, usdc := "solana_"+s.Mint("SOL"), "solana_"+s.Mint("USDC")
	assert.Equal(t, []string{"dex atlas", "token " + usdc, "token " + sol}, kinds(a))
	assert.Equal(t, "solana_"+pool, a.Text("data", "id"))
	assert.Equal(t, sol, a.Text("data", "relationships", "base_token", "data", "id"))
	assert.Equal(t, usdc, a.Text("data", "relationships", "quote_token", "data", "id"))
	assert.Equal(t, "atlas", a.Text("data", "relationships", "dex", "data", "id"))
	assert.Equal(t, "USDC", a.Text("included", 1, "attributes", "symbol"))
	assert.Equal(t, "6", a.Text("included", 1, "attributes", "decimals"))
	assert.Nil(t, s.onchain(t, "/networks/solana/pools/"+pool).At("included"))

	both := s.onchain(t, "/networks/solana/pools/multi/"+pool+","+s.poolAddress("delta", "SOL", "USDC")+"?include=base_token")
	assert.Equal(t, []string{"token " + sol}, kinds(both), "once, though two pools have it")
	for _, path := range []string{"/networks/trending_pools", "/networks/eth/trending_pools", "/search/pools"} {
		assert.NotEmpty(t, kinds(s.onchain(t, path)), "%s brings the base tokens unasked", path)
	}
	token := s.onchain(t, "/networks/solana/tokens/"+s.Mint("SOL")+"?include=top_pools")
	assert.Len(t, kinds(token), 3)
	assert.Equal(t, "solana_"+pool, token.Text("data", "relationships", "top_pools", "data", 0, "id"))
	assert.Equal(t, "solana_"+pool, token.Text("included", 0, "id"))
	assert.Equal(t, "SOL / USDC", token.Text("included", 0, "attributes", "name"))
}

func TestSearchAndFilter(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	for name, path := range map[string]string{"by default": "/search/pools", "by symbol": "/search/pools?query=WETH"} {
		found := attribute(items(s.onchain(t, path)), "name")
		assert.NotEmpty(t, found, name)
		for _, pool := range found {
			assert.Contains(t, pool, "WETH", name)
		}
	}
	all, base := items(s.onchain(t, "/search/pools")), items(s.onchain(t, "/search/pools?network=base"))
	assert.Len(t, all, 6)
	assert.Equal(t, []string{"WETH / USDC", "BRINE / WETH"}, attribute(base, "name"))
	assert.Equal(t, "404", s.onchain(t, "/search/pools?network=none").Text("errors", 0, "status"))
	dust := items(s.onchain(t, "/search/pools?query="+s.Mint("DUST")))
	assert.Equal(t, []string{"DUST / SOL", "DUST / USDC", "DUST / SOL"}, attribute(dust, "name"))
	assert.Empty(t, items(s.onchain(t, "/search/pools?query=nothing+like+it")))

	number := func(r map[string]any, path ...string) float64 {
		v := r["attributes"]
		for _, p := range path {
			v = v.(map[string]any)[p]
		}
		x, err := json.Number(v.(string)).Float64()
		require.NoError(t, err)
		return x
	}
	pools := items(s.onchain(t, "/pools/megafilter?networks=eth,base&min_reserve_in_usd=1000000&max_reserve_in_usd=50000000&sort=reserve_in_usd_asc"))
	assert.Equal(t, []string{"BRINE / WETH", "WBTC / USDC", "WETH / USDC", "WETH / USDC"}, attribute(pools, "name"))
	for i, p := range pools {
		assert.True(t, number(p, "reserve_in_usd") >= 1e6 && number(p, "reserve_in_usd") <= 5e7)
		assert.True(t, i == 0 || number(pools[i-1], "reserve_in_usd") <= number(p, "reserve_in_usd"))
	}
	busy := items(s.onchain(t, "/pools/megafilter?networks=solana&dexes=atlas,quill&min_h24_volume_usd=500000&min_h24_tx_count=600&sort=h24_volume_usd_desc"))
	require.NotEmpty(t, busy)
	for i, p := range busy {
		assert.Contains(t, []string{"atlas", "quill"}, p["relationships"].(map[string]any)["dex"].(map[string]any)["data"].(map[string]any)["id"])
		assert.GreaterOrEqual(t, number(p, "volume_usd", "h24"), 5e5)
		assert.True(t, i == 0 || number(busy[i-1], "volume_usd", "h24") >= number(p, "volume_usd", "h24"))
	}
	idle := items(s.onchain(t, "/pools/megafilter?networks=solana&max_h24_volume_usd=0"))
	assert.NotEmpty(t, idle)
	for _, p := range idle {
		assert.Zero(t, number(p, "volume_usd", "h24"))
	}
}

func TestMultiAnswersForWhatThereIs(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Drift: true, Shape: 3})
	dust, sol := s.Mint("DUST"), s.Mint("SOL")
	a := s.onchain(t, "/networks/solana/tokens/multi/"+dust+",nothing,"+sol+","+dust)
	assert.Equal(t, []string{dust, sol}, attribute(items(a), "address"))
	alone := s.onchain(t, "/networks/solana/tokens/multi/"+sol)
	assert.Equal(t, sol, alone.Text("data", "attributes", "address"), "an object, where a list is due")
	none := s.onchain(t, "/networks/solana/pools/multi/nothing")
	assert.Equal(t, `{"data":[]}`, string(none.Raw))
	upper := s.onchain(t, "/networks/eth/tokens/0xC02AAA39B223FE8D0A0E5C4F27EAD9083C756CC2")
	assert.Equal(t, "WETH", upper.Text("data", "attributes", "symbol"), "an EVM address may be written with capitals")
	assert.Equal(t, "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", upper.Text("data", "attributes", "address"))
}

func TestDriftsInItsTypes(t *testing.T) {
	attributes := map[int]map[string]any{}
	for shape := 1; shape <= onchaindata.Shapes; shape++ {
		s := start(t, play.Config{ManualClock: true, Drift: true, Shape: shape})
		attributes[shape] = s.onchain(t, "/networks/solana/tokens/"+s.Mint("DUST")).At("data", "attributes").(map[string]any)
	}
	plain, retyped, sparse := attributes[1], attributes[2], attributes[3]
	assert.IsType(t, "", plain["price_usd"])
	assert.Greater(t, len(plain["price_usd"].(string)), 60, "every digit of a small price")
	assert.Equal(t, json.Number(plain["price_usd"].(string)), retyped["price_usd"])
	assert.Equal(t, json.Number("5"), plain["decimals"])
	assert.Equal(t, "5", retyped["decimals"])
	assert.Equal(t, json.Number("31.5"), plain["gt_score"])
	assert.Equal(t, "31.5", retyped["gt_score"])
	for _, name := range []string{"image_url", "market_cap_usd", "description", "aggregator_coin_id"} {
		assert.Contains(t, plain, name)
		assert.Nil(t, plain[name], name)
		assert.NotContains(t, sparse, name)
	}
}

func TestNewPoolsComeWithTime(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	before := items(s.onchain(t, "/networks/solana/new_pools"))
	created := attribute(before, "pool_created_at")
	assert.Equal(t, "2025-12-31T22:30:00Z", created[0])
	assert.True(t, slices.IsSortedFunc(created, func(a, b string) int { return strings.Compare(b, a) }))
	s.Advance(3 * time.Hour)
	after := items(s.onchain(t, "/networks/solana/new_pools"))
	assert.Equal(t, before[0]["id"], after[1]["id"])
	assert.Equal(t, "2026-01-01T01:30:00Z", attribute(after, "pool_created_at")[0])
	s.Advance(-time.Second)
	token := after[0]["relationships"].(map[string]any)["base_token"].(map[string]any)["data"].(map[string]any)["id"].(string)
	a := s.onchain(t, "/networks/solana/tokens/"+strings.TrimPrefix(token, "solana_"))
	assert.Equal(t, 200, a.Status)
	assert.Nil(t, a.At("data", "attributes", "price_change_percentage", "h24"), "it is younger than a day")
}

func TestATokenWhosePoolIsGivenUp(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	pools := items(s.pro(t, "/pools/megafilter?networks=solana&max_h24_volume_usd=0&sort=pool_created_at_desc"))
	require.NotEmpty(t, pools)
	token := pools[0]["relationships"].(map[string]any)["base_token"].(map[string]any)["data"].(map[string]any)["id"].(string)
	address := strings.TrimPrefix(token, "solana_")
	quiet := s.onchain(t, "/networks/solana/tokens/"+address)
	assert.Nil(t, quiet.At("data", "attributes", "price_usd"))
	assert.Nil(t, quiet.At("data", "attributes", "last_trade_timestamp"))
	asked := s.onchain(t, "/networks/solana/tokens/"+address+"?include_inactive_source=true")
	assert.Equal(t, attribute(pools, "base_token_price_usd")[0], asked.Text("data", "attributes", "price_usd"))
	assert.NotEmpty(t, asked.Text("data", "attributes", "last_trade_timestamp"))
	assert.Equal(t, "0.000000", asked.Text("data", "attributes", "volume_usd", "h24"))
	simple := s.onchain(t, "/simple/networks/solana/token_price/"+address)
	assert.Equal(t, map[string]any{address: nil}, simple.At("data", "attributes", "token_prices"))
	trades := s.onchain(t, "/networks/solana/pools/"+attribute(pools, "address")[0]+"/trades")
	assert.Equal(t, []any{}, trades.At("data"))
}

// tradeSOL buys USDC with SOL over one pool by way of a service, and returns
// the transaction that does.
func (s *started) tradeSOL(t *testing.T, service play.Service, lamports uint64) string {
	t.Helper()
	pair := fmt.Sprintf("inputMint=%s&outputMint=%s&slippageBps=500", s.Mint("SOL"), s.Mint("USDC"))
	var a answer
	switch service {
	case play.Swap:
		quote := s.Do(t, service, "GET", fmt.Sprintf("/quote?%s&amount=%d&onlyDirectRoutes=true&dexes=atlas", pair, lamports), nil)
		require.Equal(t, 200, quote.Status, "%s", quote.Raw)
		a = s.Do(t, service, "POST", "/swap", `{"userPublicKey":"`+s.WalletAddress()+`","quoteResponse":`+string(quote.Raw)+`}`)
	case play.AMM:
		quote := s.Do(t, service, "GET", fmt.Sprintf("/compute/swap-base-in?%s&amount=%d&txVersion=LEGACY", pair, lamports), nil)
		var envelope struct{ Data json.RawMessage }
		require.NoError(t, json.Unmarshal(quote.Raw, &envelope))
		a = s.Do(t, service, "POST", "/transaction/swap-base-in", `{"swapResponse":`+string(envelope.Data)+`,"wallet":"`+s.WalletAddress()+`","txVersion":"LEGACY","wrapSol":true}`)
		require.Equal(t, true, a.At("success"), "%s", a.Raw)
		return a.Text("data", 0, "transaction")
	case play.ProviderSwap:
		a = s.Do(t, service, "GET", fmt.Sprintf("/api/v1/swap?owner=%s&fromMint=%s&toMint=%s&amount=%d&slippage=500&provider=atlas", s.WalletAddress(), s.Mint("SOL"), s.Mint("USDC"), lamports), nil)
	}
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	for _, path := range [][]any{{"swapTransaction"}, {"transaction"}, {"data", "txn"}} {
		if text := a.Text(path...); text != "" {
			return text
		}
	}
	return string(a.Raw)
}

// TestExecutedTradesShow: a trade of SOL on a pool of the market is the pool's
// last trade, makes its price and is in its candle, whichever service built it.
func TestExecutedTradesShow(t *testing.T) {
	const lamports = 30_000_000_000
	for _, service := range []play.Service{play.Swap, play.AMM, play.ProviderSwap} {
		t.Run(string(service), func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true, Shape: 1})
			s.Advance(7 * time.Second)
			pool := "/networks/solana/pools/" + s.poolAddress("atlas", "SOL", "USDC")
			before := items(s.onchain(t, pool+"/trades"))
			usdc := s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))

			receipt := s.SignAndSubmit(t, s.tradeSOL(t, service, lamports))
			require.Nil(t, receipt.Err, "%v", receipt.Logs)
			got := float64(s.View().TokenBalance(s.WalletAddress(), s.Mint("USDC"))-usdc) / 1e6

			after := items(s.onchain(t, pool+"/trades"))
			require.NotEmpty(t, after)
			last := after[:1]
			assert.NotEqual(t, before[0]["id"], last[0]["id"])
			assert.Equal(t, iDs(before[:20]), iDs(after[1:21]), "the trades of others are as they were")
			assert.Equal(t, []string{receipt.Signature.String()}, attribute(last, "tx_hash"))
			assert.Equal(t, []string{s.WalletAddress()}, attribute(last, "tx_from_address"))
			assert.Equal(t, []string{strconv.FormatUint(receipt.Slot, 10)}, attribute(last, "block_number"))
			assert.Equal(t, []string{"sell"}, attribute(last, "kind"))
			assert.Equal(t, []string{"30.000000000"}, attribute(last, "from_token_amount"))
			assert.InDelta(t, got, number(t, attribute(last, "to_token_amount")[0]), 0.01*got, "but for the fee of the service")
			rate := number(t, attribute(last, "price_from_in_currency_token")[0])
			assert.InDelta(t, number(t, attribute(last, "to_token_amount")[0])/30, rate, 1e-6)

			s.Advance(3 * time.Second) // the pool's page is refreshed every ten
			assert.Equal(t, attribute(last, "price_from_in_usd"), attribute(items(s.onchain(t, pool)), "base_token_price_usd"))
			assert.Equal(t, attribute(last, "price_from_in_usd"), attribute(items(s.onchain(t, "/networks/solana/tokens/"+s.Mint("SOL"))), "price_usd"), "the pool is SOL's deepest")
			row := s.onchain(t, pool+"/ohlcv/minute?currency=token&limit=1").At("data", "attributes", "ohlcv_list", 0).([]any)
			assert.Equal(t, rate, number(t, fmt.Sprint(row[4])), "it is the close of its candle")
			low, high := number(t, fmt.Sprint(row[3])), number(t, fmt.Sprint(row[2]))
			assert.True(t, low <= rate && rate <= high)
			assert.Greater(t, number(t, fmt.Sprint(row[5])), 0.99*got)
		})
	}
}

func TestFailedTradesDoNotShow(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	s.Advance(7 * time.Second)
	trades := "/networks/solana/pools/" + s.poolAddress("atlas", "SOL", "USDC") + "/trades"
	before := s.onchain(t, trades)
	tx := s.tradeSOL(t, play.ProviderSwap, 200_000_000_000) // more than the wallet has
	require.NotNil(t, s.SignAndSubmit(t, tx).Err)
	assert.Equal(t, string(before.Raw), string(s.onchain(t, trades).Raw))
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	require.False(t, math.IsNaN(x))
	return x
}
