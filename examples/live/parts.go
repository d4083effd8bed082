package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// live is everything that the program is made of.
type live struct {
	*settings

	key     *signing.LocalKey
	service *lending.Client
	nodes   []*rpcnode.Client
	policy  signing.Policy
	journal *wallet.FileJournal
	wallet  *wallet.Wallet
}

// open makes the parts. The wallet then follows what an earlier run left.
func (l *live) open(config string, log io.Writer) (err error) {
	if l.settings, err = load(config); err != nil {
		return err
	}
	if l.key, err = signing.LoadLocalKey(l.Wallet); err != nil {
		return err
	}
	options := walletfi.Options{Observer: watch{log: slog.New(slog.NewTextHandler(log, nil))}}
	if l.Deployment != "" {
		if options.Deployment, err = deployment.Load(l.Deployment); err != nil {
			return err
		}
	}
	l.service, err = lending.New(lending.Config{
		BaseURL: l.Lending, APIKey: walletfi.NewSecret(os.Getenv(apiKey)), Tier: l.Tier, Options: options,
	})
	if err != nil {
		return err
	}
	for i, url := range strings.Fields(os.Getenv(nodeURLs)) {
		node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(url), Observer: options.Observer})
		if err != nil {
			return fmt.Errorf("%s, node %d: %w", nodeURLs, i+1, err)
		}
		l.nodes = append(l.nodes, node)
	}
	// Of several nodes, no minority decides what became of a payment.
	pool, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: l.nodes})
	if err != nil {
		return err
	}
	l.policy = signing.Policy{Resolver: pool, Simulator: pool}
	if l.policy.TypedPins, err = loadPins(l.Pins); err != nil {
		return err
	}
	if l.journal, err = wallet.OpenFileJournal(l.Journal); err != nil {
		return fmt.Errorf("%s: %w", l.Journal, err)
	}
	l.wallet, err = wallet.New(wallet.Config{
		Signer: l.key, Guard: signing.NewGuard(l.policy), Journal: l.journal, Observer: options.Observer,
		Node: pool,
		Fees: walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: l.MaxFee, MaxPerKey: attempts * l.MaxFee, Growth: 50},
		Spend: []wallet.SpendLimit{
			{Mint: walletfi.NativeMint, Within: 24 * time.Hour, Most: l.MostLamportsPerDay},
			{Mint: l.Mint, Within: 24 * time.Hour, Most: l.MostPerDay},
		},
	})
	return err
}

// close closes the wallet before its journal.
func (l *live) close() (err error) {
	if l.wallet != nil {
		err = l.wallet.Close()
	}
	if l.journal != nil {
		err = errors.Join(err, l.journal.Close())
	}
	if l.key != nil {
		l.key.Close()
	}
	return err
}

// read reads an amount of the mint by the decimals of the ledger: by wrong ones of a
// service's the program would pay a multiple.
func (l *live) read(ctx context.Context, text string) (units walletfi.Amount, decimals int, err error) {
	mint, err := l.nodes[0].Mint(ctx, l.Mint)
	if err != nil {
		return 0, 0, fmt.Errorf("mint: %w", err)
	}
	units, err = mint.Parse(text)
	return units, mint.Decimals, err
}
