package signer

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// Prices is a source of prices of the signer's own: what clients say of prices counts for nothing.
type Prices interface {
	// Source is the name by which a policy lists it.
	Source() string
	// Prices returns what tokens are worth in a unit, such as "USD", by their mints, base58. A token that
	// it has no price of is absent.
	Prices(ctx context.Context, unit string, mints []string) ([]Price, error)
}

// Price is the worth of one whole token.
type Price struct {
	// Source is the source's name. The signer sets it.
	Source string           `json:"source"`
	Mint   string           `json:"mint"` // base58
	Value  walletfi.Decimal `json:"value"`
	// At is the time of the price. Zero means when the source was asked.
	At time.Time `json:"at"`
}

// Pricing says by which prices trades count: see Trades.
type Pricing struct {
	// Unit names the unit of the prices, such as "USD". Amounts of turnover and loss are in millionths of it.
	Unit string `toml:"unit"`
	// Sources are those of Config.Prices that count. If there are several, at least two must have a
	// price of a mint.
	Sources []string `toml:"sources"`
	// Age is how old a price may be, 1s to 1h.
	Age Duration `toml:"age"`
	// Agree is by how many basis points of the highest price the lowest one may be below it, 0 to 1000.
	Agree int64 `toml:"agree"`
	// Mints are those that may be traded, with the decimals of each.
	Mints []Priced `toml:"mint"`
}

// Priced is a mint that may be traded.
type Priced struct {
	Mint Mint `toml:"mint"`
	// Decimals are those of the mint. The signer asks no one for them.
	Decimals int `toml:"decimals"`
}

// The bounds of prices.
const (
	priceTimeout = 3 * time.Second
	longestPrice = 100 // digits
	maxDecimals  = 18
)

func (c *checker) pricing(x *Pricing) {
	if x == nil {
		return
	}
	c.that(x.Unit != "", "prices: the unit has no name")
	unique(c, "source of prices", x.Sources, func(name string) string { return name })
	c.that(len(x.Sources) > 0, "prices have no source")
	age := time.Duration(x.Age)
	c.that(age >= time.Second && age <= time.Hour, "prices: age is %v, of 1s to 1h", x.Age)
	c.that(x.Agree >= 0 && x.Agree <= 1000, "prices: agree is 0 to 1000 basis points, not %d", x.Agree)
	unique(c, "mint with a price", x.Mints, func(m Priced) string { return string(m.Mint) })
	for _, m := range x.Mints {
		c.that(m.Decimals >= 0 && m.Decimals <= maxDecimals, "prices: %s has %d decimals", m.Mint, m.Decimals)
	}
}

// worth returns the highest and the lowest price of a mint's smallest unit that count at a time, in millionths
// of the unit of account, nil if the sources have none, or do not agree.
func (x *Pricing) worth(mint Mint, quotes []Price, at time.Time) (high, low *big.Rat) {
	listed := first(x.Mints, func(m Priced) bool { return m.Mint == mint })
	if listed == nil {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, q := range quotes {
		if q.Mint != string(mint) || !slices.Contains(x.Sources, q.Source) || !q.counts(at, time.Duration(x.Age)) {
			continue
		}
		if seen[q.Source] { // of two prices of one source neither is more true
			return nil, nil
		}
		seen[q.Source] = true
		if price := q.Value.Rat(); high == nil {
			high, low = price, price
		} else if price.Cmp(high) > 0 {
			high = price
		} else if price.Cmp(low) < 0 {
			low = price
		}
	}
	if high == nil || len(seen) < min(2, len(x.Sources)) {
		return nil, nil
	}
	least := new(big.Rat).Mul(high, big.NewRat(basisPoints-x.Agree, basisPoints))
	if low.Cmp(least) < 0 {
		return nil, nil
	}
	unit := new(big.Rat).SetFrac(big.NewInt(1_000_000), power(listed.Decimals))
	return new(big.Rat).Mul(high, unit), new(big.Rat).Mul(low, unit)
}

// basisPoints are the whole.
const basisPoints = 10_000

func power(of int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(of)), nil) }

