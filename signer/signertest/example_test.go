package signertest_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// A key of one's own is tested in the package that makes it.
func Example() {
	var t *testing.T // that of your test
	signertest.Backend(t, func(t *testing.T) signing.Signer {
		return signingtest.Key("owner") // in its place, yours
	})
}
