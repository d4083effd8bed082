package predictmeta

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestDecoders holds what is read by hand to the json tags of its struct.
func TestDecoders(t *testing.T) {
	t.Run("PriceUpdate", ofFeed[PriceUpdate](typePrice).Run)
	t.Run("BookUpdate", ofFeed[BookUpdate](typeBook).Run)
	t.Run("TradeUpdate", ofFeed[TradeUpdate](typeTrade).Run)
	level := wiretest.Decoder[Level]{
		Body: func(object string) string {
			return fmt.Sprintf(`{"type":%q,"ticker":"MK-1","bids":[{"price":0,"quantity":0},%s]}`, typeBook, object)
		},
		Decode:  func(body []byte) (*Level, error) { return levelOf(new(feedDecoder).decode(body)), nil },
		Fast:    func(body []byte) *Level { event, _ := new(feedDecoder).plain(body); return levelOf(event) },
		Unknown: plainValues,
	}
	t.Run("Level", level.Run)
	book := ofBook[BookSnapshot]("@", func(b *BookSnapshot) *BookSnapshot { return b })
	book.Always = map[string]string{"bids": "[]", "asks": "[]"}
	t.Run("BookSnapshot", book.Run)
	t.Run("Level of a BookSnapshot", ofBook[Level](`{"ticker":"MK-1","bids":[],"asks":[@]}`, func(b *BookSnapshot) *Level {
		if len(b.Asks) == 0 {
			return nil
		}
		return &b.Asks[0]
	}).Run)
	t.Run("OutcomeMint", wiretest.Decoder[OutcomeMint]{}.Run)
}

// plainValues are those that the reader by hand passes over.
var plainValues = []string{`"text"`, `-1.5e3`, `null`, `true`}

func ofFeed[T any](kind string) wiretest.Decoder[T] {
	own := func(event FeedEvent) *T { u, _ := event.(any).(*T); return u }
	return wiretest.Decoder[T]{
		Body: func(object string) string {
			return fmt.Sprintf(`%s,"type":%q}`, strings.TrimSuffix(object, "}"), kind)
		},
		Decode:  func(body []byte) (*T, error) { return own(new(feedDecoder).decode(body)), nil },
		Fast:    func(body []byte) *T { event, _ := new(feedDecoder).plain(body); return own(event) },
		Always:  map[string]string{"ticker": `"MK-1"`},
		Unknown: plainValues,
	}
}

// ofBook reads order books, of which T is a part. The body has an @ where the object
// goes.
func ofBook[T any](body string, part func(*BookSnapshot) *T) wiretest.Decoder[T] {
	return wiretest.Decoder[T]{
		Body: func(object string) string { return strings.Replace(body, "@", object, 1) },
		Decode: func(body []byte) (*T, error) {
			var b BookSnapshot
			if err := wire.Unmarshal(body, &b); err != nil {
				return nil, err
			}
			return part(&b), nil
		},
	}
}

func levelOf(event FeedEvent) *Level {
	if book, ok := event.(*BookUpdate); ok && len(book.Bids) == 2 {
		return &book.Bids[1]
	}
	return nil
}

// FuzzBook holds the reader by hand against the ordinary way.
func FuzzBook(f *testing.F) {
	for _, seed := range []string{
		`{"bids":[{"price":0.5,"quantity":1}],"asks":[]}`, `{"bids":[{"price":"","quantity":1}]}`, `{"bids":[{"price":0.5}]}`,
		`{"bids":[{"price":0.5,"quantity":0,"quantity":2}]}`, `{"bids":[{"price":0.5,"quantity":null}]}`, `{"bids":null,"ticker":null}`,
		`{"bids":[null]}`, `{"bids":[{"Price":0.5,"quantity":1}]}`, `{"bids":[],"bids":[]}`, `{"ticker":"\u0041","asks":[{"quantity":"1","price":1e3}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var byHand, ordinary BookSnapshot
		if !fastBook(body, &byHand) {
			return
		}
		require.NoError(t, wire.Unmarshal(body, &ordinary), "read by hand alone: %q", body)
		require.Equal(t, ordinary, byHand, "%q", body)
	})
}

// TestFastBook: the reader by hand takes what the service sends as a rule.
func TestFastBook(t *testing.T) {
	body, err := os.ReadFile("testdata/GetOrderBook.json")
	require.NoError(t, err)
	require.False(t, fastBook(body, new(BookSnapshot)), "a quantity of 20 digits is read in the ordinary way")
	usual := `{"ticker":"MK-1","timestamp":"2026-01-01T00:00:00Z","bids":[{"price":0.51,"quantity":100}],"asks":[{"price":0.53,"quantity":7}],"spread":0.02,"mid_price":0.52,"sequence":3}`
	var b BookSnapshot
	require.True(t, fastBook([]byte(usual), &b))
	require.Len(t, b.Bids, 1)
	require.Equal(t, "0.53", b.Asks[0].Price.String())
	for _, oneSided := range []string{`{"bids":[]}`, `{"asks":[]}`, `{"bids":[],"asks":null}`, `{"bids":null,"asks":[]}`} {
		require.False(t, fastBook([]byte(oneSided), new(BookSnapshot)), oneSided)
	}
}
