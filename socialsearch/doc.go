// Package socialsearch is the client of service J: search over the public
// posts of the last seven days, and look-ups of users and posts.
//
// # What it costs
//
// Reads are billed: Config.Spend takes a Meter that reserves the most a call
// can cost before it is sent, settles on what came back, and refuses a call
// that could exceed its budget. Because of that a read that may have been
// served is not repeated after a timeout or a broken answer, unless
// Config.RetryPaidReads says so.
//
// # Authentication and limits
//
// Every route takes Authorization: Bearer. Config.TokenKind says whose token it
// is, which sets the budgets of each 15 minutes: 450 searches with an
// application's token or 300 with a user's, 300 look-ups of users, 1,500 reads
// of a user's posts. A 429 whose remaining count is above 0 is a cap on usage,
// not a rate: it answers to ErrUsageCap and is not repeated.
//
// # Retries
//
// All four calls read. Each is repeated where no connection was made, after a
// 503, and after a 429 once the limit has reset (x-rate-limit-reset). With
// Config.RetryPaidReads also after a timeout, a broken answer or another 5xx.
package socialsearch
