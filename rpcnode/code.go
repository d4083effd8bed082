package rpcnode

import (
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
)

// The error codes of nodes that decide what a failure means.
const (
	codePreflightFailure  = -32002 // the node's simulation failed
	codeSignatureInvalid  = -32003
	codeNodeUnhealthy     = -32005 // the node is behind the cluster
	codeSignatureCount    = -32013 // not as many signatures as the message wants
	codeUnsupportedFormat = -32015 // a transaction version that the node does not know
	codeMinContextSlot    = -32016 // the node has not reached the slot that was named
	codeInvalidRequest    = -32600
	codeMethodNotFound    = -32601
	codeInvalidParams     = -32602
	codeParse             = -32700
	codeTooManyRequests   = 429 // some providers put the HTTP status there
	codeProviderLimit     = -32429
)

func kindOfCode(code int) error {
	switch code {
	case codePreflightFailure:
		return walletfi.ErrRejected
	case codeSignatureInvalid, codeSignatureCount, codeUnsupportedFormat, codeInvalidRequest, codeMethodNotFound, codeInvalidParams, codeParse:
		return walletfi.ErrInvalidRequest
	case codeTooManyRequests, codeProviderLimit:
		return walletfi.ErrRateLimited
	case http.StatusUnauthorized, http.StatusForbidden:
		return kindOfStatus(code)
	}
	return walletfi.ErrUnavailable
}

func kindOfStatus(status int) error {
	switch {
	case status == http.StatusUnauthorized:
		return walletfi.ErrUnauthorized
	case status == http.StatusForbidden:
		return walletfi.ErrForbidden
	case status == http.StatusTooManyRequests:
		return walletfi.ErrRateLimited
	case status >= 300 && status < 400:
		return walletfi.ErrRedirect
	case status == http.StatusRequestTimeout:
		return walletfi.ErrUnavailable
	case status >= 400 && status < 500:
		return walletfi.ErrInvalidRequest
	}
	return walletfi.ErrUnavailable
}

// neverSent reports an error that says that the node passed nothing on: it was
// not reached, or it refused by a code or status that comes before sending.
func neverSent(err error) bool {
	if call, ok := errors.AsType[*callError](err); ok {
		return call.unsent
	}
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		_, invalid := errors.AsType[*walletfi.ValidationError](err)
		return invalid
	}
	switch refused.Code {
	case codePreflightFailure, codeSignatureInvalid, codeNodeUnhealthy, codeSignatureCount, codeUnsupportedFormat, codeMinContextSlot,
		codeInvalidRequest, codeMethodNotFound, codeInvalidParams, codeParse, codeTooManyRequests, codeProviderLimit,
		http.StatusUnauthorized, http.StatusForbidden:
		return true
	}
	// 408 comes from a proxy that may have passed the request on.
	return refused.StatusCode >= 300 && refused.StatusCode < 500 && refused.StatusCode != http.StatusRequestTimeout
}

// passes reports a failure that may be over in a moment.
func passes(err error) bool {
	if final(err) {
		return false
	}
	return errors.Is(err, walletfi.ErrUnavailable) || errors.Is(err, walletfi.ErrRateLimited)
}
