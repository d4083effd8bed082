// Package smartaccount is the client of service B: smart accounts on the
// ledger with session keys, policies, executed transactions, direct debits and
// subscriptions.
//
// Unlike the builders of the other services, this one signs and sends on its
// own: ExecuteTransaction moves money as soon as it is accepted.
//
// # Authentication
//
// Config.BaseURL holds the path prefix of the service ("/api/v1"). A client
// is made from tokens (Config.Token), from a store (Config.TokenStore), or
// empty and signed in by VerifyEmailCode or AuthenticatePasskey, which put the
// tokens to use at once. The access token is renewed on its own before it
// expires and once after a 401, by one refresh for any number of callers; the
// new pair is in the store before it is used. An answer without a refresh
// token keeps the old one. CodeSessionExpired is about a session key, not
// about the token, and renews nothing.
//
// The unit of the lifetime that the service states is not documented:
// Config.ExpiresInUnit says it, a second where it does not. A lifetime that
// makes no sense (0, negative, above a year) counts as unknown: the token is
// used until a 401.
//
// # Units
//
// Amounts are walletfi.Amount in the mint's smallest unit. Balances are
// walletfi.Decimal, by asset symbol. Permissions, frequencies, periods and
// statuses are open sets: what the constants do not name may come and may be
// sent. Ids are taken as they are, whatever their prefix.
//
// # Limits
//
// Four budgets a minute, kept exactly: ClassAuthentication 10, ClassRead 100,
// ClassWrite 30, ClassExecution 10. What the service reports of its own count
// (X-RateLimit-Remaining until X-RateLimit-Reset) tightens them. A refresh
// counts against the authentication budget, goes to the head of its queue, and
// may take no more than half of it (ClassRefresh), so that a storm of refused
// tokens leaves room to sign in. Budgets live in the process and are forgotten
// when it restarts.
//
// # Retries
//
// Every call is repeated where no connection was made, and after a 429 with
// CodeRateLimited once the limit has reset; see walletfi.RetryPolicy. A call
// is repeated once with a new token after a 401 other than CodeSessionExpired.
// Beyond that:
//
//   - Get and List, Update, Delete, Cancel of a direct debit or subscription,
//     Revoke and RefreshToken end in the same state however often they are
//     made: they are repeated after a timeout, a broken answer, and a 5xx. A
//     repeated deletion that finds nothing has succeeded.
//   - Create, Execute, Pause, Resume, SendEmailCode, VerifyEmailCode and the
//     passkey calls would happen twice. Once their bytes left, a lost or
//     unreadable answer and a 5xx are walletfi.ErrOutcomeUnknown, never a
//     repeat. FindAccounts, FindSessions, FindPolicies and FindDirectDebits
//     tell what became of a creation; transactions and subscriptions have no
//     such list, see ExecuteTransaction and CreateSubscription.
package smartaccount
