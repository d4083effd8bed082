// Package socialsearch is the client of a search over the public
// posts of the last seven days, and look-ups of users and posts.
//
//	meter, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: 500_000}) // 0.50
//	...
//	client, err := socialsearch.New(socialsearch.Config{
//		BaseURL:     "https://social.example.com",
//		BearerToken: walletfi.NewSecret(os.Getenv("SOCIAL_TOKEN")),
//		Spend:       meter,
//	})
//	...
//	query := socialsearch.NewQuery(socialsearch.Cashtag("SOL"), socialsearch.IsRepost().Not())
//	for post, err := range client.AllSearchRecent(ctx, socialsearch.SearchRequest{Query: query}) {
//		...
//	}
//
// [Client.SearchRecent] returns one page of the posts that match a [Query],
// [Client.ListUserPosts] one page of a user's posts. [Client.AllSearchRecent] and
// [Client.AllUserPosts] iterate over all pages. [Client.GetUserByUsername] and
// [Client.GetPost] look up one record.
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # What it costs
//
// Reads are billed. A [Meter] in [Config] reserves the most that a call can cost
// before it is sent, settles on what came back, and refuses a call that could
// exceed its budget: [ErrSpendBudget]. For the same reason a read that the
// service may have billed is not repeated after a timeout or a broken answer,
// unless RetryPaidReads in [Config] is set.
//
// # Authentication and limits
//
// Every route takes Authorization: Bearer. [TokenKind] says whether the token is
// an application's or a user's, which sets the budgets of each 15 minutes: 450
// searches with an application's token or 300 with a user's, 300 look-ups of
// users, 1,500 reads of a user's posts. A 429 whose remaining count is above 0
// is a cap on usage, not a rate: the call fails with [ErrUsageCap] and is not
// repeated.
//
// # Retries
//
// All four calls read. Each is repeated if no connection was made, after a 503,
// and after a 429 once the limit has reset (x-rate-limit-reset). With
// RetryPaidReads they are repeated after a timeout, a broken answer or another
// 5xx too.
package socialsearch
