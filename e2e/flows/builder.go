package flows

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/sandbox"
)

// Builder is a method that answers transactions to sign.
type Builder struct {
	Service sandbox.Service
	Name    string
	Build   func(context.Context) (walletfi.Unsigned, error)
	Answer  func(context.Context) (any, error) // what build makes the Unsigned of; may be nil
	Prepare func()                             // on the ledger, before the service turns hostile; nil means nothing
}

// from makes a builder of a method and its request.
func from[Request any, Built interface{ Unsigned() walletfi.Unsigned }](
	service sandbox.Service, name string, method func(
		context.Context, Request, ...walletfi.CallOption,
	) (Built, error), request Request,
) Builder {
	return Builder{Service: service, Name: name, Build: func(ctx context.Context) (walletfi.Unsigned, error) {
		built, err := method(ctx, request)
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		return built.Unsigned(), nil
	}, Answer: func(ctx context.Context) (any, error) { return method(ctx, request) }}
}

// unlimited lets every call go at once.
type unlimited struct{}

func (unlimited) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	return func(context.Context, bool) error { return nil }, nil
}
func (unlimited) Hold(context.Context, time.Time) error { return nil }

func (unlimited) Tighten(context.Context, int, time.Time) error { return nil }

// AtOnce are options of a client whose calls wait for no limit.
func AtOnce() walletfi.Options {
	return walletfi.Options{Limiter: func(ratelimit.Scope) ratelimit.Limiter { return unlimited{} }}
}