// counts reports that the price is above zero, and not further from a time than an age: the signer's time lags.
func (q *Price) counts(at time.Time, age time.Duration) bool {
	return len(q.Value.Plain()) <= longestPrice && q.Value.Valid() && q.Value.Sign() > 0 && at.Sub(q.At).Abs() <= age
}

// asked has what a source said last.
type askedPrices struct {
	Prices
	mu     sync.Mutex
	at     time.Time // when it was asked
	quotes []Price
}

// quotes returns what the policy's sources say of two mints. Each is asked for all of the policy's mints, and
// not again within a quarter of the age that a price may have.
func (s *Signer) quotes(ctx context.Context, x *Pricing, mints ...Mint) (all []Price) {
	var wait sync.WaitGroup
	for _, source := range s.prices {
		wait.Go(func() { source.ask(ctx, s.clock, x) })
	}
	wait.Wait()
	for _, source := range s.prices {
		source.mu.Lock()
		for _, q := range source.quotes {
			if slices.Contains(mints, Mint(q.Mint)) {
				all = append(all, q)
			}
		}
		source.mu.Unlock()
	}
	return all
}

func (a *askedPrices) ask(ctx context.Context, clock walletfi.Clock, x *Pricing) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := walletfi.Now(clock)
	if since := now.Sub(a.at); !a.at.IsZero() && since >= 0 && since < time.Duration(x.Age)/4 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), priceTimeout) // others wait for it too
	defer cancel()
	var mints []string
	for _, m := range x.Mints {
		mints = append(mints, string(m.Mint))
	}
	prices, err := a.Prices.Prices(ctx, x.Unit, mints)
	if a.at = now; err != nil {
		return // the last ones count until they are too old
	}
	a.quotes = nil
	for _, price := range prices {
		if len(a.quotes) < 2*len(mints) {
			if price.Source = a.Source(); price.At.IsZero() {
				price.At = now
			}
			a.quotes = append(a.quotes, price)
		}
	}
}

// sources takes in the sources that the policy names. Each must be there.
func (s *Signer) sources(cfg Config) error {
	if cfg.Policy.Prices == nil {
		return nil
	}
	for _, name := range cfg.Policy.Prices.Sources {
		named := func(p Prices) bool { return p.Source() == name }
		i := slices.IndexFunc(cfg.Prices, named)
		if i < 0 {
			return fmt.Errorf("signer: the policy has prices of %q, which is not among the sources", name)
		}
		if slices.ContainsFunc(cfg.Prices[i+1:], named) {
			return fmt.Errorf("signer: two sources of prices have the name %q", name)
		}
		s.prices = append(s.prices, &askedPrices{Prices: cfg.Prices[i]})
	}
	return nil
}

// PricesOf is the source "onchaindata": the prices in USD of a client's network, such as "solana". A price
// is as old as the token's last trade, if the service says when that was.
func PricesOf(client *onchaindata.Client, network string) Prices { return dataPrices{client, network} }

type dataPrices struct {
	client  *onchaindata.Client
	network string
}

func (dataPrices) Source() string { return "onchaindata" }

func (d dataPrices) Prices(ctx context.Context, unit string, mints []string) (all []Price, err error) {
	if unit != "USD" {
		return nil, fmt.Errorf("signer: onchaindata has prices in USD, not in %q", unit)
	}
	got, err := d.client.GetTokenPrices(ctx, d.network, mints, onchaindata.TokenPricesRequest{})
	if err != nil {
		return nil, err
	}
	for _, mint := range mints {
		if price, ok := got.For(mint); ok {
			all = append(all, Price{Mint: mint, Value: price.PriceUSD, At: price.LastTradeAt.Time})
		}
	}
	return all, nil
}
