package walletfitest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/walletfitest"
)

// node is a double that confirms what it is sent.
type node struct{ sent *[]walletfi.Signed }

func (n node) Submit(_ context.Context, tx walletfi.Signed) (string, error) {
	*n.sent = append(*n.sent, tx)
	return tx.Signature, nil
}

func (node) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentFinalized, Slot: 7}, nil
}

func (node) BlockHeight(context.Context) (uint64, error) {
	return walletfitest.LastValidBlockHeight - 100, nil
}

func (node) Effects(_ context.Context, signature string) (*walletfi.Effects, error) {
	return &walletfi.Effects{Signature: signature, Slot: 7}, nil
}

// service is a double of all that the trades and a deposit need of their clients.
type service struct {
	t         testing.TB
	submitted *[]string
}

func (s service) BuildDeposit(
	_ context.Context, req lending.DepositRequest, _ ...walletfi.CallOption,
) (*lending.DepositTransaction, error) {
	return walletfitest.Built(s.t, req, &lending.DepositTransaction{}), nil
}

func (s service) BuildOrder(_ context.Context, req swap.OrderRequest, _ ...walletfi.CallOption) (*swap.Order, error) {
	return walletfitest.Built(s.t, req, &swap.Order{OrderQuote: swap.OrderQuote{ExecutionMode: "async"}}), nil
}

func (s service) BuildIntent(
	_ context.Context, req swap.IntentRequest, _ ...walletfi.CallOption,
) (*swap.BuiltIntent, error) {
	return walletfitest.Built(s.t, req, &swap.BuiltIntent{}), nil
}

func (s service) SubmitIntent(
	_ context.Context, req swap.SubmitIntentRequest, _ ...walletfi.CallOption,
) (*swap.SubmittedIntent, error) {
	signature, _ := walletfi.TransactionSignature(req.Transaction)
	*s.submitted = append(*s.submitted, signature)
	return &swap.SubmittedIntent{OpenSignature: signature}, nil
}

func (s service) GetOrderStatus(
	context.Context, swap.OrderStatusRequest, ...walletfi.CallOption,
) (*swap.OrderStatus, error) {
	return &swap.OrderStatus{Status: swap.OrderClosed}, nil
}

func (s service) WaitOrder(
	ctx context.Context, _ swap.WaitOrderRequest, _ ...walletfi.CallOption,
) (*swap.OrderStatus, error) {
	return s.GetOrderStatus(ctx, swap.OrderStatusRequest{})
}

// TestPlaceOnDoubles: a wallet with the real guard carries out what doubles of clients build.
func TestPlaceOnDoubles(t *testing.T) {
	key, s, n := signingtest.Key("owner"), service{t, new([]string)}, node{new([]walletfi.Signed)}
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(walletfitest.Policy("lending", "swap")), Node: n,
	})
	require.NoError(t, err)
	defer w.Close()
	owner := key.PublicKey().String()
	for name, order := range map[string]walletfi.Order{
		"deposit": wallet.OrderOf(s.BuildDeposit, lending.DepositRequest{Owner: owner, Mint: usdc, Amount: 5}),
		"order": swap.NewTrade(s, swap.OrderRequest{
			Owner: owner, InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 5, Slippage: walletfi.SlippageBps(10),
		}),
		"intent": swap.NewIntentTrade(s, swap.IntentRequest{
			Owner: owner, InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: 5, Slippage: walletfi.SlippageBps(10),
		}),
	} {
		placed, err := w.Place(t.Context(), order, wallet.PlaceOptions{Key: name})
		require.NoError(t, err, name)
		require.True(t, placed.Result.Confirmed(), name)
		require.Equal(t, name != "deposit", placed.FilledLater, name)
	}
	require.Len(t, *n.sent, 2)
	require.Len(t, *s.submitted, 1)
}

// ExampleBuilt pays a deposit that no service has built.
func ExampleBuilt() {
	t, key := new(testing.T), signingtest.Key("owner") // a test has its own t
	owner := key.PublicKey().String()
	built := walletfitest.Built(t, lending.DepositRequest{Owner: owner, Mint: usdc, Amount: 5}, &lending.DepositTransaction{})
	guard := signing.NewGuard(walletfitest.Policy("lending"))
	txs, _, err := guard.SignSet(context.Background(), built.Unsigned(), key)
	fmt.Println(len(txs), built.LastValidBlockHeight, err)
	// Output: 1 1000 <nil>
}
