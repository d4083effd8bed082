package predictmeta

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

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
			return fmt.Sprintf(`{"type":%q,"ticker":"MK-1","timestamp":1767225600,"bids":[{"price":0,"quantity":0},%s]}`, typeBook, object)
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
		Always:  map[string]string{"ticker": `"MK-1"`, "bids": "[]"},
		Types:   sides,
		Unknown: plainValues,
	}
}

var sides = map[reflect.Type][]string{reflect.TypeFor[Side](): {`"buy"`, `"sell"`}}

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
