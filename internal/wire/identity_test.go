package wire

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

type twin struct {
	ID string        `json:"id" wire:"identity"`
	At walletfi.Time `json:"at" wire:"free,identity"`
	N  int           `json:"n" wire:"free,identity"`
	X  string        `json:"x"`
}

// TestRepeatedRecords: of records that have all that tells them apart alike the first one stays,
// in a list of any length. One that lacks a part of it is no other's.
func TestRepeatedRecords(t *testing.T) {
	for _, more := range []int{0, 1, fewRecords - 2, fewRecords - 1, fewRecords, fewRecords + 1, 50} {
		var records []string
		for i := range more {
			records = append(records, fmt.Sprintf(`{"id":"r%d","at":1700000000,"n":%d}`, i, i+1))
		}
		records = append(records,
			`{"id":"a","at":1700000000,"n":1}`, `{"id":"a","at":"2023-11-14T22:13:20Z","n":1.0,"x":"y"}`, `{"id":"a","at":1700000001,"n":1}`,
			`{"id":"a","at":1700000000,"n":2}`, `{"id":"a","at":1700000000,"n":0}`, `{"id":"a","at":1700000000,"n":0}`, `{"id":"","at":1700000000,"n":1}`,
			`{"at":1700000000,"n":1}`, `{"id":"a","n":1}`, `{"id":"a","n":1}`, `{"id":"a","at":1700000000,"n":2,"x":"z"}`,
		)
		var list []twin
		unread, ok := errors.AsType[*walletfi.UnreadError](DecodeList([]byte("["+strings.Join(records, ",")+"]"), &list))
		require.True(t, ok)
		require.Len(t, list, len(records)-2)
		require.Len(t, unread.Records, 2)
		for i, index := range []int{1, 10} {
			require.Equal(t, more+index, unread.Records[i].Index)
			require.ErrorIs(t, unread.Records[i], ErrRepeated)
			require.Equal(t, records[more+index], unread.Records[i].Raw.String())
		}
		require.Empty(t, list[more].X, "the first stays")
		require.Len(t, Unique(append(list, list...)), len(list)+6, "those without an identity are all there")
	}
}
