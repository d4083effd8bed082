// Package onchaindata is the client of a market data API: prices,
// tokens, pools (top, trending, new, searched, filtered), candles, trades,
// networks and DEXes of many chains. It only reads.
//
//	client, err := onchaindata.New(onchaindata.Config{
//		DemoBaseURL: "https://demo.example.com/api/v3/onchain",
//		APIKey:      walletfi.NewSecret(os.Getenv("ONCHAIN_KEY")),
//	})
//	...
//	page, err := client.ListTopPools(ctx, "solana", onchaindata.TopPoolsRequest{
//		Include: []onchaindata.PoolInclude{onchaindata.IncludeBaseToken},
//	})
//	...
//	for _, pool := range page.Items {
//		fmt.Println(pool.Name, pool.BaseTokenPriceUSD, pool.BaseToken.Symbol)
//	}
//
// [Client.GetPool], [Client.GetPools], [Client.GetToken], [Client.GetTokens] and
// [Client.GetTokenPrices] look up by address. [Client.ListTopPools],
// [Client.ListTrendingPools], [Client.ListNewPools], [Client.SearchPools] and
// [Client.FilterPools] find pools. [Client.ListPoolCandles],
// [Client.ListTokenCandles] and [Client.ListTrades] show what was traded.
// [Client.ListNetworks] and [Client.ListDEXes] name what the others take. The
// methods whose names begin with All iterate over pages.
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Base URL, tier and key
//
// The two tiers have different hosts and take the key in different headers.
// Tier in [Config] selects both: [TierDemo] uses DemoBaseURL and x-demo-api-key,
// [TierPro] uses ProBaseURL and x-pro-api-key, so that a key never reaches the
// other tier's host. Both URLs end in the service's prefix, /api/v3/onchain.
//
// # Records
//
// The attributes of a record are the fields of [Pool], [Token], [Trade] and so
// on. A record names related records by id (Pool.BaseTokenID), and holds them if
// the request's Include asks for them (Pool.BaseToken). Prices, volumes and
// percentages are [walletfi.Decimal], exact whatever their length. A value that
// was null or left out is the zero Decimal, which IsZero tells from 0. Raw holds
// what the service sent beyond the documented fields.
//
// The strings and decimals of a page share one copy of its text, so that a
// program that keeps a single pool keeps the memory of the whole page. Copy what
// you keep for long: strings.Clone.
//
// # Freshness
//
// Prices, tokens and pools change every 10 seconds ([PoolRefresh]), trending
// pools every 30 ([TrendingRefresh]), the list of DEXes daily ([DEXRefresh]).
// Asking more often returns the same. Candles and trades are live.
//
// # Limits
//
// A page has 20 records. The demo tier gives 10 pages, the pro tier all. An
// iterator that could have more than the tier gives ends with a [*PageCapError].
// [Client.GetTokens] asks for 30 tokens at a time on demo and 50 on pro. A
// request returns at most 1,000 candles. How many requests a minute the service
// allows is not documented, so the client has no budget of its own unless
// Budgets in [Config] gives it one; it obeys a 429 either way.
//
// # Retries
//
// All calls read, so each is repeated if no connection was made, after a timeout
// or a broken answer, after a 408 or a 5xx, and after a 429 (also one in the
// body of a 200) once the limit has reset; see [walletfi.RetryPolicy]. An
// [*Error] is a refusal in the service's own words.
package onchaindata
