// Package predictmeta is the client of metadata of prediction
// markets, and a live feed of their prices, order books and trades.
//
//	client, err := predictmeta.New(predictmeta.Config{
//		BaseURL: "https://predict.example.com",
//	})
//	...
//	event, err := client.GetEvent(ctx, "RAIN-26", predictmeta.EventRequest{IncludeMarkets: new(true)})
//	...
//	for _, market := range event.Markets {
//		fmt.Println(market.Ticker, market.LastPrice)
//	}
//
// An [Event] has one or more markets; a [Market] has a mint for yes, a mint for
// no, and a ledger mint. [Client.Search] finds both. [Client.ListEvents],
// [Client.ListMarkets] and [Client.ListTrades] return pages, and the methods
// whose names begin with All iterate over them. [Client.GetOrderBook],
// [Client.GetEventCandlesticks] and [Client.GetForecast] show the trading.
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # The feed
//
// [Client.Stream] keeps a WebSocket connected and delivers what you subscribed
// to as one sequence of events, with an event for everything that is known to be
// missing. A program that trades on it acts between [Connected] and [Disconnected].
// See [Stream] and [FeedEvent].
//
// [Client.Books] keeps order books on it: each is whole and up to date, or says why not.
//
// # Units
//
// Prices and probabilities are fractions (0.52 is 52 %), as [walletfi.Decimal]
// with the digits that the service sent. Quantities, volumes and open interest
// are whole numbers of contracts. Times in answers are [walletfi.Time]. The form
// of start_time and end_time in requests is not documented: they are sent as
// Unix seconds unless TimeFormat in [Config] is set.
//
// The answers of five routes are not documented: the candlesticks of a market by
// ticker and by mint, the order book by mint, the milestones by mint and in
// batch. They are decoded with the shape of the nearest documented route, and
// kept whole in Raw.
//
// # Authentication and limits
//
// The x-api-key header is optional. Without a key the service allows about ten
// requests a minute, and the client keeps that limit exactly: [AnonymousBudget].
// The limit of a key is not documented: set Budgets in [Config]. A call that
// would have to wait longer than MaxQueueWait in [walletfi.Options] fails at
// once. The count starts over with the program. Handshakes of the feed are not
// counted.
//
// # Retries
//
// All calls read, those that use POST too, and no call moves money. So each is
// repeated if no connection was made, after a timeout or a broken answer, after
// a 5xx, and after a 429 once the limit has reset; see [walletfi.RetryPolicy].
// The form of the service's errors is not documented: a failed call is a
// [*walletfi.ResponseError], whose status says why.
package predictmeta
