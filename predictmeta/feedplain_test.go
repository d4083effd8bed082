package predictmeta

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func price(t testing.TB, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}

// byJSON reads a message as encoding/json does, without any leniency.
func byJSON(text []byte) (FeedEvent, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	event := map[string]FeedEvent{typePrice: new(PriceUpdate), typeBook: new(BookUpdate), typeTrade: new(TradeUpdate)}[head.Type]
	return event, json.Unmarshal(text, event)
}

func TestPlain(t *testing.T) {
	at := walletfi.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.UTC)}
	for text, want := range map[string]FeedEvent{
		`{"type":"price_update","ticker":"MK-1","yes_price":0.52,"no_price":0.48,"timestamp":"2026-01-02T03:04:05.6789Z"}`: &PriceUpdate{Ticker: "MK-1", YesPrice: price(t, "0.52"), NoPrice: price(t, "0.48"), Timestamp: at},

		`{"type":"trade","ticker":"MK-1","price":1e-3,"quantity":18446744073709551615,"side":"sell","timestamp":1767323045.6789}`: &TradeUpdate{Ticker: "MK-1", Price: price(t, "1e-3"), Quantity: 1<<64 - 1, Side: SideSell, Timestamp: at},

		`{"type":"orderbook_update","ticker":"MK-1","bids":[{"price":0.5,"quantity":1},{"quantity":2,"price":"0.40"}],"asks":[],"timestamp":1767323045.6789}`: &BookUpdate{Ticker: "MK-1", Timestamp: at, Bids: []Level{{price(t, "0.5"), 1}, {price(t, "0.40"), 2}}, Asks: []Level{}},

		// The type last, the sides in turn, white space, members that are new.
		` { "asks" : [ { "price" : 0.6 , "quantity" : 0 , "orders" : 3 } ] , "seq":1.5e3,"ok":true,"no":false,"x":null,"y":"z" ,
			"ticker":"MK-2","timestamp":1767323045.6789,"type":"orderbook_update"} `: &BookUpdate{Ticker: "MK-2", Timestamp: at, Asks: []Level{{price(t, "0.6"), 0}}},

		`{"type":"orderbook_update","ticker":"MK-2","asks":[],"bids":[{"price":0,"quantity":0}],"timestamp":1767323045.6789}`: &BookUpdate{Ticker: "MK-2", Timestamp: at, Bids: []Level{{Price: price(t, "0")}}, Asks: []Level{}},
	} {
		got, ok := new(feedDecoder).plain([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, want, got)
		reference, err := byJSON([]byte(text))
		require.NoError(t, err)
		require.Equal(t, reference, got)
	}
}

