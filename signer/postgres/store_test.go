package postgres_test

import (
	"testing"

	"github.com/walletfi/walletfi-go/signer/signertest"
)

func TestStore(t *testing.T) {
	role, _ := newStore(t)
	signertest.SharedStore(t, opens(role))
}
