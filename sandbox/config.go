package sandbox

import (
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Config says how a sandbox behaves. The zero value is good.
type Config struct {
	// Seed makes every key, address and blockhash: the same seed, the same
	// ones. 0 means 1.
	Seed uint64

	// ManualClock stops the sandbox's clock: it then moves by Advance alone.
	// False means that it runs with real time, plus whatever Advance added.
	ManualClock bool
	// Start is the sandbox's time at Start. Zero means the real time, or
	// midnight UTC of 1 January 2026 with ManualClock.
	Start time.Time
	// SlotTime is the time between two slots. 0 means 400 ms.
	SlotTime time.Duration
	// InstantConfirmation finalizes a transaction at once. False means that it
	// is processed at once, confirmed in the next slot and finalized 32 later.
	InstantConfirmation bool

	// Tiers are those of the services' keys. A service that is absent is on
	// its lowest.
	Tiers map[Service]Tier
	// NoLimits switches the rate limits off. False means as documented.
	NoLimits bool

	// Shape picks one of the shapes in which an undocumented answer may come,
	// from 1. 0 means to take turns, so that nothing comes to rely on one.
	Shape int
	// CompiledInner makes the RPC write the inner instructions of a simulation
	// as indexes and base58 data. False means parsed where the program is
	// known, which is what nodes do.
	CompiledInner bool

	// PredictMetaLimit is how many requests a minute predictmeta grants a key,
	// which is not documented. 0 means 300.
	PredictMetaLimit int

	// Network says how the cluster takes transactions. Nil means that a node
	// executes them at once.
	Network *Network

	// LendingWebhook is where the lending service posts its events. Empty
	// means nowhere, until [LendingHandle.SetWebhook].
	LendingWebhook string
	// WebhookTimeout bounds one delivery in real time. 0 means 30 seconds.
	WebhookTimeout time.Duration
	// WebhookClient posts the deliveries, for destinations with a certificate
	// of their own. Nil means a plain client.
	WebhookClient *http.Client

	// BasePort is the port of the first listener, the others following it in
	// the order of Services, further hosts after their service, then the RPC.
	// 0 means any free ports.
	BasePort int
}

// internal is the configuration as the rooms of the sandbox take it, which
// also check it.
func (c Config) internal() kit.Config {
	tiers := make(map[kit.Service]kit.Tier, len(c.Tiers))
	for service, tier := range c.Tiers {
		tiers[service.internal()] = kit.Tier(tier)
	}
	return kit.Config{
		Seed:                c.Seed,
		ManualClock:         c.ManualClock,
		Start:               c.Start,
		SlotTime:            c.SlotTime,
		InstantConfirmation: c.InstantConfirmation,
		Tiers:               tiers,
		NoLimits:            c.NoLimits,
		Shape:               c.Shape,
		CompiledInner:       c.CompiledInner,
		PredictMetaLimit:    c.PredictMetaLimit,
		Network:             c.Network.internal(),
		LendingWebhook:      c.LendingWebhook,
		WebhookTimeout:      c.WebhookTimeout,
		WebhookClient:       c.WebhookClient,
		BasePort:            c.BasePort,
	}
}
