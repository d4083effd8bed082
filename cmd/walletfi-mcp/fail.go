package main

import (
	"context"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// masker hides the secrets of the configuration in what goes out.
type masker struct{ *peer.Mask }

func (m masker) error(err error) string {
	return peer.OneLine(m.Text(err.Error()))
}

// failure is the structured content of an error: kind is one of a closed set, text is for people and
// may have what a service wrote.
type failure struct {
	Error struct {
		Kind    string    `json:"kind"`
		Field   string    `json:"field,omitempty"` // of the input, of kind invalid
		Text    string    `json:"text"`
		RetryAt time.Time `json:"retryAt,omitzero"`
	} `json:"error"`
}

var errTooLong = errors.New("the answer is too long")

// kinds are what an error can be; the first that fits is said.
var kinds = []struct {
	is   error
	kind string
}{
	{walletfi.ErrInvalidRequest, "invalid"},
	{errTooLong, "too_long"},
	{socialsearch.ErrSpendBudget, "budget"},
	{socialsearch.ErrSpendStore, "budget"},
	{signing.ErrWaits, "waits"},
	{signing.ErrRefused, "refused"},
	{walletfi.ErrRateLimited, "rate_limited"},
	{walletfi.ErrOutcomeUnknown, "outcome_unknown"},
	{walletfi.ErrUnauthorized, "unauthorized"},
	{walletfi.ErrForbidden, "forbidden"},
	{walletfi.ErrNotFound, "not_found"},
	{walletfi.ErrRejected, "rejected"},
	{walletfi.ErrDecode, "not_understood"},
	{walletfi.ErrMismatch, "not_understood"},
	{walletfi.ErrUnavailable, "unavailable"},
	{context.DeadlineExceeded, "unavailable"},
	{context.Canceled, "cancelled"},
}

// failed is err for the caller.
func (m masker) failed(err error) (f failure) {
	f.Error.Kind, f.Error.Text = "failed", m.error(err)
	for _, k := range kinds {
		if errors.Is(err, k.is) {
			f.Error.Kind = k.kind
			break
		}
	}
	if invalid, ok := errors.AsType[*walletfi.ValidationError](err); ok {
		f.Error.Field = shown(m.Text(invalid.Field))
	}
	if limited, ok := errors.AsType[*ratelimit.Error](err); ok {
		f.Error.RetryAt = limited.ResetAt
	}
	if refused, ok := errors.AsType[*signing.SetRefusal](err); ok {
		f.Error.RetryAt = refused.RetryAt
	}
	return f
}
