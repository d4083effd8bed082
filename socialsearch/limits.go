package socialsearch

import (
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// TokenKind says whose bearer token it is.
type TokenKind string

// The kinds of token.
const (
	TokenApp  TokenKind = "app"  // an application's: 450 searches in 15 minutes
	TokenUser TokenKind = "user" // a user's: 300 searches in 15 minutes
)

// The classes of calls, each with its own budget: arguments of [Client.Limiter] and
// of Limiter in [walletfi.Options].
const (
	ClassSearch    = "search"    // 450 or 300 in 15 minutes
	ClassUsers     = "users"     // 300 in 15 minutes
	ClassUserPosts = "userposts" // 1,500 in 15 minutes
	ClassPosts     = "posts"     // not documented; the client obeys a 429
)

const window = 15 * time.Minute

func (k TokenKind) budgets() map[string][]ratelimit.Budget {
	searches := 450
	if k == TokenUser {
		searches = 300
	}
	return map[string][]ratelimit.Budget{
		ClassSearch:    {{Requests: searches, Per: window}},
		ClassUsers:     {{Requests: 300, Per: window}},
		ClassUserPosts: {{Requests: 1500, Per: window}},
		ClassPosts:     nil,
	}
}
