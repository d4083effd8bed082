package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// The figures that all offers share.
const (
	leverageFeeBps         = 10  // of what is traded to open or close
	leverageLiquidationLTV = 0.9 // debt by holdings at which a position is lost
)

// leverageOffer lends one token of a pair to those who bet on the other.
type leverageOffer struct {
	market      *leverage
	address     string
	base, quote string // symbols
	side        string // LONG borrows the quote token, SHORT the base token
	maxLeverage float64
	ratePercent float64 // interest a year
	liquidity   uint64  // of the borrowed token, not lent out
	tags        []string
}

// openOffers makes the offers and puts what they deal in into the vault.
func (l *leverage) openOffers() {
	for _, o := range []leverageOffer{
		{base: "SOL", quote: "USDC", side: "LONG", maxLeverage: 5, ratePercent: 12, liquidity: 500_000_000_000, tags: []string{"major"}},
		{base: "SOL", quote: "USDC", side: "LONG", maxLeverage: 3.5, ratePercent: 8.5, liquidity: 25_000_000_000, tags: []string{"major", "cheap"}},
		{base: "SOL", quote: "USDC", side: "SHORT", maxLeverage: 4, ratePercent: 15, liquidity: 2_000_000_000_000, tags: []string{"major"}},
		{base: "SOL", quote: "USDT", side: "LONG", maxLeverage: 5, ratePercent: 11, liquidity: 100_000_000_000, tags: []string{"major"}},
		{base: "DUST", quote: "SOL", side: "LONG", maxLeverage: 2, ratePercent: 90, liquidity: 3_000_000_000, tags: []string{"meme"}},
	} {
		o.market = l
		o.address = publicKey(l.keypair("leverage offer " + strconv.Itoa(len(l.offers)))).String()
		l.offers = append(l.offers, &o)
	}
	for _, symbol := range []string{"SOL", "USDC", "USDT", "DUST"} {
		l.stock(Leverage, l.token(symbol).key, 1e16)
	}
}

func (o *leverageOffer) baseToken() Token  { return o.market.token(o.base) }
func (o *leverageOffer) quoteToken() Token { return o.market.token(o.quote) }

// borrowed is what the offer lends.
func (o *leverageOffer) borrowed() Token {
	if o.side == "LONG" {
		return o.quoteToken()
	}
	return o.baseToken()
}

// held is what a position holds: what the bet is on, or for a bet against it
// the money.
func (o *leverageOffer) held() Token {
	if o.side == "LONG" {
		return o.baseToken()
	}
	return o.quoteToken()
}

// price is that of a whole base token in whole quote tokens.
func (o *leverageOffer) price() float64 {
	return float64(o.baseToken().price) / float64(o.quoteToken().price)
}

func (l *leverage) offer(address string) (*leverageOffer, error) {
	for _, o := range l.offers {
		if o.address == address {
			return o, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "", "no such offer")
}

type leverageOffersRequest struct {
	Search        string `query:"search"`
	Side          string `query:"side" oneof:"LONG SHORT"`
	QuoteToken    string `query:"quoteToken"`
	Tags          string `query:"tags"` // any of them
	IncludeTokens bool   `query:"includeTokens"`
	Limit         *int   `query:"limit" min:"0"`
	Offset        int    `query:"offset" min:"0"`
}

type leverageOfferAnswer struct {
	Address           string               `json:"address"`
	BaseTokenAddress  string               `json:"baseTokenAddress"`
	QuoteTokenAddress string               `json:"quoteTokenAddress"`
	Side              string               `json:"side"`
	MaxLeverage       float64              `json:"maxLeverage"`
	InterestRate      float64              `json:"interestRate"`
	TotalLiquidity    string               `json:"totalLiquidity"`
	BaseToken         *leverageTokenAnswer `json:"baseToken,omitempty"`
	QuoteToken        *leverageTokenAnswer `json:"quoteToken,omitempty"`
}

func (l *leverage) listOffers(_ *call, in leverageOffersRequest) (any, error) {
	found := []leverageOfferAnswer{}
	for _, o := range l.offers {
		if !o.matches(in) {
			continue
		}
		answer := leverageOfferAnswer{
			Address: o.address, BaseTokenAddress: o.baseToken().Mint, QuoteTokenAddress: o.quoteToken().Mint,
			Side: o.side, MaxLeverage: o.maxLeverage, InterestRate: o.ratePercent,
			TotalLiquidity: strconv.FormatUint(o.liquidity, 10),
		}
		if in.IncludeTokens {
			answer.BaseToken, answer.QuoteToken = leverageToken(o.baseToken()), leverageToken(o.quoteToken())
		}
		found = append(found, answer)
	}
	return leveragePage(found, in.Offset, in.Limit), nil
}

func (o *leverageOffer) matches(in leverageOffersRequest) bool {
	if in.Side != "" && in.Side != o.side || in.QuoteToken != "" && in.QuoteToken != o.quoteToken().Mint {
		return false
	}
	if in.Tags != "" && !slices.ContainsFunc(strings.Split(in.Tags, ","), func(t string) bool { return slices.Contains(o.tags, t) }) {
		return false
	}
	return leverageFinds(in.Search, o.baseToken()) || leverageFinds(in.Search, o.quoteToken())
}
