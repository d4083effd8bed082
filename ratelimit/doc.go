// Package ratelimit keeps calls under a service's limits. Every client makes
// its own limiter from the documented limits of its service; a program makes
// one itself to share it between clients that use the same key:
//
//	limiter := ratelimit.New(ratelimit.Budget{Requests: 60, Per: time.Minute})
//	options := walletfi.Options{Limiter: func(ratelimit.Scope) ratelimit.Limiter { return limiter }}
//
// [New] returns a limiter that is exact: no window of the length of a [Budget]
// ever sees more requests than the budget, whatever the latency. A [Pacer]
// keeps a pause between requests instead. Both serve callers in order, and
// calls marked by [WithUrgent] before the others.
//
// A refused call fails with an [*Error], which says when to try again. Processes that
// share a key need a [Limiter] that they share, such as that of contrib/redislimit; if
// it fails, a call fails with a [*LimiterError], or uses a [Fallback].
package ratelimit
