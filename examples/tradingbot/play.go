package main

import (
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// play is a sandbox for the bot, whose clock is moved by hand.
func play(seed uint64, faults bool, days time.Duration) (*sandbox.Sandbox, *deployment, *trouble, error) {
	config := sandbox.Config{Seed: seed, ManualClock: true, FeedStep: interval}
	if faults {
		config.Network = &sandbox.Network{Reach: 0.7} // three of ten sends are lost
	}
	return playOn(config, faults, days)
}

func playOn(config sandbox.Config, faults bool, days time.Duration) (*sandbox.Sandbox, *deployment, *trouble, error) {
	s, err := sandbox.Start(config)
	if err != nil {
		return nil, nil, nil, err
	}
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		s.Close()
		return nil, nil, nil, err
	}
	d := sandboxed(s)
	d.signer, d.clock = key, s.Options().Clock
	// Each question takes a step of the clock.
	d.pace = pace{poll: 2 * time.Second, resend: 4 * time.Second, order: 4 * time.Second}
	t := newTrouble(s, config.Seed)
	t.walk()
	if faults {
		d.submitter = t.disturb
		t.begin(days)
	}
	return s, d, t, nil
}

// sandboxed returns the addresses of a sandbox.
func sandboxed(s *sandbox.Sandbox) *deployment {
	return &deployment{
		Swap: s.URL(sandbox.Swap), Markets: s.URL(sandbox.PredictMeta), Feed: s.PredictMeta().WSURL(),
		Candles: s.URL(sandbox.OnchainData),
		Pins:    []signing.PublicKey{signing.MustPublicKey(s.ProgramID(sandbox.Swap))}, USDC: s.Mint("USDC"),
		rpc: walletfi.NewSecret(s.URL(sandbox.RPC)), swapKey: walletfi.NewSecret(s.APIKey(sandbox.Swap)),
		marketsKey: walletfi.NewSecret(s.APIKey(sandbox.PredictMeta)),
		candlesKey: walletfi.NewSecret(s.APIKey(sandbox.OnchainData)),
	}
}

// violations is an error if the sandbox refused requests that no correct client sends.
func violations(s *sandbox.Sandbox) error {
	if all := s.Violations(); len(all) > 0 {
		return fmt.Errorf("%d requests violate the services' documentation, the first: %v", len(all), all[0])
	}
	return nil
}
