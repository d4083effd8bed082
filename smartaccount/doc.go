// Package smartaccount is the client of smart accounts on the
// ledger, with session keys, policies, executed transactions, direct debits and
// subscriptions.
//
//	client, err := smartaccount.New(smartaccount.Config{BaseURL: "https://accounts.example.com/api/v1"})
//	_, err = client.SendEmailCode(ctx, "ada@example.com")
//	_, err = client.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{Email: "ada@example.com", Code: code})
//	account, err := client.CreateAccount(ctx, smartaccount.CreateAccountRequest{
//		Name: "bot", Type: smartaccount.AccountPersonal,
//	})
//	tx, err := client.ExecuteTransaction(ctx, account.ID, smartaccount.ExecuteTransactionRequest{
//		Instructions: instructions,
//	})
//
// Other services build transactions for the caller to sign. This one signs and
// sends them itself: money moves as soon as [Client.ExecuteTransaction] is
// accepted.
//
// # Authentication
//
// Config.BaseURL includes the path prefix of the service ("/api/v1"). A client
// starts with tokens (Config.Token), with a store of them (Config.TokenStore),
// or without any. [Client.VerifyEmailCode] and [Client.AuthenticatePasskey]
// sign it in. The client refreshes the access token before it expires, and once
// after a 401; any number of callers share one refresh. A new pair of tokens is
// in the store before it is used. If an answer holds no refresh token, the old
// one is kept. [CodeSessionExpired] concerns a session key, not the token, and
// causes no refresh.
//
// The unit of the token's lifetime is not documented. Config.ExpiresInUnit sets
// it; the default is a second. A lifetime that makes no sense (0, negative, more
// than a year) counts as unknown: the token is used until a 401.
//
// # Units
//
// Amounts are [walletfi.Amount] in the mint's smallest unit. Balances are
// [walletfi.Decimal], by asset symbol. [Permission], [Frequency], [Period] and
// [Status] are open sets: other values than the constants can arrive and can be
// sent. Ids are sent unchanged, whatever their prefix.
//
// # Limits
//
// There are four budgets per minute, kept exactly: [ClassAuthentication] 10,
// [ClassRead] 100, [ClassWrite] 30, [ClassExecution] 10. The service's own
// count (X-RateLimit-Remaining until X-RateLimit-Reset) can tighten them. A
// refresh counts against the authentication budget, goes to the head of its
// queue, and may use at most half of it ([ClassRefresh]), so that a storm of
// refused tokens leaves room to sign in. Budgets live in the process and are
// forgotten when it restarts.
//
// # Errors
//
// An error of the service is an [Error] with its [Code].
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Retries
//
// Every call is repeated if no connection was made, and after a 429 with
// [CodeRateLimited] once the limit has reset; see [walletfi.RetryPolicy]. A call
// is repeated once with a new token after a 401 other than
// [CodeSessionExpired]. Beyond that:
//
//   - Get, List, Update, Delete, Revoke, RefreshToken, and Cancel of a direct
//     debit or subscription end in the same state however often they are made.
//     They are repeated after a timeout, a broken answer, and a 5xx. A repeated
//     deletion that finds nothing has succeeded.
//   - Create, Execute, Pause, Resume, SendEmailCode, VerifyEmailCode and the
//     passkey calls would take effect twice. After their bytes left, a lost or
//     unreadable answer and a 5xx are [walletfi.ErrOutcomeUnknown], and they are
//     not repeated. [Client.FindAccounts], [Client.FindSessions],
//     [Client.FindPolicies] and [Client.FindDirectDebits] say whether something
//     was created. Transactions and subscriptions have no such list: see
//     [Client.ExecuteTransaction] and [Client.CreateSubscription].
package smartaccount
