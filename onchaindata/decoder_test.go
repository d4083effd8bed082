package onchaindata

import (
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestDecoders holds what is read of an answer to the json tags of each struct.
func TestDecoders(t *testing.T) {
	t.Run("Pool", ofPool[Pool](``, func(p *Pool) *Pool { return p }).Run)
	t.Run("Periods", ofPool[Periods](`"price_change_percentage":`, func(p *Pool) *Periods { return &p.PriceChange }).Run)
	t.Run("TransactionCounts", ofPool[TransactionCounts](`"transactions":`, func(p *Pool) *TransactionCounts { return &p.Transactions }).Run)
	t.Run("TransactionCount", ofPool[TransactionCount](`"transactions":{"m15":@}`, func(p *Pool) *TransactionCount { return p.Transactions.M15 }).Run)
	token := ofPage[Token](`{"data":{`+whole+`"relationships":{"base_token":{"data":{"id":"t"}}}},"included":[{"type":"token","id":"t","attributes":@}]}`, func(p *Pool) *Token { return p.BaseToken })
	token.Values = map[string][]string{"price_usd": {`"1.50"`, `1.50`, `2e-3`, `0`}} // none is below 0
	t.Run("Token", token.Run)
	t.Run("DEX", ofPage[DEX](`{"data":{`+whole+`"relationships":{"dex":{"data":{"id":"d"}}}},"included":[{"type":"dex","id":"d","attributes":@}]}`, func(p *Pool) *DEX { return p.DEX }).Run)
	t.Run("Trade", ofTrades[Trade](func(l *TradePage) *Trade { return &l.Items[0] }).Run)
}

const (
	numbers = `"address":"P","reserve_in_usd":1,"base_token_price_usd":1,"quote_token_price_usd":1,"base_token_price_native_currency":1`
	whole   = `"attributes":{` + numbers + `},`
)

// ofPool puts an object into a pool's attributes.
func ofPool[T any](place string, part func(*Pool) *T) wiretest.Decoder[T] {
	switch {
	case place == "":
		place = "@"
	case !strings.Contains(place, "@"):
		place += "@"
		fallthrough
	default:
		place = "{" + numbers + "," + place + "}"
	}
	return ofPage(`{"data":{"id":"p","type":"pool","attributes":`+place+`}}`, part)
}

func ofPage[T any](body string, part func(*Pool) *T) wiretest.Decoder[T] {
	return decoderOf(body, func(p *PoolPage) *T { return part(&p.Items[0]) })
}

func ofTrades[T any](part func(*TradePage) *T) wiretest.Decoder[T] {
	return decoderOf(`{"data":[{"attributes":@}]}`, part)
}

// decoderOf reads answers of type A, of which T is a part. The body has an @
// where the object goes.
func decoderOf[A, T any](body string, part func(*A) *T) wiretest.Decoder[T] {
	return wiretest.Decoder[T]{
		Body: func(object string) string { return strings.Replace(body, "@", object, 1) },
		Decode: func(body []byte) (*T, error) {
			var answer A
			if err := wire.Unmarshal(body, &answer); err != nil {
				return nil, err
			}
			return part(&answer), nil
		},
	}
}
