package main

import (
	"errors"
	"os"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// services holds the two clients, and the meter of the service that bills.
type services struct {
	posts   *socialsearch.Client
	market  *onchaindata.Client
	meter   *socialsearch.Meter
	sandbox *sandbox.Sandbox // nil if the services are live
}

func openSandbox(budget socialsearch.Cost) (*services, error) {
	box, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		return nil, err
	}
	s, err := connect(budget,
		socialsearch.Config{
			BaseURL: box.URL(sandbox.SocialSearch), BearerToken: walletfi.NewSecret(box.APIKey(sandbox.SocialSearch)),
			TokenKind: socialsearch.TokenApp,
		},
		onchaindata.Config{
			DemoBaseURL: box.URL(sandbox.OnchainData),
			APIKey:      walletfi.NewSecret(box.APIKey(sandbox.OnchainData)),
		},
	)
	if err != nil {
		box.Close()
		return nil, err
	}
	s.sandbox = box
	return s, nil
}

// openLive reads addresses and keys from the environment, because a list of
// processes shows flags.
func openLive(budget socialsearch.Cost) (*services, error) {
	return connect(budget,
		socialsearch.Config{BaseURL: os.Getenv("SOCIAL_URL"), BearerToken: walletfi.NewSecret(os.Getenv("SOCIAL_TOKEN"))},
		onchaindata.Config{DemoBaseURL: os.Getenv("MARKET_URL"), APIKey: walletfi.NewSecret(os.Getenv("MARKET_KEY"))},
	)
}

func connect(budget socialsearch.Cost, social socialsearch.Config, market onchaindata.Config) (*services, error) {
	meter, meterErr := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: budget})
	social.Spend = meter
	posts, postsErr := socialsearch.New(social)
	candles, marketErr := onchaindata.New(market)
	if err := errors.Join(meterErr, postsErr, marketErr); err != nil {
		return nil, err
	}
	return &services{posts: posts, market: candles, meter: meter}, nil
}

// mint returns the mint of the sandbox's token with that name, or "".
func (s *services) mint(ticker string) string {
	if s.sandbox != nil {
		for _, t := range s.sandbox.Ledger().Tokens() {
			if t.Symbol == ticker {
				return t.Mint
			}
		}
	}
	return ""
}

func (s *services) close() {
	if s.sandbox != nil {
		s.sandbox.Close()
	}
}
