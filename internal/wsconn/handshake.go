package wsconn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/walletfi/walletfi-go/internal/peer"
)

// HandshakeError is an answer to the handshake that is not a WebSocket. It
// ends Run if dialling again would not help: a redirect, which is never
// followed, every 4xx but 408, 425 and 429, the 5xx 501, 505 and 511, and a
// wait that is longer than Config.MaxRetryAfter.
type HandshakeError struct {
	StatusCode int           // HTTP status
	RetryAfter time.Duration // what the service asked to wait, 0 if it did not say
	Body       []byte        // the first 1,024 bytes, credentials masked; never in Error()
	Kind       error         // the sentinel of package walletfi
	Cause      error         // that the wait is too long; else nil

	final bool
}

func newHandshakeError(answer *http.Response, mask *peer.Mask, cfg Config) *HandshakeError {
	body, _ := io.ReadAll(answer.Body) // in memory by now, cut by gorilla
	e := &HandshakeError{
		StatusCode: answer.StatusCode, Body: mask.Excerpt(body),
		Kind: peer.Kind(answer.StatusCode), final: peer.Final(answer.StatusCode),
	}
	if !e.final && answer.StatusCode >= 300 {
		e.RetryAfter, _ = peer.Wait(answer.Header, cfg.now(), 0)
	}
	if e.RetryAfter > cfg.MaxRetryAfter {
		e.final, e.Cause = true, peer.TooLong(e.RetryAfter)
	}
	return e
}

// Error names the status and what it means.
func (e *HandshakeError) Error() string {
	text := fmt.Sprintf("WebSocket handshake: HTTP %d: %v", e.StatusCode, e.Kind)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the sentinel and the cause.
func (e *HandshakeError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

func retryAfterOf(err error) time.Duration {
	var handshake *HandshakeError
	if errors.As(err, &handshake) {
		return handshake.RetryAfter
	}
	return 0
}

// ownDeadline keeps the handshake's deadline from looking like the caller's.
func ownDeadline(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}
