package leverage_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// The life of a position on the sandbox: opened, split, half of it sold as one
// bundle, and the rest liquidated when the price falls.
func Example_position() {
	if err := positionLife(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// open: 2x, 1 position
	// split: 2 positions
	// half of one sold: 2 positions
	// the price falls: 0 positions open, 2 liquidated
}

// market is a client, its sandbox, and the guard that checks what is signed.
type market struct {
	*leverage.Client
	s     *sandbox.Sandbox
	guard *signing.Guard
	key   *signing.LocalKey
	me    string
}

func newMarket() (*market, error) {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true, InstantConfirmation: true})
	if err != nil {
		return nil, err
	}
	m := &market{s: s, me: s.WalletAddress()}
	m.guard = signing.NewGuard(signing.Policy{
		Pins:       map[string][]signing.PublicKey{"leverage": {signing.MustPublicKey(s.ProgramID(sandbox.Leverage))}},
		AllowBlind: []string{"leverage"},
	})
	if m.key, err = signing.NewLocalKey(s.Wallet()); err != nil {
		return nil, err
	}
	m.Client, err = leverage.New(leverage.Config{
		BaseURL: s.URL(sandbox.Leverage), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Leverage)),
	})
	return m, err
}

// land guards, signs and sends what was built, as one bundle.
func (m *market) land(ctx context.Context, u walletfi.Unsigned) error {
	txs, _, err := m.guard.SignSet(ctx, u, m.key)
	if err != nil {
		return err
	}
	signed := make([]walletfi.Signed, len(txs))
	for i, tx := range txs {
		signed[i] = tx.Signed()
	}
	_, err = m.SubmitBundle(ctx, signed)
	return err
}

func (m *market) positions(ctx context.Context, status leverage.PositionStatus) ([]leverage.Position, error) {
	page, err := m.ListPositions(ctx, leverage.PositionsRequest{Owner: m.me, Status: status})
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}

func positionLife(ctx context.Context) error {
	m, err := newMarket()
	if err != nil {
		return err
	}
	defer m.s.Close()
	offers, err := m.ListOffers(ctx, leverage.OffersRequest{Side: leverage.SideLong, Search: "SOL"})
	if err != nil {
		return err
	}
	two, err := walletfi.NewDecimal("2")
	if err != nil {
		return err
	}
	opened, err := m.BuildOpen(ctx, leverage.OpenRequest{QuoteRequest: leverage.QuoteRequest{
		Offer: offers.Items[0].Address, Owner: m.me, CollateralAmount: 50_000_000, Leverage: two, Slippage: walletfi.SlippageBps(50),
	}})
	if err != nil {
		return err
	}
	if err := m.land(ctx, opened.Unsigned()); err != nil {
		return err
	}
	open, err := m.positions(ctx, leverage.StatusExecuted)
	if err != nil {
		return err
	}
	fmt.Printf("open: %.0fx, %d position\n", open[0].EffectiveLeverage.Float64(), len(open))
	if err := m.splitAndSell(ctx, open[0].Address); err != nil {
		return err
	}
	return m.crash(ctx, offers.Items[0])
}

func (m *market) splitAndSell(ctx context.Context, position string) error {
	split, err := m.BuildSplit(ctx, leverage.SplitRequest{Position: position, Owner: m.me, SplitRatioBps: 5000})
	if err != nil {
		return err
	}
	if err := m.land(ctx, split.Unsigned()); err != nil {
		return err
	}
	open, err := m.positions(ctx, leverage.StatusExecuted)
	if err != nil {
		return err
	}
	fmt.Println("split:", len(open), "positions")
	sold, err := m.BuildPartialSell(ctx, leverage.PartialSellRequest{Position: open[0].Address, Owner: m.me, SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(50)})
	if err != nil {
		return err
	}
	if err := m.land(ctx, sold.Unsigned()); err != nil {
		return err
	}
	open, err = m.positions(ctx, leverage.StatusExecuted)
	fmt.Println("half of one sold:", len(open), "positions")
	return err
}

func (m *market) crash(ctx context.Context, offer leverage.Offer) error {
	if err := m.s.Market().SetPrice(offer.BaseTokenAddress, 10_000_000); err != nil {
		return err
	}
	open, err := m.positions(ctx, leverage.StatusExecuted)
	if err != nil {
		return err
	}
	liquidated, err := m.positions(ctx, leverage.StatusLiquidated)
	fmt.Printf("the price falls: %d positions open, %d liquidated\n", len(open), len(liquidated))
	return err
}