// What is unusual is left to encoding/json, whether it is right or not.
func TestPlainDeclines(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":              ``,
		"an array":             `[]`,
		"no member":            `{}`,
		"no type":              `{"ticker":"MK-1"}`,
		"another type":         `{"type":"heartbeat","ticker":"MK-1"}`,
		"no ticker":            `{"type":"trade"}`,
		"an empty ticker":      `{"type":"trade","ticker":""}`,
		"null":                 `{"type":"trade","ticker":"MK-1","price":null}`,
		"a member twice":       `{"type":"trade","ticker":"MK-1","ticker":"MK-2"}`,
		"a level's twice":      `{"type":"orderbook_update","ticker":"MK-1","bids":[{"price":1,"price":2}]}`,
		"another case":         `{"type":"trade","ticker":"MK-1","Price":0.5}`,
		"another case, level":  `{"type":"orderbook_update","ticker":"MK-1","bids":[{"PRICE":1}]}`,
		"an escape":            `{"type":"trade","ticker":"MK\u002d1"}`,
		"no ASCII":             `{"type":"trade","ticker":"MÜ-1"}`,
		"a control character":  "{\"type\":\"trade\",\"ticker\":\"MK\n1\"}",
		"a nested member":      `{"type":"trade","ticker":"MK-1","extra":{}}`,
		"a quoted quantity":    `{"type":"trade","ticker":"MK-1","quantity":"5"}`,
		"a negative quantity":  `{"type":"trade","ticker":"MK-1","quantity":-5}`,
		"too large a quantity": `{"type":"trade","ticker":"MK-1","quantity":18446744073709551616}`,
		"a fraction":           `{"type":"trade","ticker":"MK-1","quantity":5.0}`,
		"a leading zero":       `{"type":"trade","ticker":"MK-1","price":00.5}`,
		"a bare point":         `{"type":"trade","ticker":"MK-1","price":0.}`,
		"a price with a blank": `{"type":"trade","ticker":"MK-1","price":"0.5 "}`,
		"a price in words":     `{"type":"trade","ticker":"MK-1","price":"half"}`,
		"no exponent":          `{"type":"trade","ticker":"MK-1","price":1e}`,
		"no time":              `{"type":"trade","ticker":"MK-1","timestamp":"now"}`,
		"the 30th of February": `{"type":"trade","ticker":"MK-1","timestamp":"2026-02-30T00:00:00Z"}`,
		"a minute of 61 s":     `{"type":"trade","ticker":"MK-1","timestamp":"2026-01-01T00:00:61Z"}`,
		"a trade of no size":   `{"type":"trade","ticker":"MK-1","price":0.5}`,
		"a level of no size":   `{"type":"orderbook_update","ticker":"MK-1","bids":[{"price":0.5}]}`,
		"a level of no price":  `{"type":"orderbook_update","ticker":"MK-1","bids":[{"quantity":5}]}`,
		"an empty level":       `{"type":"orderbook_update","ticker":"MK-1","bids":[{}]}`,
		"a list of numbers":    `{"type":"orderbook_update","ticker":"MK-1","bids":[[0.5,1]]}`,
		"a comma too many":     `{"type":"trade","ticker":"MK-1",}`,
		"a comma too few":      `{"type":"trade" "ticker":"MK-1"}`,
		"something behind":     `{"type":"trade","ticker":"MK-1"}x`,
		"an open end":          `{"type":"trade","ticker":"MK-1"`,
		"an open text":         `{"type":"trade","ticker":"MK-1`,
		"half a word":          `{"type":"trade","ticker":"MK-1","x":nul}`,
	} {
		event, ok := new(feedDecoder).plain([]byte(text))
		require.False(t, ok, name)
		require.Nil(t, event, name)
	}
}

// FuzzPlain holds the decoder by hand against encoding/json: what it reads, it
// reads alike, with fresh caches and with used ones.
func FuzzPlain(f *testing.F) {
	for _, seed := range []string{
		`{"type":"price_update","ticker":"MK-1","yes_price":0.52,"no_price":"0.48","timestamp":"2026-01-02T03:04:05.6789Z"}`,
		`{"type":"orderbook_update","ticker":"MK-1","bids":[{"price":0.5,"quantity":1},{}],"asks":[],"timestamp":1767225600}`,
		`{"type":"trade","ticker":"MK-1","price":1.5E-3,"quantity":18446744073709551615,"side":"buy","timestamp":"2024-02-29T23:59:59+01:00"}`,
		`{"TYPE":"trade","ticker":"a","ticker":"b"}`, `{"type":"trade","ticker":"\u0041"}`, `{"type":"trade","ticker":"x","timestamp":"2026-01-02"}`,
		` {"extra" : [] , "type":"trade","ticker":"x","y":nul}`, `{"type":"trade","ticker":"x","quantity":1e2}`,
	} {
		f.Add([]byte(seed))
	}
	used := new(feedDecoder)
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := used.plain(text)
		fresh, okFresh := new(feedDecoder).plain(text)
		require.Equal(t, okFresh, ok)
		if !ok {
			return
		}
		require.Equal(t, fresh, got)
		want, err := byJSON(text)
		require.NoError(t, err)
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("encoding/json: %+v, by hand: %+v", want, got)
		}
		require.Equal(t, want, readLenient(text, nil))
	})
}

