package ratelimit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestErrorText(t *testing.T) {
	reset := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	refused := &ratelimit.Error{ResetAt: reset}
	assert.EqualError(t, refused, "rate limited by the client's own budget until 2026-01-02T03:04:05Z")
	assert.EqualError(t, &ratelimit.Error{Class: "read", ResetAt: reset}, "rate limited by the client's own budget (read) until 2026-01-02T03:04:05Z")
	assert.ErrorIs(t, refused, ratelimit.ErrLimited)
}
