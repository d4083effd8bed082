package predictmeta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// TestRefusedUpdates: a message that says no, has no side of the book, a trade of no documented
// side, or a time that is that of no feed, is no update, in whichever way it is read.
func TestRefusedUpdates(t *testing.T) {
	const at = `"timestamp":1767225600`
	updates := map[string]string{
		typePrice: `{"type":"price_update","ticker":"A","yes_price":0.5,"no_price":0.5,` + at + `@}`,
		typeBook:  `{"type":"orderbook_update","ticker":"A","bids":[],"asks":[],` + at + `@}`,
		typeTrade: `{"type":"trade","ticker":"A","price":0.5,"quantity":1,"side":"sell",` + at + `@}`,
	}
	is := func(text string) *UnknownMessage {
		event := new(feedDecoder).decode([]byte(text))
		unknown, _ := event.(*UnknownMessage)
		if unknown != nil {
			require.ErrorIs(t, unknown.Err, walletfi.ErrDecode, text)
			require.Equal(t, text, unknown.Raw.String())
		}
		return unknown
	}
	for kind, update := range updates {
		for rest, no := range map[string]bool{
			``: false, `,"success":true`: false, `,"error":null`: false, `,"error":""`: false, `,"error":[]`: false, `,"meta":{"error":"x"}`: false,
			`,"success":false`: true, `,"error":"stale"`: true, `,"error":{"code":"X"}`: true, `,"Error":"stale"`: true, `,"Success":false`: true,
			`,"\u0065rror":"stale"`: true,
		} {
			unknown := is(strings.Replace(update, "@", rest, 1))
			require.Equal(t, no, unknown != nil, kind+rest)
			if no {
				require.Equal(t, kind, unknown.Type)
			}
		}
		for time, no := range map[string]bool{
			`1767225600`: false, `"2026-01-01T00:00:00Z"`: false, `"1999-12-31T23:59:59Z"`: true, `"2200-01-01T00:00:00Z"`: true, `"9999-12-31T00:00:00Z"`: true,
			`1`: true, `-1`: true, `99999999999999`: true, `"soon"`: true, `null`: true, `""`: true,
		} {
			text := strings.Replace(strings.Replace(update, "@", "", 1), at, `"timestamp":`+time, 1)
			require.Equal(t, no, is(text) != nil, text)
		}
	}
	for side, no := range map[string]bool{`"buy"`: false, `"Sell"`: false, `"hold"`: true, `"buy "`: true, `7`: true, `true`: true, `"b\u0075y"`: false, `"h\u006fld"`: true} {
		text := strings.Replace(strings.Replace(updates[typeTrade], "@", "", 1), `"sell"`, side, 1)
		require.Equal(t, no, is(text) != nil, side)
	}
	for sides, no := range map[string]bool{
		`"bids":[]`: false, `"asks":[]`: false, `"bids":[],"asks":null`: false, `"x":1`: true, `"bids":null`: true, `"bids":null,"asks":null`: true, `"x":{}`: true,
	} {
		text := fmt.Sprintf(`{"type":"orderbook_update","ticker":"A",%s,%s}`, sides, at)
		require.Equal(t, no, is(text) != nil, sides)
	}
}
