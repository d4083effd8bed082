// Package lending is the client of a lending aggregator that spreads
// deposits over several lending protocols.
//
//	client, err := lending.New(lending.Config{
//		BaseURL: "https://lending.example.com",
//		APIKey:  walletfi.NewSecret(os.Getenv("LENDING_KEY")),
//		Tier:    lending.TierPro,
//	})
//	...
//	built, err := client.BuildDeposit(ctx, lending.DepositRequest{
//		Owner: owner, Mint: usdc, DepositType: lending.DepositProtected, Amount: 25_500_000,
//	})
//	...
//	unsigned := built.Unsigned() // for wallet.Execute: guard, sign, submit, confirm
//
// [Client.BuildDeposit], [Client.BuildWithdraw], [Client.BuildInitializeReferrer]
// and [Client.BuildReferrerClaim] build unsigned transactions.
// [Client.GetAccount], [Client.ListHistory], [Client.AllHistory],
// [Client.ListPendingWithdrawals] and [Client.GetReferrer] report on a wallet,
// [Client.ListPools], [Client.GetPoolStats] and [Client.GetRates] on the market.
// [ParseUnverifiedWebhook] reads the service's notifications.
//
// # Units
//
// Amounts are a [walletfi.Amount] in the mint's smallest unit. Rates and ratios
// are a [walletfi.Decimal]: an APY is a percentage (8.5 is 8.5 %), a coverage
// ratio and a protocol's allocation are fractions (0.85 is 85 %). The deposit
// type "regular" is called "custom" in the names of response fields.
//
// # Errors
//
// An [*Error] has the service's [Code]. A failed call without a code is a
// [*walletfi.ResponseError] or a [*walletfi.TransportError].
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Authentication and limits
//
// Every request carries the x-api-key header. [Config].Tier sets the budgets: 60
// requests a minute and 10,000 a day ([TierFree]), 300 and 100,000 ([TierPro]),
// or no limit ([TierEnterprise]). The client keeps both budgets exactly. A call
// that would have to wait longer than MaxQueueWait in [walletfi.Options] fails at
// once. The count starts over with the program.
//
// # Retries
//
// All eleven calls read or build, and no call moves money. So each is repeated
// if no connection was made, after a timeout or a broken answer, after a 5xx,
// and after a 429 once the limit has reset; see [walletfi.RetryPolicy].
package lending
