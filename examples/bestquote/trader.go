package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// trader asks the three services for offers and executes one of them.
type trader struct {
	out      io.Writer
	owner    signing.PublicKey
	swap     *swap.Client
	amm      *amm.Client
	provider *providerswap.Client
	node     *rpcnode.Client
	guard    *signing.Guard
	wallet   *wallet.Wallet
	journal  *wallet.FileJournal
}

// newTrader creates the clients, and the wallet that guards, signs and
// confirms.
func newTrader(out io.Writer, d *deployment) (*trader, error) {
	t := &trader{out: out, owner: d.signer.PublicKey()}
	var err error
	if t.swap, err = swap.New(swap.Config{
		BaseURL: d.Swap, APIKey: d.swapKey, Freshness: swap.Freshness{MaxAge: 30 * time.Second},
	}); err != nil {
		return nil, err
	}
	if t.amm, err = amm.New(amm.Config{TradeURL: d.AMMTrade, DataURL: d.AMMData}); err != nil {
		return nil, err
	}
	t.provider, err = providerswap.New(providerswap.Config{BaseURL: d.ProviderSwap, APIKey: d.providerKey})
	if err != nil {
		return nil, err
	}
	if t.node, err = rpcnode.New(rpcnode.Config{URL: d.rpc}); err != nil {
		return nil, err
	}
	// The simulator lets the guard see which amounts arrive, the resolver what the
	// lookup tables hold. amm spreads some swaps over a set, which few nodes run in order.
	t.guard = signing.NewGuard(signing.Policy{
		Pins: d.Pins, Simulator: t.node, Resolver: t.node, AllowBlind: []string{"amm"},
	})
	if t.journal, err = wallet.OpenFileJournal(d.journal); err != nil {
		return nil, err
	}
	t.wallet, err = wallet.New(wallet.Config{
		Signer: d.signer, Guard: t.guard, Node: t.node, Journal: t.journal,
	})
	if err != nil {
		t.journal.Close()
	}
	return t, err
}

func (t *trader) close() {
	t.wallet.Close()
	t.journal.Close()
}

// resume follows what an earlier run left, which may have crashed, to its end.
func (t *trader) resume(ctx context.Context) error {
	outcomes, err := t.wallet.Settle(ctx)
	for _, o := range outcomes {
		for _, step := range o.Steps {
			fmt.Fprintf(t.out, "order %s of an earlier run is %s: %s\n", o.Key, step.State, step.Signature)
		}
	}
	return err
}
