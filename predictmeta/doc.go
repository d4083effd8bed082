// Package predictmeta is the client of service D: metadata of prediction
// markets, and a live feed of their prices, order books and trades.
//
// Events hold markets; a market has a mint for yes, one for no, and a ledger
// mint. Some answers are relayed from the exchange where the markets trade.
//
// # Units
//
// Prices and probabilities are fractions (0.52 is 52 %), as walletfi.Decimal
// with the digits that the service sent. Quantities, volumes and open interest
// are whole numbers of contracts. Times in answers are walletfi.Time. The form
// of start_time and end_time in requests is not documented: they go out as
// Unix seconds unless Config.TimeFormat says otherwise.
//
// Five answers are not documented: the candlesticks of a market by ticker and
// by mint, the order book by mint, the milestones by mint and in batch. They
// are read as the route beside them answers, as far as they fit, and kept
// whole in Raw.
//
// # Authentication and limits
//
// The x-api-key header is optional. Without a key the service grants about ten
// requests a minute (AnonymousBudget), which is kept, exactly; with one, its
// limit is not documented, and Config.Budgets sets what to keep. A call that
// would have to wait longer than Options.MaxQueueWait is refused at once.
// Budgets live in the process and are forgotten when it restarts. The feed's
// handshakes are not counted.
//
// # Retries
//
// All calls read, those that POST too, and none moves money, so each is
// repeated where no connection was made, after a timeout or a broken answer,
// after a 5xx, and after a 429 once the limit has reset; see
// walletfi.RetryPolicy. Errors carry no code of the service's own: their form
// is not documented, and walletfi.ResponseError tells by status.
//
// # The feed
//
// Stream keeps a WebSocket connected and brings what was subscribed to, in one
// sequence, together with what is known to be missing; see Stream.
package predictmeta
