package docs_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/wallet"
)

// recentPrices is a provider's estimate.
type recentPrices []uint64

func (p recentPrices) RecentFees(context.Context, []string) (walletfi.RecentFees, error) {
	return walletfi.RecentFees{Prices: p}, nil
}

func Example_fees() {
	if err := priced(context.Background(), recentPrices{20_000, 30_000, 40_000, 50_000}); err != nil {
		fmt.Println(err)
	}
	err := priced(context.Background(), recentPrices{900_000})
	fmt.Println(errors.Is(err, walletfi.ErrFeeMarket), errors.Is(err, walletfi.ErrNotSent))
	// Output:
	// attempt 1: confirmed, 40000 offered, 13000 lamports paid
	// true true
}

func priced(ctx context.Context, prices walletfi.FeeReader) error {
	s, client, err := lendingOf(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		return err
	}
	defer s.Close()
	node, key, guard, err := signerOn(s)
	if err != nil {
		return err
	}
	deposit := lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_000_000,
	}

	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: guard, Node: node, FeeReader: prices,
		Fees: walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: 100_000, Growth: 50},
	})
	if err != nil {
		return err
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	placed, err := w.Place(ctx, wallet.OrderOf(client.BuildDeposit, deposit), wallet.PlaceOptions{
		Key: "order 8", Attempts: 3,
	})
	if err != nil {
		return err
	}
	for _, l := range placed.Landing {
		fmt.Printf("attempt %d: %s, %d offered, %d lamports paid\n", l.Attempt, l.State, l.Price, l.Paid)
	}
	return nil
}
