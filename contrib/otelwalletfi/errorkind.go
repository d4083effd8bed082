package otelwalletfi

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// kinds are the values of error.type, the first that fits.
var kinds = []struct {
	err  error
	kind string
}{
	{walletfi.ErrOutcomeUnknown, "outcome_unknown"}, // whatever else it is: money may move
	{wallet.ErrStopped, "stopped"},                  // whatever stopped it: a part was paid
	{context.Canceled, "canceled"},
	{context.DeadlineExceeded, "deadline_exceeded"},
	{wallet.ErrExpired, "expired"},
	{wallet.ErrFailed, "failed"},
	{signing.ErrRefused, "refused_by_guard"},
	{walletfi.ErrRateLimited, "rate_limited"},
	{walletfi.ErrLimiter, "limiter_failed"},
	{walletfi.ErrTokenStore, "token_store_failed"},
	{walletfi.ErrInvalidRequest, "invalid_request"},
	{walletfi.ErrUnauthorized, "unauthorized"},
	{walletfi.ErrForbidden, "forbidden"},
	{walletfi.ErrNotFound, "not_found"},
	{walletfi.ErrRejected, "rejected"},
	{walletfi.ErrMismatch, "mismatch"},
	{walletfi.ErrDecode, "decode"},
	{walletfi.ErrRedirect, "redirect"},
	{walletfi.ErrUnavailable, "unavailable"},
	{walletfi.ErrNotSent, "not_sent"},
}

// kindOf returns the exported name of an error, whose text can name addresses.
func kindOf(err error) string {
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.kind
		}
	}
	return other
}

// kindOfLoss is the kind of an attempt without an answer.
func kindOfLoss(err error) string {
	var timeout interface{ Timeout() bool }
	switch kind := kindOf(err); {
	case kind != other && kind != "unavailable":
		return kind
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	}
	return "connection"
}

// withError appends error.type if there is an error.
func withError(attributes []attribute.KeyValue, err error) []attribute.KeyValue {
	if err == nil {
		return attributes
	}
	return append(attributes, semconv.ErrorTypeKey.String(kindOf(err)))
}

// finish ends a span, with the kind of err if there is an error.
func finish(span trace.Span, err error) {
	if err != nil {
		failAs(span, kindOf(err))
	}
	span.End()
}

func failAs(span trace.Span, kind string) {
	span.SetStatus(codes.Error, kind)
	span.SetAttributes(semconv.ErrorTypeKey.String(kind))
}
