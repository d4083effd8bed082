// Package walletfi is shared by the clients of eleven Solana services: options,
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
//	result, err := w.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{}) // w is a *wallet.Wallet
//
// Each service has a package of its own: lending, smartaccount, leverage,
// predictmeta, swap, amm, providerswap, burnclose, onchaindata, socialsearch and
// webhooks. The other packages work with all of them:
//
//   - [github.com/walletfi/walletfi-go/wallet] guards, signs, submits and confirms
//   - [github.com/walletfi/walletfi-go/signing] checks a transaction and signs it
//   - [github.com/walletfi/walletfi-go/rpcnode] uses the caller's own Solana node
//   - [github.com/walletfi/walletfi-go/ratelimit] shares a limit between clients
//   - [github.com/walletfi/walletfi-go/deployment] gives the clients the words of a vendor
//   - [github.com/walletfi/walletfi-go/observe] says what the SDK does, for traces and metrics
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
// this package, [context.Canceled] or [context.DeadlineExceeded]:
//
//	sentinel              what it means                            what to do
//	ErrInvalidRequest     refused before sending, or 400, 422:     mend the field that the error names
//	                      nothing happened
//	ErrUnauthorized       the key or token is not taken (401)      renew the key, or sign in again
//	ErrForbidden          the key may not do this (403)            ask for the right; do not repeat
//	ErrNotFound           the service says that it is not there    take it as absent
//	ErrRejected           refused for the service's own reason:    read its code and message; a new
//	                      balance, cooldown, policy                request later may pass
//	ErrRateLimited        a limit, the service's or this side's;   wait until the time in the error
//	                      nothing happened
//	ErrLimiter            your shared limiter failed; nothing      mend the limiter, then repeat; or set
//	                      was sent                                 Options.LimiterFallback
//	ErrTokenStore         your token store failed; nothing sent    mend the store, then repeat
//	ErrUnavailable        no answer, or 5xx, and nothing can       repeat later
//	                      have changed; retries are used up
//	ErrOutcomeUnknown     it may have been carried out             ask for the status; never repeat blindly
//	ErrDecode             the answer cannot be read, or lacks      do not act on it; the body is in the error.
//	                      what you would act on                    With a list, the other records are there
//	ErrFeeMarket          landing costs more than your             wait, or raise the caps
//	                      FeePolicy allows; nothing was signed
//	ErrMismatch           the answer contradicts the request       do not act, do not repeat; report it
//	ErrRedirect           the service redirects                    mend the base URL
//	ErrBlockhashNotFound  a submitter's node does not know the     submit again, or build again once
//	                      blockhash; nothing sent                  it has expired
//	ErrNotSent            certainly not sent, and will not be      repeat
//	wallet.ErrExpired     it can never land any more               ask for a new quote
//	wallet.ErrFailed      it landed and failed: fees are paid,     read the program's error
//	                      nothing else changed
//	wallet.ErrKeyReused   the key names another payment; of this   take another key; the error says
//	                      call nothing was signed                  what differs
//	signing.ErrRefused    the guard did not sign                   show the reason; it may be an attack
//
// A service can have sentinels of its own, in addition to one of these.
//
// errors.As finds a [*ResponseError] if a service answered, a [*TransportError]
// if no answer came, a [*ValidationError] if the request was refused before
// anything was sent, and an [*OutcomeUnknownError] with the signature, if one is
// known, if the outcome is unknown.
//
// # Money
//
// An [Amount] counts a token's smallest unit and is never a float. A [Decimal]
// keeps the digits that the service sent. A builder returns an [Unsigned], whose
// [Intent] says what the request asked for; package signing compares the bytes
// of the transaction with it. A [Submitter] sends the signed transaction and a
// [Confirmer] says whether it landed.
//
// # Rate limits
//
// Each client keeps the documented limits of its service. To share a budget
// between clients or processes, set Limiter in [Options]; LimiterFallback says what
// happens if such a limiter fails.
package walletfi
