package wallet

import (
	"context"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
)

// setSigner asks the caller's signer for a whole set, and gives it the payment's key.
type setSigner struct {
	signing.SetSigner
	e       *execution
	o       ExecuteOptions
	service string
}

// SignSet tells the stage and the observer as [stagedSigner] and [observedSigner] do of one
// transaction.
func (s *setSigner) SignSet(ctx context.Context, r signing.SetRequest) (signatures []signing.Signature, err error) {
	r.Key = s.o.Key
	s.o.enter(StageSign)
	if s.e.w.observer == nil {
		return s.SetSigner.SignSet(ctx, r)
	}
	ctx, span := observing.Start(
		ctx, s.e.w.observer, observe.Sign{Service: s.service, Owner: s.PublicKey().String()},
	)
	err = observing.Through(span, func() (err error) {
		signatures, err = s.SetSigner.SignSet(ctx, r)
		return err
	}, func(err error) observe.SignEnd { return observe.SignEnd{Err: err} })
	return signatures, err
}
