package wallet

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
)

// Built is a builder's answer: that of every method of the services whose name begins
// with Build.
type Built interface{ Unsigned() walletfi.Unsigned }

// BuiltOrder is an order that a builder's method builds: see [OrderOf].
type BuiltOrder[R any, B Built] struct {
	// Answer is what the service built last, the zero value before.
	Answer B

	build   func(context.Context, R, ...walletfi.CallOption) (B, error)
	request R
	opts    []walletfi.CallOption
}

// OrderOf is an order that a method of a service's client builds from request:
//
//	order := wallet.OrderOf(client.BuildDeposit, lending.DepositRequest{...})
//
// It is for one Place at a time.
func OrderOf[R any, B Built](build func(context.Context, R, ...walletfi.CallOption) (B, error), request R, opts ...walletfi.CallOption) *BuiltOrder[R, B] {
	return &BuiltOrder[R, B]{build: build, request: request, opts: opts}
}

// Build calls the method.
func (o *BuiltOrder[R, B]) Build(ctx context.Context) (walletfi.Unsigned, error) {
	answer, err := o.build(ctx, o.request, o.opts...)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	o.Answer = answer
	return answer.Unsigned(), nil
}

// Asked states the request: the name of its type and its exported fields but those
// tagged asked:"-", which the journal keeps. A request with a field that cannot be read,
// or with a walletfi.Secret, is not stated. It implements [walletfi.Asker].
func (o *BuiltOrder[R, B]) Asked() map[string]string { return asking.Of(o.request) }

// OrderFunc is an order that a function builds, such as a quote and then its
// transaction. It does not state what it asks for: see [Wallet.Place].
type OrderFunc func(ctx context.Context) (walletfi.Unsigned, error)

// Build calls f.
func (f OrderFunc) Build(ctx context.Context) (walletfi.Unsigned, error) { return f(ctx) }
