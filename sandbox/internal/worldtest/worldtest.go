// Package worldtest opens a world for the tests of the rooms and talks to it
// over the wire.
package worldtest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
	st := &World{World: s, Client: http.Client{Timeout: 10 * time.Second, Transport: once}}
	t.Cleanup(func() {
		st.Client.CloseIdleConnections()
		s.Close()
		require.Empty(t, s.Violations())
	})
	return st
}

// Time returns the sandbox's time.
func (s *World) Time() time.Time {
	s.Lock()
	defer s.Unlock()
	return s.Now()
}

// Mint returns the mint of the token with a symbol, base58.
func (s *World) Mint(symbol string) string {
	s.Lock()
	defer s.Unlock()
	return s.Token(symbol).Mint
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
func (s *World) TakeProblems() []string {
	var problems []string
	for _, v := range s.TakeViolations() {
		problems = append(problems, v.Problem)
	}
	return problems
}
