package linear

import (
	"testing"

	"github.com/walletfi/walletfi-go/wallet"
)

func memorySubject() subject {
	return subject{name: "memory", start: func(*testing.T, uint64) *fleet {
		journal := wallet.NewMemoryJournal()
		return sharing(3, func(int) wallet.Journal { return journal })
	}}
}
