package sandbox

import (
	"crypto/rand"

	"github.com/walletfi/walletfi-go/sandbox/internal/control"
)

// openControl opens the control port.
func (s *Sandbox) openControl(c ControlPort) error {
	if c.Token == "" {
		c.Token = rand.Text()
	}
	s.world.Lock()
	defer s.world.Unlock()
	s.world.AddKey(Control, c.Token)
	closing := func() {
		s.Close()
		if c.Closed != nil {
			c.Closed()
		}
	}
	rows := append(sandboxControls(closing), handleControls()...)
	url := func() string { return s.URL(Control) }
	return s.world.Listen(Control, "", control.New(c.Token, url, rows, s,
		s.Ledger(), s.Market(), s.Lending(), s.SmartAccount(), s.PredictMeta(), s.PredictMeta().Feed(), s.Swap(),
		s.AMM(), s.ProviderSwap(), s.BurnClose(), s.OnchainData(), s.SocialSearch(), s.Webhooks()))
}
