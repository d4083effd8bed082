// Package lending is the client of service A, a lending aggregator that
// spreads deposits over several lending protocols.
//
// It builds unsigned transactions (deposit, withdraw, referrer set-up and
// claim) that the caller checks, signs and submits, and reports accounts,
// history, pending withdrawals, pools and rates.
//
// # Units
//
// Amounts are walletfi.Amount in the mint's smallest unit. An APY is a
// percentage (8.5 is 8.5 %), while a coverage ratio and a protocol's
// allocation are fractions (0.85 is 85 %); all are walletfi.Decimal. The
// deposit type that field names call "custom" is "regular" on the wire.
//
// # Authentication and limits
//
// Every route takes the x-api-key header. Config.Tier sets the budgets: 60
// requests a minute and 10,000 a day (Free), 300 and 100,000 (Pro), or none
// (Enterprise). Both windows are kept, exactly; a call that would have to wait
// longer than Options.MaxQueueWait is refused at once. Budgets live in the
// process and are forgotten when it restarts.
//
// # Retries
//
// All eleven calls read or build, and none moves money, so each is repeated
// where no connection was made, after a timeout or a broken answer, after a
// 5xx, and after a 429 once the limit has reset; see walletfi.RetryPolicy.
package lending
