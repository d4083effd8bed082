package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestTimesThatTurn: a time that comes twice is found wherever the order of times changes.
func TestTimesThatTurn(t *testing.T) {
	type record struct {
		At walletfi.Time `json:"at" wire:"identity"`
	}
	for times, left := range map[string]int{
		`1700000001,1700000002,1700000003`:            3,
		`1700000003,1700000002,1700000001`:            3,
		`1700000001,1700000001`:                       1,
		`1700000001,1700000002,1700000001`:            2,
		`1700000003,1700000002,1700000003,1700000001`: 3,
		`1700000001,1700000003,1700000002,1700000003`: 3,
	} {
		body := []byte(`[`)
		for i, at := 0, times; at != ""; i++ {
			if i > 0 {
				body = append(body, ',')
			}
			body = append(body, `{"at":`+at[:10]+`}`...)
			at = at[min(len(at), 11):]
		}
		var list []record
		err := DecodeList(append(body, ']'), &list)
		require.Len(t, list, left, times)
		require.Equal(t, left < (len(times)+1)/11, err != nil, times)
	}
}
