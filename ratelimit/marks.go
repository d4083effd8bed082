package ratelimit

import "context"

type urgentKey struct{}

// WithUrgent marks ctx so that a [Limiter] serves it before others. The clients
// do so for a call with the option walletfi.Urgent.
func WithUrgent(ctx context.Context) context.Context {
	return context.WithValue(ctx, urgentKey{}, urgentKey{})
}

// IsUrgent reports whether ctx was marked by [WithUrgent], for those who write a
// [Limiter] of their own.
func IsUrgent(ctx context.Context) bool { return ctx.Value(urgentKey{}) != nil }

type followUpKey struct{}

// WithFollowUp marks ctx for a call that belongs to the call just made, as the
// build of a swap belongs to its quote, which would be stale after a pause. A
// [Pacer] admits it without a pause and makes up for it afterwards: the call
// after the pair waits twice as long. A hold is obeyed. Other limiters ignore
// the mark.
func WithFollowUp(ctx context.Context) context.Context {
	return context.WithValue(ctx, followUpKey{}, followUpKey{})
}

// IsFollowUp reports whether ctx was marked by [WithFollowUp], for those who
// write a [Limiter] of their own.
func IsFollowUp(ctx context.Context) bool { return ctx.Value(followUpKey{}) != nil }
