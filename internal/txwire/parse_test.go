package txwire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// smallest is a legacy transaction of one signer, two keys and one empty call.
func smallest() []byte {
	b := append([]byte{1}, make([]byte, 64)...)
	b = append(b, 1, 0, 1, 2)
	b = append(b, make([]byte, 64)...)
	b[len(b)-1] = 7
	b = append(b, make([]byte, 32)...)
	return append(b, 1, 1, 0, 0)
}

func TestParseAllocatesNothing(t *testing.T) {
	tx := txwire.Transaction{Raw: smallest()}
	require.Nil(t, tx.Parse())
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if tx.Parse() != nil {
			t.Error("not parsed")
		}
	}))
}

// TestFaultsAreAllNamed: the first fault is described, the kinds of the others
// are kept.
func TestFaultsAreAllNamed(t *testing.T) {
	b := append(smallest(), 0) // a byte too many
	b[1+64+1] = 1              // a read-only fee payer
	tx := txwire.Transaction{Raw: b}
	faults := tx.Parse()
	require.NotNil(t, faults)
	require.Equal(t, txwire.Sanity, faults.Kind)
	require.Equal(t, txwire.Sanity|txwire.Encoding, faults.Kinds)
	require.False(t, faults.Unreadable)

	tx.Raw = b[:80]
	faults = tx.Parse()
	require.NotNil(t, faults)
	require.Equal(t, txwire.Encoding, faults.Kinds)
	require.True(t, faults.Unreadable)
}

// FuzzParse: whatever the bytes, and however many faults they have, Parse ends,
// and what can be read to its end can be walked over.
func FuzzParse(f *testing.F) {
	f.Add(smallest())
	f.Add([]byte{0x81, 1, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		tx := txwire.Transaction{Raw: b}
		if faults := tx.Parse(); faults != nil && faults.Unreadable {
			return
		}
		size := len(tx.Message()) + 64*int(tx.Required)
		require.LessOrEqual(t, size, len(b))
		for c := tx.Instructions(); c.Next(); {
			_ = tx.Key(int(c.Program))
		}
		for c := tx.Lookups(); c.Next(); {
			_ = c.Table
		}
	})
}
