package paid

import (
	"context"
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// generous says of a second key what became of the first.
type generous struct{ payer }

func (g generous) Execute(ctx context.Context, u walletfi.Unsigned,
	o wallet.ExecuteOptions) (*wallet.Result, error) {
	o.Key = strings.TrimSuffix(o.Key, " again")
	return g.payer.Execute(ctx, u, o)
}

// misnaming names what a sponsor signed by the owner's signature.
type misnaming struct {
	payer
	c *court
}

func (m misnaming) Execute(ctx context.Context, u walletfi.Unsigned,
	o wallet.ExecuteOptions) (*wallet.Result, error) {
	res, err := m.payer.Execute(ctx, u, o)
	m.c.mu.Lock()
	defer m.c.mu.Unlock()
	for i := 0; res != nil && i < len(res.Steps); i++ {
		if x := m.c.bySig[res.Steps[i].Signature]; x != nil {
			res.Steps[i].Signature = x.own.String()
		}
	}
	return res, err
}

// TestCourtBytes shows that the court finds one transaction that counts for two
// keys, and one that is told by a signature that it does not bear.
func TestCourtBytes(t *testing.T) {
	p := perfect(9)
	p.Shares.Shared = 1
	p.Hire = broken(func(p payer) payer { return generous{p} })
	if tally, _ := perform(t, p); tally.Kinds["two keys"] == 0 {
		t.Errorf("no transaction counted for two keys: %v %v", tally.Kinds, tally.Losses)
	}
	p = perfect(9)
	p.Shares.Sponsors = 1
	p.Hire = func(p *proc, cfg wallet.Config) (payer, error) {
		w, err := wallet.New(cfg)
		return misnaming{w, p.s.court}, err
	}
	if tally, _ := perform(t, p); tally.Kinds["wrong signature"] == 0 {
		t.Errorf("no transaction was told by another signature: %v %v", tally.Kinds, tally.Losses)
	}
}
