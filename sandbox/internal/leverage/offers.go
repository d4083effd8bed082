package leverage

import (
	"net/http"
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
	market      *Service
	address     string
	base, quote string // symbols
	side        string // LONG borrows the quote token, SHORT the base token
	maxLeverage float64
	ratePercent float64 // interest a year
	liquidity   uint64  // of the borrowed token, not lent out
	tags        []string
}

// openOffers makes the offers and puts what they deal in into the vault.
func (l *Service) openOffers() {
	for _, o := range []offer{
		{base: "SOL", quote: "USDC", side: "LONG", maxLeverage: 5, ratePercent: 12,
			liquidity: 500_000_000_000, tags: []string{"major"}},
		{base: "SOL", quote: "USDC", side: "LONG", maxLeverage: 3.5, ratePercent: 8.5, liquidity: 25_000_000_000,
			tags: []string{"major", "cheap"}},
		{base: "SOL", quote: "USDC", side: "SHORT", maxLeverage: 4, ratePercent: 15,
			liquidity: 2_000_000_000_000, tags: []string{"major"}},
		{base: "SOL", quote: "USDT", side: "LONG", maxLeverage: 5, ratePercent: 11,
			liquidity: 100_000_000_000, tags: []string{"major"}},
		{base: "DUST", quote: "SOL", side: "LONG", maxLeverage: 2, ratePercent: 90,
			liquidity: 3_000_000_000, tags: []string{"meme"}},
	} {
		o.market = l
		o.address = build.PublicKey(l.Keypair("leverage offer " + strconv.Itoa(len(l.offers)))).String()
		l.offers = append(l.offers, &o)
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
func (o *offer) price() float64 {
	return float64(o.baseToken().Price) / float64(o.quoteToken().Price)
}

func (l *Service) offer(address string) *offer {
	for _, o := range l.offers {
		if o.address == address {
			return o
		}
	}
	panic(kit.Refuse(http.StatusNotFound, "", "no such offer"))
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

type offerAnswer struct {
	Address           string       `json:"address"`
	BaseTokenAddress  string       `json:"baseTokenAddress"`
	QuoteTokenAddress string       `json:"quoteTokenAddress"`
	Side              string       `json:"side"`
	MaxLeverage       float64      `json:"maxLeverage"`
	InterestRate      float64      `json:"interestRate"`
	TotalLiquidity    string       `json:"totalLiquidity"`
	BaseToken         *tokenAnswer `json:"baseToken,omitempty"`
	QuoteToken        *tokenAnswer `json:"quoteToken,omitempty"`
}

func (l *Service) listOffers(_ *kit.Call, in offersRequest) any {
	found := []offerAnswer{}
	for _, o := range l.offers {
		if !o.matches(in) {
			continue
		}
		answer := offerAnswer{
			Address: o.address, BaseTokenAddress: o.baseToken().Mint, QuoteTokenAddress: o.quoteToken().Mint,
			Side: o.side, MaxLeverage: o.maxLeverage, InterestRate: o.ratePercent,
			TotalLiquidity: strconv.FormatUint(o.liquidity, 10),
		}
		if in.IncludeTokens {
			answer.BaseToken, answer.QuoteToken = token(o.baseToken()), token(o.quoteToken())
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
	shape := c.Shape(2)
	tokens := []any{}
	for _, t := range l.Chain.Tokens {
		if !l.deals(t) || !finds(in.Search, t) {
			continue
		}
		about := token(t)
		if shape == 0 {
			tokens = append(tokens, map[string]any{
				"address": t.Mint, "symbol": about.Symbol, "name": about.Name, "decimals": about.Decimals,
				"priceUsd": about.PriceUSD, "logoUri": about.LogoURI,
			})
		} else {
			tokens = append(tokens, map[string]any{"mint": t.Mint, "metadata": about})
		}
	}
	if shape == 0 {
		return tokens
	}
	return map[string]any{"tokens": tokens, "total": len(tokens)}
}

func (l *Service) deals(t build.Token) bool {
	for _, o := range l.offers {
		if o.base == t.Symbol || o.quote == t.Symbol {
			return true
		}
	}
	return false
}
