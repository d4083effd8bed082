package onchaindata

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestDecoders holds the readers without reflection, and the ordinary way, to
// the json tags of each struct.
func TestDecoders(t *testing.T) {
	t.Run("Pool", ofPool[Pool](``, func(p *Pool) *Pool { return p }).Run)
	t.Run("Periods", ofPool[Periods](`"volume_usd":`, func(p *Pool) *Periods { return &p.VolumeUSD }).Run)
	t.Run("TransactionCounts", ofPool[TransactionCounts](`"transactions":`, func(p *Pool) *TransactionCounts { return &p.Transactions }).Run)
	t.Run("TransactionCount", ofPool[TransactionCount](`"transactions":{"m15":@}`, func(p *Pool) *TransactionCount { return p.Transactions.M15 }).Run)
	t.Run("Token", ofPage[Token](`{"data":{"relationships":{"base_token":{"data":{"id":"t"}}}},"included":[{"type":"token","id":"t","attributes":@}]}`, func(p *Pool) *Token { return p.BaseToken }).Run)
	t.Run("DEX", ofPage[DEX](`{"data":{"relationships":{"dex":{"data":{"id":"d"}}}},"included":[{"type":"dex","id":"d","attributes":@}]}`, func(p *Pool) *DEX { return p.DEX }).Run)
	t.Run("Trade", ofTrades[Trade](func(l *TradePage) *Trade { return &l.Items[0] }).Run)
	const one = `{"id":"x","type":"t"}`
	t.Run("resource", wiretest.Decoder[resource[Pool]]{
		Types: map[reflect.Type][]string{reflect.TypeFor[many[reference]](): {one, `[` + one + `]`, `[` + one + `,` + one + `]`}},
	}.Run)
	t.Run("document", wiretest.Decoder[document[Trade]]{
		Types: map[reflect.Type][]string{
			reflect.TypeFor[many[resource[Trade]]](): {one, `[` + one + `]`}, reflect.TypeFor[many[related]](): {`[{"type":"dex","id":"d"}]`},
		},
	}.Run)
}

// TestRelationships holds the reader of a record's links to the json tags.
func TestRelationships(t *testing.T) {
	const one = `{"id":"x","type":"t"}`
	for _, f := range reflect.VisibleFields(reflect.TypeFor[relationships]()) {
		name := f.Tag.Get("json")
		require.NotEmpty(t, name)
		record := func(data string) (r recordScan) {
			body := fmt.Sprintf(`{"id":"r","relationships":{%q:{"data":%s}}}`, name, data)
			if !scan([]byte(body), func(s *scanner) { r = s.record(func(string) {}) }) {
				return recordScan{}
			}
			return r
		}
		require.True(t, record(one).any() || record(`[`+one+`]`).any(), "%s is not read", name)
	}
}

func (l links) any() bool { return l.baseToken+l.quoteToken+l.dex+strings.Join(l.topPools, "") == "x" }

// ofPool puts an object into a pool's attributes.
func ofPool[T any](place string, part func(*Pool) *T) wiretest.Decoder[T] {
	switch {
	case place == "":
		place = "@"
	case !strings.Contains(place, "@"):
		place = "{" + place + "@}"
	default:
		place = "{" + place + "}"
	}
	return ofPage(`{"data":{"id":"p","type":"pool","attributes":`+place+`}}`, part)
}

func ofPage[T any](body string, part func(*Pool) *T) wiretest.Decoder[T] {
	return decoderOf(body, fastPoolPage, func(p *PoolPage) *T { return part(&p.Items[0]) })
}

func ofTrades[T any](part func(*TradePage) *T) wiretest.Decoder[T] {
	return decoderOf(`{"data":[{"attributes":@}]}`, fastTrades, part)
}

// decoderOf reads answers of type A, of which T is a part. The body has an @
// where the object goes.
func decoderOf[A, T any](body string, fast func([]byte, *A) bool, part func(*A) *T) wiretest.Decoder[T] {
	return wiretest.Decoder[T]{
		Body: func(object string) string { return strings.Replace(body, "@", object, 1) },
		Decode: func(body []byte) (*T, error) {
			var answer A
			if err := lenient.Unmarshal(body, &answer); err != nil {
				return nil, err
			}
			return part(&answer), nil
		},
		Fast: func(body []byte) *T {
			var answer A
			if !fast(body, &answer) {
				return nil
			}
			return part(&answer)
		},
	}
}
