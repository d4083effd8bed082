package wallet

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// doorWidth bounds the calls of one submitter under way: one that does not
// answer must not pile up goroutines.
const doorWidth = 128

// door is a submitter under the name by which the journal knows it.
type door struct {
	name  string
	send  func(ctx context.Context, signed []walletfi.Signed) (signature string, err error)
	under int // calls, guarded by the tracker's lock
}

func singleDoor(s walletfi.Submitter) *door {
	return &door{name: fmt.Sprintf("%T", s), send: func(ctx context.Context, signed []walletfi.Signed) (string, error) {
		return s.Submit(ctx, signed[0])
	}}
}

func bundleDoor(s walletfi.BundleSubmitter) *door {
	return &door{name: fmt.Sprintf("bundle %T", s), send: func(ctx context.Context, signed []walletfi.Signed) (string, error) {
		_, err := s.SubmitBundle(ctx, signed)
		return "", err
	}}
}

// try sends once. A submitter that panics may have sent before.
func (d *door) try(ctx context.Context, signed []walletfi.Signed) (signature string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the submitter panicked: %v", p)
		}
	}()
	return d.send(ctx, signed)
}

// neverSent reports a submitter's error after which the transaction cannot land
// by what that submitter did.
func neverSent(err error) bool {
	return errors.Is(err, walletfi.ErrNotSent) && !errors.Is(err, walletfi.ErrOutcomeUnknown)
}

// signedBy reports whether a signature that a submitter tells is the fee
// payer's over a transaction. Without that, a status would prove nothing: any transaction
// that ever succeeded could be named.
func signedBy(transaction walletfi.Base64Transaction, signature string) bool {
	s, err := signing.ParseSignature(signature)
	if err != nil {
		return false
	}
	sent, err := signing.Decode(transaction)
	return err == nil && s.Verify(sent.FeePayer(), sent.Message())
}
