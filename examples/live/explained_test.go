package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// What wallet.Place refuses or leaves open is said with what to do, however it is wrapped.
func TestErrorsSayWhatToDo(t *testing.T) {
	for err, then := range map[error]string{
		walletfi.ErrOutcomeUnknown:                                   "run the same order again",
		wallet.ErrKeyReused:                                          "take a new name",
		&wallet.SpendLimitError{Mint: "m", Most: 1, Asked: 2}:        "when the limit is free",
		fmt.Errorf("%w: %w", walletfi.ErrNotSent, wallet.ErrExpired): "run the same order again",
		signing.ErrRefused:                                           "find out why",
		wallet.ErrFailed:                                             "find out why",
	} {
		got := explained(fmt.Errorf("place: %w", err))
		assert.ErrorIs(t, got, err)
		assert.Contains(t, got.Error(), then)
	}
}
