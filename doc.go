// Package walletfi is what the clients of eleven Solana services share: options,
// errors, exact amounts and transactions. A program makes the client of a
// service, builds a transaction with it and lets a wallet guard, sign, submit
// and confirm that transaction:
//
//	client, err := lending.New(lending.Config{
//		BaseURL: "https://lending.example.com",
//		APIKey:  walletfi.NewSecret(os.Getenv("LENDING_KEY")),
//	})
//	...
//	built, err := client.BuildDeposit(ctx, lending.DepositRequest{
//		Owner: owner, Mint: usdc, DepositType: lending.DepositProtected, Amount: 25_500_000,
//	})
//	...
//	result, err := w.Execute(ctx, built.Unsigned()) // w is a *wallet.Wallet
//
// Each service has a package of its own: lending, smartaccount, leverage,
// predictmeta, swap, amm, providerswap, burnclose, onchaindata, socialsearch and
// webhooks. The other packages work with all of them:
//
//   - [github.com/walletfi/walletfi-go/wallet] guards, signs, submits and confirms
//   - [github.com/walletfi/walletfi-go/signing] checks a transaction and signs it
//   - [github.com/walletfi/walletfi-go/rpcnode] uses the caller's own Solana node
//   - [github.com/walletfi/walletfi-go/ratelimit] shares a limit between clients
//   - [github.com/walletfi/walletfi-go/sandbox] serves all services for tests
//
// # Clients
//
// Every client's Config embeds [Options], whose zero value is good. A method
// takes a context, a request and any number of [CallOption] values such as
// [Urgent] and [WithRawResponse]. Requests are checked before anything is sent.
//
// # Errors
//
// For every error that a call returns, errors.Is finds one of the sentinels of
// this package ([ErrRateLimited], [ErrOutcomeUnknown], ...), [context.Canceled]
// or [context.DeadlineExceeded]. errors.As finds a [*ResponseError] if a service
// answered, a [*TransportError] if no answer came, and a [*ValidationError] if
// the request was refused before anything was sent. [ErrOutcomeUnknown] means
// that a request may have been carried out: check before you repeat it.
//
// # Money
//
// An [Amount] counts a token's smallest unit and is never a float. A [Decimal]
// keeps the digits that the service sent. A builder returns an [Unsigned], whose
// [Intent] says what the request asked for; package signing compares the bytes
// of the transaction with it. A [Submitter] sends the signed transaction and a
// [Confirmer] tells whether it landed.
//
// # Rate limits
//
// Each client keeps the documented limits of its service. To share a budget
// between clients, set Limiter in [Options].
package walletfi