// FuzzDecode: whatever comes, there is an event, and it can be written.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"type":"trade","ticker":7,"price":null,"quantity":"5"}`), true)
	f.Add([]byte(`{"type":"orderbook_update","ticker":"x","bids":{},"timestamp":"2026-01-02 03:04:05"}`), false)
	f.Add([]byte("{\"type\":\"trade\",\"ticker\":\"\xff\"}"), false)
	f.Fuzz(func(t *testing.T, text []byte, keepRaw bool) {
		d := &feedDecoder{keepRaw: keepRaw}
		event := d.decode(text)
		switch e := event.(type) {
		case *UnknownMessage:
			require.Equal(t, string(text), e.Raw.String())
			if e.Err != nil {
				require.ErrorIs(t, e.Err, walletfi.ErrDecode)
			}
		case update:
			require.NotEmpty(t, e.key().ticker)
			require.NoError(t, wiretest.Error(json.Marshal(e)))
		default:
			t.Fatalf("%T", event)
		}
	})
}

// errBadPrice stands for the error of a price that is no number.
var errBadPrice = errors.New("a price that is no number")

func TestLenient(t *testing.T) {
	at := walletfi.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	for name, row := range map[string]struct {
		text string
		want FeedEvent
	}{
		"drift": {
			`{"type":"trade","ticker":7,"price":1,"quantity":"5","side":"SELL","timestamp":"1767323045","meta":{"a":[1]}}`,
			&TradeUpdate{Ticker: "7", Price: price(t, "1"), Quantity: 5, Side: SideSell, Timestamp: at},
		},
		"an escape": {
			`{"type":"price_update","ticker":"M\u00fc","yes_price":"1","no_price":0,"timestamp":1767323045}`,
			&PriceUpdate{Ticker: "Mü", YesPrice: price(t, "1"), NoPrice: price(t, "0"), Timestamp: at},
		},
		"no bids": {`{"type":"orderbook_update","ticker":"x","bids":null,"asks":[],"timestamp":1767323045}`, &BookUpdate{Ticker: "x", Asks: []Level{}, Timestamp: at}},
		"half a price": {
			`{"type":"price_update","ticker":"x","yes_price":"cheap","no_price":0.5,"timestamp":"56804-01-01"}`,
			&UnknownMessage{Type: "price_update", Err: errBadPrice},
		},
		"another case": {
			`{"type":"trade","TICKER":"y","ticker":"x","Type":"price_update","quantity":0,"price":0,"side":"buy","timestamp":1767323045}`,
			&TradeUpdate{Ticker: "x", Price: price(t, "0"), Side: SideBuy, Timestamp: at},
		},
		"another type":     {`{"type":"subscribed","channel":"market"}`, &UnknownMessage{Type: "subscribed"}},
		"no type":          {`{"ok":true}`, &UnknownMessage{}},
		"a type of number": {`{"type":3}`, &UnknownMessage{Type: "3"}},
	} {
		t.Run(name, func(t *testing.T) {
			event := new(feedDecoder).decode([]byte(row.text))
			if u, ok := row.want.(*UnknownMessage); ok {
				u.Raw = walletfi.Document(row.text)
				if u.Err == errBadPrice {
					got := event.(*UnknownMessage)
					require.ErrorContains(t, got.Err, "PriceUpdate.yes_price decides, and is of another kind")
					u.Err = got.Err
				}
			}
			require.Equal(t, row.want, event)
		})
	}
	for name, text := range map[string]string{
		"no JSON":       `pong`,
		"half of it":    `{"type":"trade","ticker":"x"`,
		"no object":     `[1]`,
		"no prices":     `{"type":"price_update","ticker":"x","timestamp":1767323045}`,
		"one price":     `{"type":"price_update","ticker":"x","yes_price":0.5,"timestamp":1767323045}`,
		"a null price":  `{"type":"price_update","ticker":"x","yes_price":0.5,"no_price":null,"timestamp":1767323045}`,
		"NaN":           `{"type":"price_update","ticker":"x","yes_price":"NaN","no_price":0.5,"timestamp":1767323045}`,
		"no time":       `{"type":"price_update","ticker":"x","yes_price":0.5,"no_price":0.5}`,
		"an empty time": `{"type":"price_update","ticker":"x","yes_price":0.5,"no_price":0.5,"timestamp":""}`,
		"a null time":   `{"type":"orderbook_update","ticker":"x","bids":[],"asks":[],"timestamp":null}`,
		"no side":       `{"type":"trade","ticker":"x","price":0.5,"quantity":1,"timestamp":1767323045}`,
		"an empty side": `{"type":"trade","ticker":"x","price":0.5,"quantity":1,"side":"","timestamp":1767323045}`,
		"a side of 7":   `{"type":"trade","ticker":"x","price":0.5,"quantity":1,"side":{},"timestamp":1767323045}`,
		"no ticker":     `{"type":"trade","price":0.5}`,
		"a ticker of 7": `{"type":"trade","ticker":{"id":7}}`,
		"twice":         `{"type":"trade","ticker":"x","ticker":"y"}`,
		"crossed":       `{"type":"orderbook_update","ticker":"x","bids":[{"price":0.6,"quantity":1}],"asks":[{"price":0.5,"quantity":1}],"timestamp":1767323045}`,
		"a minus":       `{"type":"orderbook_update","ticker":"x","bids":[{"price":1,"quantity":-1}]}`,
		"invalid UTF-8": "{\"type\":\"trade\",\"ticker\":\"\xff\"}",
	} {
		t.Run(name, func(t *testing.T) {
			unknown, ok := new(feedDecoder).decode([]byte(text)).(*UnknownMessage)
			require.True(t, ok)
			require.ErrorIs(t, unknown.Err, walletfi.ErrDecode)
			record := wiretest.As[*walletfi.RecordError](t, unknown.Err)
			require.Equal(t, text, record.Raw.String())
			require.Equal(t, text, unknown.Raw.String())
		})
	}
}

