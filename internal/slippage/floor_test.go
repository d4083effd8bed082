package slippage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/slippage"
)

func TestFloors(t *testing.T) {
	for name, row := range map[string]struct {
		quoted, least walletfi.Amount
		floors        []walletfi.Amount
		want          string // "" if the answer is held
	}{
		"as much as is allowed":     {500, 495, []walletfi.Amount{495}, ""},
		"more":                      {500, 495, []walletfi.Amount{500}, ""},
		"one less":                  {500, 495, []walletfi.Amount{494}, `a: asked for "at least 495", answered "494"`},
		"none":                      {500, 495, []walletfi.Amount{0}, `a: asked for "at least 495", answered "0"`},
		"none, and none is allowed": {500, 0, []walletfi.Amount{0}, ""},
		"the second alone":          {500, 495, []walletfi.Amount{0, 495}, ""},
		"the first alone":           {500, 495, []walletfi.Amount{495, 0}, ""},
		"neither":                   {500, 495, []walletfi.Amount{0, 0}, `a: asked for "at least 495", answered "0"`},
		"the second is less":        {500, 495, []walletfi.Amount{495, 1}, `b: asked for "at least 495", answered "1"`},
		"the first is less":         {500, 495, []walletfi.Amount{1, 495}, `a: asked for "at least 495", answered "1"`},
		"more than is quoted":       {500, 495, []walletfi.Amount{501}, `a: asked for "at most quoted 500", answered "501"`},
		"the second is more":        {500, 495, []walletfi.Amount{495, 501}, `b: asked for "at most quoted 500", answered "501"`},
		"more where none is needed": {500, 0, []walletfi.Amount{501}, `a: asked for "at most quoted 500", answered "501"`},
		"nothing quoted":            {0, 0, []walletfi.Amount{0}, `quoted: asked for "more than 0", answered "0"`},
		"nothing but a floor":       {0, 0, []walletfi.Amount{7}, `quoted: asked for "more than 0", answered "0"`},
	} {
		t.Run(name, func(t *testing.T) {
			var floors []slippage.Stated
			for i, amount := range row.floors {
				floors = append(floors, slippage.Stated{Field: string(rune('a' + i)), Amount: amount})
			}
			err := slippage.Floors(slippage.Stated{Field: "quoted", Amount: row.quoted}, row.least, floors...)
			if row.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, row.want)
			require.ErrorIs(t, err, walletfi.ErrMismatch)
		})
	}
	require.NoError(t, slippage.Ceiling(slippage.Stated{Field: "fee", Amount: 5}, 5))
	require.EqualError(t, slippage.Ceiling(slippage.Stated{Field: "fee", Amount: 6}, 5), `fee: asked for "at most 5", answered "6"`)
}
