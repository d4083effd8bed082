package rpcnode

import (
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// The error codes of nodes that decide what a failure means.
const (
	codePreflightFailure  = -32002 // the node's simulation failed
	codeSignatureInvalid  = -32003
	codeCleanedUp         = -32001 // the node has dropped the block
	codeNoBlockYet        = -32004 // the node has not reached the slot
	codeNodeUnhealthy     = -32005 // the node lags the cluster
	codeSkipped           = -32007 // the slot has no block
	codeSkippedLong       = -32009 // the slot has no block, or the archive lacks it
	codeNoHistory         = -32011 // the node keeps no history
	codeSignatureCount    = -32013 // not as many signatures as the message wants
	codeUnsupportedFormat = -32015 // a transaction version that the node does not know
	codeMinContextSlot    = -32016 // the node has not reached the slot that was named
	codeInvalidRequest    = -32600
	codeMethodNotFound    = -32601
	codeInvalidParams     = -32602
	codeParse             = -32700
	codeProviderLimit     = -32429
)

func kindOfCode(code int) error {
	switch code {
	case codePreflightFailure:
		return walletfi.ErrRejected
	case codeSignatureInvalid, codeSignatureCount, codeUnsupportedFormat, codeInvalidRequest, codeMethodNotFound,
		codeInvalidParams, codeParse:
		return walletfi.ErrInvalidRequest
	case codeProviderLimit:
		return walletfi.ErrRateLimited
	}
	if isStatus(code) {
		return kindOfStatus(code)
	}
	return walletfi.ErrUnavailable
}

// isStatus reports whether a JSON-RPC code is the HTTP status that some
// providers put there.
func isStatus(code int) bool { return code >= 400 && code < 600 }

// kindOfStatus is peer.Kind but for 404: the node's address is wrong then, not
// what was asked for. ErrNotFound would say that an account does not exist.
func kindOfStatus(status int) error {
	if status == http.StatusNotFound {
		return walletfi.ErrInvalidRequest
	}
	return peer.Kind(status)
}

// refusedWith reports an answer of the node with a code.
func refusedWith(err error, code int) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && refused.Code == code
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
	case codePreflightFailure, codeSignatureInvalid, codeNodeUnhealthy, codeSignatureCount, codeUnsupportedFormat,
		codeMinContextSlot, codeInvalidRequest, codeMethodNotFound, codeInvalidParams, codeParse, codeProviderLimit:
		return true
	}
	return isStatus(refused.Code) && !peer.MayHaveRun(refused.Code) || !peer.MayHaveRun(refused.StatusCode)
}

// passes reports a failure that may be over in a moment.
func passes(err error) bool {
	if call, ok := errors.AsType[*callError](err); ok {
		return !call.final && errors.Is(err, walletfi.ErrUnavailable)
	}
	refused, ok := errors.AsType[*Error](err)
	if !ok || refused.StatusCode >= 500 && peer.Final(refused.StatusCode) {
		return false
	}
	if skipped(err) || refused.Code == codeNoBlockYet || refused.Code == codeCleanedUp || refused.Code == codeNoHistory {
		return false
	}
	return refused.cut || errors.Is(refused.Kind, walletfi.ErrUnavailable) ||
		errors.Is(refused.Kind, walletfi.ErrRateLimited)
}
