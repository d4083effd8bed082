package kit

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/deployment"
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

// Config mirrors sandbox.Config, which documents the fields. A test in package
// sandbox compares the two.
type Config struct {
	Seed                uint64
	ManualClock         bool
	Start               time.Time
	SlotTime            time.Duration
	FeedStep            time.Duration
	InstantConfirmation bool
	Tiers               map[Service]Tier
	NoLimits            bool
	Shape               int
	StrictEcho          bool
	Drift               bool
	CompiledInner       bool
	PredictMetaLimit    int
	Network             *Network
	LendingWebhook      string
	WebhookTimeout      time.Duration
	WebhookClient       *http.Client
	BasePort            int
	Deployment          *deployment.Deployment
	DeploymentSecrets   map[string]string
	Control             *ControlPort
}

// ControlPort mirrors sandbox.ControlPort.
type ControlPort struct {
	Token  string
	Closed func()
}

func (c Config) withDefaults() (Config, error) {
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.SlotTime == 0 {
		c.SlotTime = 400 * time.Millisecond
	}
	if c.SlotTime < 0 || c.FeedStep < 0 || c.Shape < 0 || c.WebhookTimeout < 0 || c.BasePort < 0 {
		return c, fmt.Errorf("sandbox: SlotTime, FeedStep, Shape, WebhookTimeout and BasePort must not be negative")
	}
	if c.PredictMetaLimit < 0 {
		return c, fmt.Errorf("sandbox: PredictMetaLimit must not be negative")
	}
	if err := c.Network.check(); err != nil {
		return c, err
	}
	if c.Control != nil && strings.ContainsFunc(c.Control.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return c, fmt.Errorf("sandbox: Control.Token must be printable ASCII without blanks")
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
	if c.Deployment != nil {
		for service := range c.Deployment.Services {
			if !known(Service(service)) {
				return c, fmt.Errorf("sandbox: Deployment has %q, which is not a service", service)
			}
		}
	}
	for service, tier := range c.Tiers {
		if !known(service) {
			return c, fmt.Errorf("sandbox: Tiers has %q, which is not a service", service)
		}
		if tier != TierFree && tier != TierPro && tier != TierEnterprise {
			return c, fmt.Errorf("sandbox: tier %q of %s is not known", tier, service)
		}
	}
	return c, nil
}
