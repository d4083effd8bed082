package worldtest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Held is the wallet's balance, wrapped or not.
func (s *World) Held(symbol string) uint64 {
	if symbol == "SOL" {
		return s.View().Balance(s.WalletAddress())
	}
	return s.View().TokenBalance(s.WalletAddress(), s.Mint(symbol))
}

// PoolPair is a pool of a venue, by its tokens, and which side the first is.
func (s *World) PoolPair(t *testing.T, venue, from, to string) market.Hop {
	t.Helper()
	for _, p := range s.Pools.Pools {
		for side := range 2 {
			if h := (market.Hop{Pool: p, Side: side}); p.Venue.Slug == venue && h.From().Symbol == from && h.To().Symbol == to {
				return h
			}
		}
	}
	require.Failf(t, "no such pool", "%s %s %s", venue, from, to)
	return market.Hop{}
}

// SwapQuery asks for a trade of the pair, with more parameters in pairs.
func (s *World) SwapQuery(path, from, to string, amount uint64, more ...string) string {
	q := url.Values{"inputMint": {s.Mint(from)}, "outputMint": {s.Mint(to)}, "amount": {fmt.Sprint(amount)}}
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return path + "?" + q.Encode()
}

// SwapQuote is a quote as it was served.
func (s *World) SwapQuote(t *testing.T, from, to string, amount uint64, more ...string) Answer {
	t.Helper()
	a := s.Do(t, play.Swap, "GET", s.SwapQuery("/quote", from, to, amount, more...), nil)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	return a
}

// Number reads a whole number.
func Number(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := json.Number(text).Int64()
	require.NoError(t, err, text)
	return uint64(n)
}
