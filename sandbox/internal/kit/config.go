package kit

import (
	"fmt"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// withDefaults checks a configuration and fills in what is zero.
func withDefaults(c play.Config) (play.Config, error) {
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
	if n := c.Network; n != nil && (n.Reach < 0 || n.Reach > 1) {
		return c, fmt.Errorf("sandbox: Network.Reach must be 0 to 1, is %v", n.Reach)
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
			if !known(play.Service(service)) {
				return c, fmt.Errorf("sandbox: Deployment has %q, which is not a service", service)
			}
		}
	}
	for service, tier := range c.Tiers {
		if !known(service) {
			return c, fmt.Errorf("sandbox: Tiers has %q, which is not a service", service)
		}
		if tier != play.TierFree && tier != play.TierPro && tier != play.TierEnterprise {
			return c, fmt.Errorf("sandbox: tier %q of %s is not known", tier, service)
		}
	}
	return c, nil
}
