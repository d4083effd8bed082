package kit

import (
	"fmt"
	"net/http"
	"time"
)

// Tier is the rate that a service grants a key.
type Tier string

// The tiers that services name. A service that documents no tiers ignores
// them.
const (
	TierFree       Tier = "free"
	TierPro        Tier = "pro"
	TierEnterprise Tier = "enterprise"
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
	// which its documentation does not say. 0 means 300.
	PredictMetaLimit int

	// LendingWebhook is where the lending service posts its events. Empty
	// means nowhere, until SetLendingWebhook.
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

func (c Config) withDefaults() (Config, error) {
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.SlotTime == 0 {
		c.SlotTime = 400 * time.Millisecond
	}
	if c.SlotTime < 0 || c.Shape < 0 || c.WebhookTimeout < 0 || c.BasePort < 0 {
		return c, fmt.Errorf("sandbox: SlotTime, Shape, WebhookTimeout and BasePort must not be negative")
	}
	if c.PredictMetaLimit < 0 {
		return c, fmt.Errorf("sandbox: PredictMetaLimit must not be negative")
	}
	if c.WebhookTimeout == 0 {
		c.WebhookTimeout = 30 * time.Second
	}
	if c.Start.IsZero() {
		c.Start = time.Now()
		if c.ManualClock {
			c.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		}
	}
	for service, tier := range c.Tiers {
		if !known(service) {
			return c, fmt.Errorf("sandbox: Tiers names %q, which is no service", service)
		}
		if tier != TierFree && tier != TierPro && tier != TierEnterprise {
			return c, fmt.Errorf("sandbox: tier %q of %s is not known", tier, service)
		}
	}
	return c, nil
}
