// Package world puts the services together over one ledger.
package world

import (
	"fmt"

	"github.com/walletfi/walletfi-go/sandbox/internal/amm"
	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/burnclose"
	"github.com/walletfi/walletfi-go/sandbox/internal/dialect"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/lending"
	"github.com/walletfi/walletfi-go/sandbox/internal/leverage"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/internal/node"
	"github.com/walletfi/walletfi-go/sandbox/internal/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox/internal/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox/internal/providerswap"
	"github.com/walletfi/walletfi-go/sandbox/internal/smartaccount"
	"github.com/walletfi/walletfi-go/sandbox/internal/socialsearch"
	"github.com/walletfi/walletfi-go/sandbox/internal/swap"
	"github.com/walletfi/walletfi-go/sandbox/internal/webhooks"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// World is all eleven services and a Solana node over one ledger.
type World struct {
	*build.Chain
	Pools        *market.Book
	Lending      *lending.Service
	SmartAccount *smartaccount.Service
	Leverage     *leverage.Service
	PredictMeta  *predictmeta.Service
	Swap         *swap.Service
	AMM          *amm.Service
	ProviderSwap *providerswap.Service
	BurnClose    *burnclose.Service
	onchainData  *onchaindata.Service
	SocialSearch *socialsearch.Service
	Webhooks     *webhooks.Service
	Sockets      []*node.Socket // of the nodes
	nodes        []*node.Handler
	dialects     []kit.Dialect
}

// Open opens every service on loopback. Close it.
func Open(c play.Config) (*World, error) {
	var body []byte
	tenants := c.Tenants
	if c.Snapshot != nil {
		s, rest, err := opened(c.Snapshot)
		if err == nil {
			c, err = s.over(c, true)
		}
		if err != nil {
			return nil, fmt.Errorf("sandbox: %w", err)
		}
		body, c.Snapshot, tenants = rest, nil, nil // those of the snapshot are in its state
	}
	core, err := kit.Open(c)
	if err != nil {
		return nil, err
	}
	w := &World{}
	core.Lock()
	err = w.open(core)
	if err == nil && body != nil {
		core.Rewind(func() { err = w.read(body) })
	}
	core.Unlock()
	for i := 0; err == nil && i < len(tenants); i++ {
		_, err = w.Admit(tenants[i])
	}
	if err != nil {
		core.Close()
		return nil, err
	}
	return w, nil
}

func (w *World) open(core *kit.Core) error {
	var err error
	if w.Chain, err = build.Open(core); err != nil {
		return err
	}
	for _, name := range play.Services() {
		if name != play.SmartAccount {
			core.AddKey(name, fmt.Sprintf("sandbox-%s-%016x", name, core.Random()))
		}
	}
	for _, t := range core.Tenants {
		w.Endow(w.TenantWallet(t.Name))
	}
	for _, v := range w.specs() {
		if err := w.speak(v); err != nil {
			return err
		}
		if err := core.Serve(v); err != nil {
			return err
		}
	}
	for i := range core.NodeCount() {
		socket, handler := node.NewSocket(w.Chain, core.NodeAt(i)), node.New(w.Chain, core.NodeAt(i))
		if err := core.ListenNode(i, handler, socket.Feed); err != nil {
			return err
		}
		w.Sockets, w.nodes = append(w.Sockets, socket), append(w.nodes, handler)
	}
	return nil
}

// Admit adds a tenant, whose wallet has money. It takes the lock itself.
func (w *World) Admit(t play.Tenant) (play.Tenant, error) {
	w.Lock()
	defer w.Unlock()
	t, err := w.Core.Admit(t)
	if err == nil {
		w.Endow(w.TenantWallet(t.Name))
	}
	return t, err
}

// Restart begins the whole state again behind the same listeners, and hands on what has it.
func (w *World) Restart(take func(*World)) error {
	w.Lock()
	defer w.Unlock()
	next := &World{}
	w.Core.Restart()
	err := next.open(w.Core)
	take(next)
	return err
}

// speak makes a service speak as Config.Deployment has it.
func (w *World) speak(v *kit.Spec) error {
	if w.Config.Deployment == nil {
		return nil
	}
	words, named := w.Config.Deployment.Services[string(v.Name)]
	if !named {
		return nil
	}
	spoken, err := dialect.New(w.Core, v, words)
	if err != nil {
		return fmt.Errorf("sandbox: Deployment of %s: %w", v.Name, err)
	}
	v.Dialect, w.dialects = spoken, append(w.dialects, spoken)
	return nil
}

// specs makes the services, in the order of Services.
func (w *World) specs() []*kit.Spec {
	all := make([]*kit.Spec, 11)
	w.Lending, all[0] = lending.New(w.Chain)
	w.SmartAccount, all[1] = smartaccount.New(w.Chain)
	w.Pools = market.Open(w.Chain)
	w.Leverage, all[2] = leverage.New(w.Pools)
	w.PredictMeta, all[3] = predictmeta.New(w.Chain)
	w.Swap, all[4] = swap.New(w.Pools, w.PredictMeta)
	w.AMM, all[5] = amm.New(w.Pools)
	w.ProviderSwap, all[6] = providerswap.New(w.Pools)
	w.BurnClose, all[7] = burnclose.New(w.Chain)
	w.onchainData, all[8] = onchaindata.New(w.Pools)
	w.SocialSearch, all[9] = socialsearch.New(w.Core)
	w.Webhooks, all[10] = webhooks.New(w.Chain)
	return all
}
