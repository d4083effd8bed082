package leverage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// The figures that all offers share.
const (
	feeBps         = 10  // of what is traded to open or close
	liquidationLTV = 0.9 // debt by holdings at which a position is lost
)

// offer lends one token of a pair for bets on the other.
type offer struct {
	terms
	market  *Service
	address string
}

type terms struct {
	base, quote string // symbols
	side        string // LONG borrows the quote token, SHORT the base token
	maxLeverage float64
	ratePercent float64 // interest a year
	liquidity   uint64  // of the borrowed token, not lent out
	tags        []string
}

// openOffers makes the offers and puts what they deal in into the vault.
func (l *Service) openOffers() {
	for i, t := range []terms{
		{"SOL", "USDC", "LONG", 5, 12, 500_000_000_000, []string{"major"}},
		{"SOL", "USDC", "LONG", 3.5, 8.5, 25_000_000_000, []string{"major", "cheap"}},
		{"SOL", "USDC", "SHORT", 4, 15, 2_000_000_000_000, []string{"major"}},
		{"SOL", "USDT", "LONG", 5, 11, 100_000_000_000, []string{"major"}},
		{"DUST", "SOL", "LONG", 2, 90, 3_000_000_000, []string{"meme"}},
	} {
		key := l.Keypair("leverage offer " + strconv.Itoa(i))
		l.offers = append(l.offers, &offer{terms: t, market: l, address: build.PublicKey(key).String()})
	}
	for _, symbol := range []string{"SOL", "USDC", "USDT", "DUST"} {
		l.Stock(play.Leverage, l.Token(symbol).Key, 1e16)
	}
}

func (o *offer) baseToken() build.Token { return o.market.Token(o.base) }

func (o *offer) quoteToken() build.Token { return o.market.Token(o.quote) }

// borrowed is the token that the offer lends.
func (o *offer) borrowed() build.Token {
	if o.side == "LONG" {
		return o.quoteToken()
	}
	return o.baseToken()
}

// held is the token that a position holds: the base token for a long, the quote
// token for a short.
func (o *offer) held() build.Token {
	if o.side == "LONG" {
		return o.baseToken()
	}
	return o.quoteToken()
}

// price is that of a whole base token in whole quote tokens.
func (o *offer) price() float64 { return float64(o.baseToken().Price) / float64(o.quoteToken().Price) }

func (l *Service) offer(address string) *offer {
	return kit.Found(kit.Find(l.offers, func(o *offer) bool { return o.address == address }), "no such offer")
}

type offersRequest struct {
	Search        string      `query:"search" open:"any text"`
	Side          string      `query:"side" oneof:"LONG SHORT"`
	QuoteToken    string      `query:"quoteToken" form:"key"`
	Tags          string      `query:"tags" form:"words"` // any of them
	IncludeTokens bool        `query:"includeTokens"`
	Limit         *kit.Number `query:"limit"`
	Offset        kit.Number  `query:"offset"`
}

func (l *Service) listOffers(_ *kit.Call, in offersRequest) any {
	found := []any{}
	for _, o := range l.offers {
		if !o.matches(in) {
			continue
		}
		answer := map[string]any{
			"address": o.address, "baseTokenAddress": o.baseToken().Mint, "quoteTokenAddress": o.quoteToken().Mint,
			"side": o.side, "maxLeverage": o.maxLeverage, "interestRate": o.ratePercent,
			"totalLiquidity": strconv.FormatUint(o.liquidity, 10),
		}
		if in.IncludeTokens {
			answer["baseToken"], answer["quoteToken"] = token(o.baseToken()), token(o.quoteToken())
		}
		found = append(found, answer)
	}
	return kit.Page(found, in.Offset, in.Limit, pageSize)
}

func (o *offer) matches(in offersRequest) bool {
	if in.Side != "" && in.Side != o.side || in.QuoteToken != "" && in.QuoteToken != o.quoteToken().Mint {
		return false
	}
	if in.Tags != "" && !slices.ContainsFunc(strings.Split(in.Tags, ","), func(t string) bool {
		return slices.Contains(o.tags, t)
	}) {
		return false
	}
	return finds(in.Search, o.baseToken()) || finds(in.Search, o.quoteToken())
}

type tokensRequest struct {
	Search string `query:"search" open:"any text"`
}

// listTokens lists the tokens that there are offers for, in one of two shapes.
func (l *Service) listTokens(c *kit.Call, in tokensRequest) any {
	var offered []build.Token
	for _, t := range l.Chain.Tokens {
		if l.deals(t) && finds(in.Search, t) {
			offered = append(offered, t)
		}
	}
	flat := kit.List(offered, func(t build.Token) any {
		about := token(t)
		about["address"] = t.Mint
		return about
	})
	nested := kit.List(offered, func(t build.Token) any { return map[string]any{"mint": t.Mint, "metadata": token(t)} })
	return c.Either(flat, map[string]any{"tokens": nested, "total": len(nested)})
}

func (l *Service) deals(t build.Token) bool {
	return slices.ContainsFunc(l.offers, func(o *offer) bool { return o.base == t.Symbol || o.quote == t.Symbol })
}

func token(t build.Token) map[string]any {
	return map[string]any{
		"symbol": t.Symbol, "name": t.Name, "decimals": t.Decimals,
		"priceUsd": strconv.FormatFloat(float64(t.Price)/1e6, 'f', -1, 64),
		"logoUri":  "https://sandbox.invalid/logo/" + t.Symbol + ".png",
	}
}

// finds reports whether a search for a name, symbol or mint finds a
// token. An empty one finds all.
func finds(search string, t build.Token) bool {
	search = strings.ToLower(search)
	return strings.EqualFold(t.Mint, search) ||
		strings.Contains(strings.ToLower(t.Symbol), search) || strings.Contains(strings.ToLower(t.Name), search)
}
