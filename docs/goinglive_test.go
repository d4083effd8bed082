package docs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

func Example_goingLive() {
	dir, err := os.MkdirTemp("", "guide")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s, service, err := lendingOf(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	if err := wentLive(context.Background(), s, service, dir); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 3 of 3 builds call one program
	// true true
	// confirmed
	// 0 unsettled
}

func wentLive(ctx context.Context, s *sandbox.Sandbox, service *lending.Client, dir string) error {
	walletFile := filepath.Join(dir, "wallet.json")
	written := []byte(strings.ReplaceAll(fmt.Sprint(s.Wallet()), " ", ","))
	if err := os.WriteFile(walletFile, written, 0o600); err != nil {
		return err
	}
	key, err := signing.LoadLocalKey(walletFile)
	if err != nil {
		return err
	}
	defer key.Close()
	url, file, usdc := walletfi.NewSecret(s.URL(sandbox.RPC)), filepath.Join(dir, "pins.json"), s.Mint("USDC")
	node, err := rpcnode.New(rpcnode.Config{URL: url})
	if err != nil {
		return err
	}
	ability, err := node.Prove(ctx)
	if err != nil {
		return err
	}
	deposit := func(amount walletfi.Amount) lending.DepositRequest {
		return lending.DepositRequest{
			Owner: key.PublicKey().String(), Mint: usdc, DepositType: lending.DepositProtected, Amount: amount,
		}
	}
	policy := signing.Policy{Resolver: node, Simulator: node}
	var samples []walletfi.Unsigned
	for _, amount := range []walletfi.Amount{1_000_000, 2_000_000, 3_500_000} {
		built, err := service.BuildDeposit(ctx, deposit(amount))
		if err != nil {
			return err
		}
		samples = append(samples, built.Unsigned())
	}
	proposal, err := signing.NewGuard(policy).Learn(ctx, "lending", samples)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(map[string][]signing.Pin{"lending": proposal.TypedPins(signing.MinSamples)}, "", "  ")
	if err != nil {
		return err
	}
	if len(proposal.Programs) == 1 {
		fmt.Println(proposal.Programs[0].Samples, "of", proposal.Samples, "builds call one program")
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	text, err = os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &policy.TypedPins); err != nil {
		return err
	}
	guard := signing.NewGuard(policy)
	fmt.Println(ability.Recent, len(policy.TypedPins["lending"]) > 0)

	journal, err := wallet.OpenFileJournal(filepath.Join(dir, "payments.journal"))
	if err != nil {
		return err
	}
	defer journal.Close()
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: guard, Node: node, Journal: journal,
		Fees: walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: 100_000, MaxPerKey: 300_000, Growth: 50},
		Spend: []wallet.SpendLimit{
			{Mint: walletfi.NativeMint, Within: 24 * time.Hour, Most: 50_000_000},
			{Mint: usdc, Within: time.Hour, Most: 5_000_000},
			{Mint: usdc, Within: 24 * time.Hour, Most: 20_000_000},
		},
	})
	if err != nil {
		return err
	}
	defer w.Close()
	placed, err := w.Place(ctx, wallet.OrderOf(service.BuildDeposit, deposit(1_000_000)), wallet.PlaceOptions{
		Key: "order 1", Attempts: 3,
	})
	if errors.Is(err, walletfi.ErrOutcomeUnknown) {
		fmt.Println("the same key asks again")
	}
	if err != nil {
		return err
	}
	fmt.Println(placed.Result.Steps[0].State)
	unsettled, err := w.Unsettled(ctx)
	if err != nil {
		return err
	}
	for _, u := range unsettled {
		fmt.Println(u.Key, u.Since, u.Missing)
	}
	fmt.Println(len(unsettled), "unsettled")
	return nil
}