// An event shares no memory with the buffer, which the next message overwrites.
func TestDecodeKeepsNothing(t *testing.T) {
	d := &feedDecoder{keepRaw: true}
	const text = `{"type":"orderbook_update","ticker":"MK-1","timestamp":1767323045,"bids":[{"price":0.5,"quantity":1}],"asks":[{"price":0.6,"quantity":2}]}`
	buffer := []byte(text)
	first := d.decode(buffer).(*BookUpdate)
	copy(buffer, strings.NewReplacer("MK-1", "XX-9", "0.5", "0.1", "0.6", "0.2").Replace(text))
	d.decode(buffer)
	require.Equal(t, &BookUpdate{
		Ticker: "MK-1", Timestamp: walletfi.Time{Time: time.Unix(1767323045, 0).UTC()},
		Bids: []Level{{price(t, "0.5"), 1}}, Asks: []Level{{price(t, "0.6"), 2}}, Raw: walletfi.Document(text),
	}, first)
	grown := append(first.Bids, Level{})
	require.Len(t, grown, 2)
	require.Equal(t, uint64(2), first.Asks[0].Quantity, "the sides do not run into each other")
}

// BenchmarkDecode is the decoder alone; BenchmarkFeed has what it is part of.
func BenchmarkDecode(b *testing.B) {
	messages := [][]byte{
		[]byte(`{"type":"price_update","ticker":"SEN-28-39","yes_price":0.79,"no_price":0.23,"timestamp":"2026-01-02T03:46:36.041Z"}`),
		[]byte(`{"type":"orderbook_update","ticker":"SEN-28-06","bids":[{"price":0.19,"quantity":695},{"price":0.44,"quantity":946}],"asks":[{"price":0.52,"quantity":456}],"timestamp":"2026-01-02T03:29:26Z"}`),
		[]byte(`{"type":"trade","ticker":"SEN-28-25","price":0.08,"quantity":2973,"side":"buy","timestamp":"2026-01-02T03:47:43Z"}`),
	}
	for i := range messages {
		messages[i] = append(messages[i], strings.Repeat(" ", 200-len(messages[i]))...)
	}
	b.Run("by hand", func(b *testing.B) {
		d := new(feedDecoder)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			d.decode(messages[i%len(messages)])
		}
	})
	b.Run("leniently", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			readLenient(messages[i%len(messages)], nil)
		}
	})
}
