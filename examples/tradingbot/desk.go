package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

// broker carries orders out and books them.
type broker interface {
	// trade begins an order and follows it as far as it can. What is in doubt stays
	// open in the book, and is not an error.
	trade(ctx context.Context, o order) error
	// settle follows the open orders of the book, also those of an earlier process.
	settle(ctx context.Context) error
	// pause waits on the broker's clock.
	pause(ctx context.Context, d time.Duration) error
}

// desk is the broker on the services: the swap service builds, the wallet guards,
// signs, sends and confirms.
type desk struct {
	owner   signing.PublicKey
	usdc    string
	swap    *swap.Client
	node    *rpcnode.Client
	wallet  *wallet.Wallet
	journal *wallet.FileJournal
	log     *ledgerLog
	clock   walletfi.Clock // nil is real time
	pace    pace
}

// openDesk opens the clients, and the journal of the wallet in a folder.
func openDesk(d *deployment, folder string, log *ledgerLog) (*desk, error) {
	t := &desk{owner: d.signer.PublicKey(), usdc: d.USDC, log: log, clock: d.clock, pace: d.pace}
	var err error
	t.swap, err = swap.New(swap.Config{BaseURL: d.Swap, APIKey: d.swapKey, Options: walletfi.Options{Clock: d.clock}})
	if err != nil {
		return nil, err
	}
	if t.node, err = rpcnode.New(rpcnode.Config{URL: d.rpc, Clock: d.clock}); err != nil {
		return nil, err
	}
	var submitter walletfi.Submitter = t.node
	if d.submitter != nil {
		submitter = d.submitter(t.node)
	}
	if t.journal, err = wallet.OpenFileJournal(filepath.Join(folder, "wallet.journal")); err != nil {
		return nil, err
	}
	t.wallet, err = wallet.New(wallet.Config{
		Signer: d.signer, Node: t.node, Submitter: submitter,
		Journal: t.journal, Clock: d.clock,
		Guard: signing.NewGuard(signing.Policy{
			Pins: map[string][]signing.PublicKey{"swap": d.Pins}, Resolver: t.node, Simulator: t.node,
		}),
		PollEvery: d.pace.poll, ResendEvery: d.pace.resend,
	})
	if err != nil {
		t.journal.Close()
		return nil, err
	}
	return t, nil
}

func (d *desk) pause(ctx context.Context, t time.Duration) error {
	return walletfi.Sleep(ctx, d.clock, t)
}

func (d *desk) close() error { return errors.Join(d.wallet.Close(), d.journal.Close()) }

// trade writes the order down before anything can leave, and then has the wallet
// execute it.
func (d *desk) trade(ctx context.Context, o order) error {
	i := d.log.book.known[o.Instrument]
	built, err := d.build(ctx, i, &o)
	if err != nil {
		return fmt.Errorf("order %s: %w", o.Key, err)
	}
	if err := d.log.write(event{Order: &o}); err != nil {
		return err
	}
	result, err := d.wallet.Execute(ctx, built, wallet.ExecuteOptions{Key: o.Key})
	if errors.Is(err, walletfi.ErrOutcomeUnknown) {
		return d.log.write(event{Unsure: o.Key})
	}
	var steps []wallet.Step
	if result != nil {
		steps = result.Steps
	}
	return d.book(ctx, o, steps, err)
}

// build asks the service for the order's transaction.
func (d *desk) build(ctx context.Context, i instrument, o *order) (walletfi.Unsigned, error) {
	if o.Side == prepare {
		built, err := d.swap.BuildPredictionMarketInit(ctx, swap.PredictionMarketInitRequest{
			MarketMint: i.Mint,
			Owner:      d.owner.String(),
		})
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		return built.Unsigned(), nil
	}
	request := swap.OrderRequest{Owner: d.owner.String(), InputMint: d.usdc, OutputMint: i.Mint, Amount: o.Amount}
	if o.Side == sell {
		request.InputMint, request.OutputMint = i.Mint, d.usdc
	}
	if i.isSOL() {
		request.Slippage = walletfi.SlippageBps(o.slippage)
	} else {
		request.PredictionMarketSlippage = walletfi.SlippageBps(o.slippage)
	}
	if o.Tip > 0 {
		request.PrioritizationFee = swap.PriorityBundleTip(o.Tip)
	}
	built, err := d.swap.BuildOrder(ctx, request)
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	o.Polled, o.LastValid = built.ExecutionMode.Polled(), built.LastValidBlockHeight
	return built.Unsigned(), nil
}
