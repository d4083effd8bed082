package rpcnode

import (
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// maxQueue bounds the wait for a slot if ctx has no deadline.
const maxQueue = 2 * time.Minute

// admit takes a slot of the node's limit. What asks goes before what sends: a
// status that is late costs further sends.
func (w *wire) admit(ctx context.Context, method string) (done func(sent bool), err error) {
	if w.limit == nil {
		return func(bool) {}, nil
	}
	queued := ctx
	if method != "sendTransaction" {
		queued = ratelimit.WithUrgent(ctx)
	}
	if done, err = w.limit.Permit(queued, maxQueue); err == nil {
		return done, nil
	}
	e := &callError{TransportError: walletfi.TransportError{
		Service: "rpcnode", Op: method, Method: http.MethodPost, Path: "/", Kind: walletfi.ErrRateLimited, Cause: err,
	}, unsent: true, final: true}
	if ctx.Err() != nil {
		e.Kind = nil
	}
	return nil, e
}
