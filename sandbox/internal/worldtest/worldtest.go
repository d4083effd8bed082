// Package worldtest opens a world for the tests of the rooms and talks to it
// over the wire.
package worldtest

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// World is a sandbox under test.
type World struct {
	*world.World
	Client http.Client
}

// Start opens a sandbox for a test. The test fails if it ends with violations
// that it did not take.
func Start(t *testing.T, c play.Config) *World {
	t.Helper()
	s, err := world.Open(c)
	require.NoError(t, err)
	// net/http repeats a GET on a reused connection that died.
	once := &http.Transport{DisableKeepAlives: true}
	st := &World{World: s, Client: http.Client{Timeout: 2 * time.Minute, Transport: once}}
	t.Cleanup(func() {
		st.Client.CloseIdleConnections()
		s.Close()
		require.Empty(t, s.Violations())
	})
	return st
}

// Time returns the sandbox's time.
func (s *World) Time() time.Time { return kit.Under(s, s.Now) }

// LastValid is the last block height of what a service builds now: that of the newest confirmed
// block, and 150 more.
func (s *World) LastValid() string {
	return kit.Under(s, func() string {
		confirmed := s.BlockAt(s.CurrentSlot() - s.Lag("confirmed"))
		return strconv.FormatUint(s.Height(confirmed)+150, 10)
	})
}

// Mint returns the mint of the token with a symbol, base58.
func (s *World) Mint(symbol string) string {
	return kit.Under(s, func() string { return s.Token(symbol).Mint })
}

// AMMDataURL is the base URL of the AMM's data host.
func (s *World) AMMDataURL() string { return s.HostURL(play.AMM, "data") }

// OnchainProURL is the base URL of the market data's pro tier.
func (s *World) OnchainProURL() string { return s.HostURL(play.OnchainData, "pro") }

// PredictMetaWSURL is the base URL of the prediction markets' WebSocket.
func (s *World) PredictMetaWSURL() string {
	return strings.Replace(s.HostURL(play.PredictMeta, "ws"), "http://", "ws://", 1)
}

// TakeProblems returns the problems of the violations so far and forgets
// them.
func (s *World) TakeProblems() (problems []string) {
	for _, v := range s.TakeViolations() {
		problems = append(problems, v.Problem)
	}
	return problems
}

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

const (
	LendingDepositPath  = "/v1/generate.transactions.deposit"
	LendingWithdrawPath = "/v1/generate.transactions.withdraw"
)

// LendingDepositBody asks for a deposit of the wallet's.
func (s *World) LendingDepositBody(symbol, depositType string, amount uint64) map[string]any {
	return map[string]any{
		"owner":       s.WalletAddress(),
		"mintAddress": s.Mint(symbol),
		"depositType": depositType,
		"amount":      amount,
	}
}

// Lend deposits and fails the test if that does not land.
func (s *World) Lend(t *testing.T, symbol, depositType string, amount uint64) {
	t.Helper()
	a := s.Do(t, play.Lending, "POST", LendingDepositPath, s.LendingDepositBody(symbol, depositType, amount))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Nil(t, s.SignAndSubmit(t, a.Text("transaction")).Err)
}

// Base64 writes base58 as base64, which the frame's helpers cannot
// mistake for something else.
func Base64(t *testing.T, text string) string {
	t.Helper()
	raw, err := base58.Decode(text)
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(raw)
}

// Signature is the first signature of a signed transaction.
func Signature(t *testing.T, signed []byte) string {
	t.Helper()
	require.EqualValues(t, 1, signed[0])
	return base58.Encode(signed[1:65])
}

// Sign fills the slot of a key in an encoded transaction and returns its bytes.
func Sign(t *testing.T, encoded string, key ed25519.PrivateKey) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		raw, err = base58.Decode(encoded)
	}
	require.NoError(t, err)
	tx, err := solana.TransactionFromBytes(raw)
	require.NoError(t, err)
	_, err = tx.PartialSign(func(k solana.PublicKey) *solana.PrivateKey {
		if k == build.PublicKey(key) {
			return new(solana.PrivateKey(key))
		}
		return nil
	})
	require.NoError(t, err)
	signed, err := tx.MarshalBinary()
	require.NoError(t, err)
	return signed
}

// SignAndSubmit signs a built transaction with the funded wallet and executes
// it, past any relay.
func (s *World) SignAndSubmit(t *testing.T, encoded string) *ledger.Receipt {
	t.Helper()
	return s.SignAndSubmitAs(t, encoded, s.Wallet())
}

// SignAndSubmitAs is SignAndSubmit with another key.
func (s *World) SignAndSubmitAs(t *testing.T, encoded string, key ed25519.PrivateKey) *ledger.Receipt {
	t.Helper()
	raw := Sign(t, encoded, key)
	s.Lock()
	defer s.Unlock()
	r, err := s.Submit(raw)
	require.NoError(t, err)
	return r
}
