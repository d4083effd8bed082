package rpcnode

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/walletfi/walletfi-go"
)

// Error is what the node answered in place of a result.
type Error struct {
	Method  string            // JSON-RPC method, such as "sendTransaction"
	Code    int               // JSON-RPC error code, or the HTTP status where there is none
	Message string            // the node's words
	Data    walletfi.Document // what the node added: logs, the transaction's error
	Kind    error             // the sentinel that errors.Is finds
}

// Error is one line. It never shows the node's URL, which can hold a key.
func (e *Error) Error() string { return "rpcnode: " + e.Method + ": " + e.Message }

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Kind }

// typed turns an error of solana-go's into one of ours. Its own text names the
// URL, so that nothing of it is kept but the cause underneath.
func (c *Client) typed(method string, err error) error {
	var refused *jsonrpc.RPCError
	var status *jsonrpc.HTTPError
	var link *url.Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &walletfi.TransportError{Service: "rpcnode", Op: method, Method: http.MethodPost, Path: "/", Attempts: 1, Cause: contextCause(err)}
	case errors.As(err, &refused):
		data, _ := json.Marshal(refused.Data)
		return &Error{Method: method, Code: refused.Code, Message: refused.Message, Data: data, Kind: kindOfCode(refused.Code)}
	case errors.As(err, &status):
		return &Error{Method: method, Code: status.Code, Message: http.StatusText(status.Code), Kind: kindOfStatus(status.Code)}
	case errors.As(err, &link):
		return &walletfi.TransportError{Service: "rpcnode", Op: method, Method: http.MethodPost, Path: "/", Attempts: 1, Kind: walletfi.ErrUnavailable, Cause: link.Err}
	}
	return &Error{Method: method, Message: "the answer was not understood", Kind: walletfi.ErrDecode}
}

func contextCause(err error) error {
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	return context.DeadlineExceeded
}

func kindOfCode(code int) error {
	switch code {
	case codePreflightFailure:
		return walletfi.ErrRejected
	case codeSignatureInvalid, codeInvalidParams, codeMethodNotFound, codeUnsupportedFormat:
		return walletfi.ErrInvalidRequest
	}
	return walletfi.ErrUnavailable
}

func kindOfStatus(status int) error {
	switch status {
	case http.StatusUnauthorized:
		return walletfi.ErrUnauthorized
	case http.StatusForbidden:
		return walletfi.ErrForbidden
	case http.StatusTooManyRequests:
		return walletfi.ErrRateLimited
	}
	if status >= 400 && status < 500 {
		return walletfi.ErrInvalidRequest
	}
	return walletfi.ErrUnavailable
}

// neverConnected reports an error from before the first byte.
func neverConnected(err error) bool {
	var name *net.DNSError
	var op *net.OpError
	return errors.As(err, &name) || errors.As(err, &op) && op.Op == "dial"
}

// The repeats of a read: three, after 0 to 0.5, 1 and 2 seconds.
const (
	readRepeats = 3
	firstWait   = 500 * time.Millisecond
)

// read runs what changes nothing, again where the node was busy or away.
func (c *Client) read(ctx context.Context, method string, call func() error) error {
	for n := 0; ; n++ {
		err := call()
		if err == nil || errors.Is(err, rpc.ErrNotFound) {
			return err
		}
		typed := c.typed(method, err)
		busy := errors.Is(typed, walletfi.ErrUnavailable) || errors.Is(typed, walletfi.ErrRateLimited)
		if !busy || n == readRepeats {
			return typed
		}
		timer := time.NewTimer(rand.N(firstWait << n))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return errors.Join(ctx.Err(), typed)
		}
	}
}
