package docs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestCookbook: the page has thirty tasks, each with one example of at most 25 lines and its
// output, and each is the whole code of an Example.
func TestCookbook(t *testing.T) {
	page, err := os.ReadFile("cookbook.md")
	require.NoError(t, err)
	source, err := os.ReadFile("cookbook_test.go")
	require.NoError(t, err)
	tasks := strings.Split(string(page), "\n## ")[1:]
	require.Len(t, tasks, 30)
	require.Len(t, regexp.MustCompile(`(?m)^func Example_cookbook`).FindAll(source, -1), len(tasks))
	compiled := strings.Join(lines(string(source)), "\n")
	for _, task := range tasks {
		blocks := goBlock.FindAllStringSubmatch(task, -1)
		require.Len(t, blocks, 1, task)
		require.LessOrEqual(t, strings.Count(blocks[0][1], "\n"), 25, task)
		shown := "error {\n" + strings.Join(lines(blocks[0][1]), "\n") + "\nreturn "
		require.True(t, strings.Contains(compiled, shown), task)
		require.Len(t, textBlock.FindAllString(task, -1), 1, task)
	}
}

// kitchen holds what the tasks use.
type kitchen struct {
	s                   *sandbox.Sandbox
	node                *rpcnode.Client
	key                 *signing.LocalKey
	guard               *signing.Guard
	wallet              *wallet.Wallet
	lending             *lending.Client
	swap                *swap.Client
	burn                *burnclose.Client
	owner, usdc, folder string
}

// cook runs a task with a kitchen of its own.
func cook(task func(ctx context.Context, k kitchen) error) {
	if err := cooked(task); err != nil {
		fmt.Println(err)
	}
}

func cooked(task func(ctx context.Context, k kitchen) error) error {
	folder, err := os.MkdirTemp("", "cookbook")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	s, err := sandbox.Start(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		return err
	}
	defer s.Close()
	k := kitchen{s: s, owner: s.WalletAddress(), usdc: s.Mint("USDC"), folder: folder}
	k.node, err = rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		return err
	}
	if k.key, err = signing.NewLocalKey(s.Wallet()); err != nil {
		return err
	}
	secret := func(of sandbox.Service) walletfi.Secret { return walletfi.NewSecret(s.APIKey(of)) }
	k.lending, err = lending.New(lending.Config{BaseURL: s.URL(sandbox.Lending), APIKey: secret(sandbox.Lending)})
	if err != nil {
		return err
	}
	k.swap, err = swap.New(swap.Config{BaseURL: s.URL(sandbox.Swap), APIKey: secret(sandbox.Swap)})
	if err != nil {
		return err
	}
	k.burn, err = burnclose.New(burnclose.Config{BaseURL: s.URL(sandbox.BurnClose), APIKey: secret(sandbox.BurnClose)})
	if err != nil {
		return err
	}
	policy := signing.Policy{Pins: map[string][]signing.PublicKey{}, Resolver: k.node, Simulator: k.node}
	for _, service := range []sandbox.Service{sandbox.Lending, sandbox.Swap, sandbox.BurnClose} {
		policy.Pins[string(service)] = []signing.PublicKey{signing.MustPublicKey(s.ProgramID(service))}
	}
	k.guard = signing.NewGuard(policy)
	k.wallet, err = wallet.New(wallet.Config{
		Signer: k.key, Guard: k.guard, Node: k.node,
	})
	if err != nil {
		return err
	}
	defer k.wallet.Close()
	return task(context.Background(), k)
}

func Example_cookbookDeposit() {
	cook(func(ctx context.Context, k kitchen) error {
		order := wallet.OrderOf(k.lending.BuildDeposit, lending.DepositRequest{
			Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 25_500_000,
		})
		placed, err := k.wallet.Place(ctx, order, wallet.PlaceOptions{Key: "order 1"})
		if err != nil {
			return err
		}
		_, lost, known := placed.Net(k.owner, k.usdc)
		fmt.Println(lost.UI(6), "USDC left:", known)
		return nil
	})
	// Output:
	// 25.5 USDC left: true
}

func Example_cookbookWithdraw() {
	cook(func(ctx context.Context, k kitchen) error {
		deposit := lending.DepositRequest{Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 5_000_000}
		_, err := k.wallet.Place(ctx, wallet.OrderOf(k.lending.BuildDeposit, deposit), wallet.PlaceOptions{Key: "order 1"})
		if err != nil {
			return err
		}
		placed, err := k.wallet.Place(ctx, wallet.OrderOf(k.lending.BuildWithdraw, lending.WithdrawRequest{
			Owner: k.owner, Mint: k.usdc, WithdrawType: lending.DepositProtected, Amount: 2_000_000,
		}), wallet.PlaceOptions{Key: "order 2"})
		if err != nil {
			return err
		}
		gained, _, _ := placed.Net(k.owner, k.usdc)
		fmt.Println(gained.UI(6), "USDC came back")
		return nil
	})
	// Output:
	// 2 USDC came back
}

func Example_cookbookConfirmed() {
	cook(func(ctx context.Context, k kitchen) error {
		built, err := k.lending.BuildDeposit(ctx, lending.DepositRequest{
			Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 1_000_000,
		})
		if err != nil {
			return err
		}
		result, err := k.wallet.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{Key: "order 1"})
		if err != nil {
			return err
		}
		fmt.Println(result.Confirmed(), result.Steps[0].State)
		return nil
	})
	// Output:
	// true confirmed
}

func Example_cookbookSwap() {
	cook(func(ctx context.Context, k kitchen) error {
		trade := swap.NewTrade(k.swap, swap.OrderRequest{
			Owner: k.owner, InputMint: walletfi.NativeMint, OutputMint: k.usdc, Amount: 1_000_000_000,
			Slippage: walletfi.SlippageBps(100),
		})
		placed, err := k.wallet.Place(ctx, trade, wallet.PlaceOptions{Key: "swap 1"})
		if err != nil {
			return err
		}
		gained, _, known := placed.Net(k.owner, k.usdc)
		fmt.Println("USDC arrived:", gained > 0, known)
		return nil
	})
	// Output:
	// USDC arrived: true true
}

func Example_cookbookQuote() {
	cook(func(ctx context.Context, k kitchen) error {
		quote, err := k.swap.GetQuote(ctx, swap.QuoteRequest{
			InputMint: walletfi.NativeMint, OutputMint: k.usdc, Amount: 1_000_000_000, Slippage: walletfi.SlippageBps(50),
		})
		if err != nil {
			return err
		}
		fmt.Println("at least a part of it is sure:", quote.MinOutAmount > 0 && quote.MinOutAmount <= quote.OutAmount)
		return nil
	})
	// Output:
	// at least a part of it is sure: true
}

func Example_cookbookOnce() {
	cook(func(ctx context.Context, k kitchen) error {
		order := wallet.OrderOf(k.lending.BuildDeposit, lending.DepositRequest{
			Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 1_000_000,
		})
		first, err := k.wallet.Place(ctx, order, wallet.PlaceOptions{Key: "invoice 12"})
		if err != nil {
			return err
		}
		again, err := k.wallet.Place(ctx, order, wallet.PlaceOptions{Key: "invoice 12"})
		if err != nil {
			return err
		}
		fmt.Println(first.Result.Steps[0].Signature == again.Result.Steps[0].Signature)
		return nil
	})
	// Output:
	// true
}

func Example_cookbookEffects() {
	cook(func(ctx context.Context, k kitchen) error {
		placed, err := k.wallet.Place(ctx, wallet.OrderOf(k.lending.BuildDeposit, lending.DepositRequest{
			Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 1_000_000,
		}), wallet.PlaceOptions{Key: "order 1"})
		if err != nil {
			return err
		}
		effects, err := k.node.Effects(ctx, placed.Result.Steps[0].Signature)
		if err != nil {
			return err
		}
		change := effects.Token(k.owner, k.usdc)
		fmt.Println(change.Lost().UI(6), "USDC left")
		return nil
	})
	// Output:
	// 1 USDC left
}

func Example_cookbookRetryAfter() {
	cook(func(ctx context.Context, k kitchen) error {
		fault := sandbox.Fault{Status: 429, Header: http.Header{"Retry-After": {"3600"}}}
		k.s.Fault(sandbox.Route{Service: sandbox.Lending}, fault)
		_, err := k.lending.ListPools(ctx)
		var refused *walletfi.ResponseError
		if errors.Is(err, walletfi.ErrRateLimited) && errors.As(err, &refused) {
			fmt.Println("ask again in", refused.RetryAfter)
		}
		return nil
	})
	// Output:
	// ask again in 1h0m0s
}

func Example_cookbookShareLimit() {
	cook(func(ctx context.Context, k kitchen) error {
		other, err := lending.New(lending.Config{
			BaseURL: k.s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(k.s.APIKey(sandbox.Lending)),
			Options: walletfi.Options{Limiter: func(s ratelimit.Scope) ratelimit.Limiter { return k.lending.Limiter(s.Class) }},
		})
		if err != nil {
			return err
		}
		pools, err := other.ListPools(ctx)
		if err != nil {
			return err
		}
		fmt.Println(pools.Items[0].Symbol)
		return nil
	})
	// Output:
	// USDC
}

func Example_cookbookUrgent() {
	cook(func(ctx context.Context, k kitchen) error {
		pools, err := k.lending.ListPools(ctx, walletfi.Urgent())
		if err != nil {
			return err
		}
		fmt.Println(len(pools.Items) > 0)
		return nil
	})
	// Output:
	// true
}

func Example_cookbookNoRetry() {
	cook(func(ctx context.Context, k kitchen) error {
		k.s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Status: 503, Times: 1})
		_, err := k.lending.ListPools(ctx, walletfi.WithoutRetry())
		fmt.Println(errors.Is(err, walletfi.ErrUnavailable))
		return nil
	})
	// Output:
	// true
}

func Example_cookbookErrorCode() {
	cook(func(ctx context.Context, k kitchen) error {
		_, err := k.lending.BuildWithdraw(ctx, lending.WithdrawRequest{
			Owner: k.owner, Mint: k.usdc, WithdrawType: lending.DepositProtected, Amount: 5,
		})
		var refused *lending.Error
		if errors.As(err, &refused) {
			fmt.Println(errors.Is(err, walletfi.ErrRejected), refused.Code)
		}
		return nil
	})
	// Output:
	// true INSUFFICIENT_BALANCE
}

func Example_cookbookInvalid() {
	cook(func(ctx context.Context, k kitchen) error {
		_, err := k.lending.BuildDeposit(ctx, lending.DepositRequest{Owner: k.owner})
		var invalid *walletfi.ValidationError
		if errors.As(err, &invalid) {
			fmt.Println(invalid.Field, invalid.Problem)
		}
		return nil
	})
	// Output:
	// mintAddress is required
}

func Example_cookbookParseAmount() {
	cook(func(ctx context.Context, k kitchen) error {
		amount, err := walletfi.ParseAmount("25.5", 6)
		if err != nil {
			return err
		}
		fmt.Println(amount, "units are", amount.UI(6))
		return nil
	})
	// Output:
	// 25500000 units are 25.5
}

func Example_cookbookComparePrices() {
	cook(func(ctx context.Context, k kitchen) error {
		bid, ask := walletfi.MustDecimal("0.30"), walletfi.MustDecimal("0.3")
		fmt.Println(bid.Cmp(ask) == 0)
		return nil
	})
	// Output:
	// true
}

func Example_cookbookPriorityFee() {
	cook(func(ctx context.Context, k kitchen) error {
		w, err := wallet.New(wallet.Config{
			Signer: k.key, Guard: k.guard, Node: k.node,
			Fees: walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: 100_000, Growth: 50},
		})
		if err != nil {
			return err
		}
		defer w.Close()
		placed, err := w.Place(ctx, wallet.OrderOf(k.lending.BuildDeposit, lending.DepositRequest{
			Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 1_000_000,
		}), wallet.PlaceOptions{Key: "order 1", Attempts: 3})
		if err != nil {
			return err
		}
		fmt.Println("within the cap:", placed.Landing[0].Paid <= 100_000)
		return nil
	})
	// Output:
	// within the cap: true
}

func Example_cookbookRefuse() {
	cook(func(ctx context.Context, k kitchen) error {
		drain, err := sandbox.Drain(k.s, "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin")
		if err != nil {
			return err
		}
		k.s.Attack(drain)
		built, err := k.lending.BuildDeposit(ctx, lending.DepositRequest{
			Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 1_000_000,
		})
		if err != nil {
			return err
		}
		_, _, err = k.guard.SignSet(ctx, built.Unsigned(), k.key)
		var refusal *signing.GuardError
		if errors.As(err, &refusal) {
			fmt.Println("refused:", refusal.Rule)
		}
		return nil
	})
	// Output:
	// refused: system.transfer
}

func Example_cookbookReport() {
	cook(func(ctx context.Context, k kitchen) error {
		built, err := k.lending.BuildDeposit(ctx, lending.DepositRequest{
			Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 1_000_000,
		})
		if err != nil {
			return err
		}
		_, report, err := k.guard.CheckSet(ctx, built.Unsigned())
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, report.Text()) // what the person reads
		fmt.Println(report.Leaves[0].Amount, "units leave")
		return nil
	})
	// Output:
	// 1000000 units leave
}

func Example_cookbookLearn() {
	cook(func(ctx context.Context, k kitchen) error {
		var samples []walletfi.Unsigned
		for _, amount := range []walletfi.Amount{1_000_000, 2_000_000, 3_000_000} {
			built, err := k.lending.BuildDeposit(ctx, lending.DepositRequest{
				Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: amount,
			})
			if err != nil {
				return err
			}
			samples = append(samples, built.Unsigned())
		}
		proposal, err := signing.NewGuard(signing.Policy{Resolver: k.node, Simulator: k.node}).Learn(ctx, "lending", samples)
		if err != nil {
			return err
		}
		for _, pin := range proposal.TypedPins(signing.MinSamples) {
			fmt.Println(pin.Program == signing.MustPublicKey(k.s.ProgramID(sandbox.Lending)), pin.MayWrite)
		}
		return nil
	})
	// Output:
	// true [owner spent]
}

func Example_cookbookOtherProcess() {
	cook(func(ctx context.Context, k kitchen) error {
		built, err := k.lending.BuildDeposit(ctx, lending.DepositRequest{
			Owner: k.owner, Mint: k.usdc, DepositType: lending.DepositProtected, Amount: 1_000_000,
		})
		if err != nil {
			return err
		}
		message, err := json.Marshal(built)
		if err != nil {
			return err
		}
		var there lending.DepositTransaction // in the other process
		if err := json.Unmarshal(message, &there); err != nil {
			return err
		}
		txs, _, err := k.guard.SignSet(ctx, there.Unsigned(), k.key)
		if err != nil {
			return err
		}
		fmt.Println(len(txs), "signed")
		return nil
	})
	// Output:
	// 1 signed
}

func Example_cookbookKeyFile() {
	cook(func(ctx context.Context, k kitchen) error {
		file := filepath.Join(k.folder, "wallet.json")
		text := strings.ReplaceAll(fmt.Sprint(k.s.Wallet()), " ", ",")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		key, err := signing.LoadLocalKey(file)
		if err != nil {
			return err
		}
		defer key.Close()
		fmt.Println(key.PublicKey().String() == k.owner)
		return nil
	})
	// Output:
	// true
}

func Example_cookbookJournal() {
	cook(func(ctx context.Context, k kitchen) error {
		journal, err := wallet.OpenFileJournal(filepath.Join(k.folder, "payments.journal"))
		if err != nil {
			return err
		}
		defer journal.Close()
		w, err := wallet.New(wallet.Config{
			Signer: k.key, Guard: k.guard, Node: k.node, Journal: journal,
		})
		if err != nil {
			return err
		}
		defer w.Close()
		outcomes, err := w.Settle(ctx)
		if err != nil {
			return err
		}
		fmt.Println(len(outcomes), "were left by an earlier run")
		return nil
	})
	// Output:
	// 0 were left by an earlier run
}

func Example_cookbookUnsettled() {
	cook(func(ctx context.Context, k kitchen) error {
		unsettled, err := k.wallet.Unsettled(ctx)
		if err != nil {
			return err
		}
		for _, u := range unsettled {
			fmt.Println(u.Key, u.Missing)
		}
		fmt.Println(len(unsettled), "unknown")
		return nil
	})
	// Output:
	// 0 unknown
}

func Example_cookbookWebhook() {
	cook(func(ctx context.Context, k kitchen) error {
		handled, secret := 0, walletfi.NewSecret("whsec_1")
		receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
			Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{secret}},
			Handler:  func(context.Context, *webhooks.Delivery) error { handled++; return nil },
		})
		if err != nil {
			return err
		}
		signer := webhooks.DeliverySigner{Secret: secret}
		body := []byte(`{"webhookId":"wh_1","network":"solana-mainnet","slot":7,"transactions":[{"signature":"S1"}]}`)
		for range 2 {
			receiver.ServeHTTP(httptest.NewRecorder(), signer.Request("http://bot/hooks", body))
		}
		forged := httptest.NewRecorder()
		receiver.ServeHTTP(forged, signer.Tampered("http://bot/hooks", body))
		fmt.Println("handled", handled, "forged", forged.Code)
		return nil
	})
	// Output:
	// handled 1 forged 401
}

func Example_cookbookBurn() {
	cook(func(ctx context.Context, k kitchen) error {
		built, err := k.burn.BuildBurn(ctx, burnclose.BurnRequest{
			Owner: k.owner, AssetID: k.s.Mint("DUST"), AutoCloseTokenAccounts: new(true),
		})
		if err != nil {
			return err
		}
		_, err = k.wallet.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{Key: "dust 1"})
		if err != nil {
			return err
		}
		_, exists := k.s.Ledger().TokenAccount(k.s.Ledger().AssociatedAccount(k.owner, k.s.Mint("DUST")))
		fmt.Println("the account exists:", exists)
		return nil
	})
	// Output:
	// the account exists: false
}

func Example_cookbookRaw() {
	cook(func(ctx context.Context, k kitchen) error {
		var raw walletfi.RawResponse
		_, err := k.lending.ListPools(ctx, walletfi.WithRawResponse(&raw))
		if err != nil {
			return err
		}
		fmt.Println(raw.StatusCode, json.Valid(raw.Body))
		return nil
	})
	// Output:
	// 200 true
}

func Example_cookbookDecimals() {
	cook(func(ctx context.Context, k kitchen) error {
		mint, err := k.node.Mint(ctx, k.usdc)
		if err != nil {
			return err
		}
		fmt.Println(mint.Decimals, "decimals, proven:", mint.Proven)
		return nil
	})
	// Output:
	// 6 decimals, proven: true
}

func Example_cookbookProve() {
	cook(func(ctx context.Context, k kitchen) error {
		ability, err := k.node.Prove(ctx)
		if err != nil {
			return err
		}
		fmt.Println(ability.Recent, ability.Old)
		return nil
	})
	// Output:
	// true true
}

func Example_cookbookNoNetwork() {
	cook(func(ctx context.Context, k kitchen) error {
		s, err := sandbox.Start(sandbox.Config{ManualClock: true})
		if err != nil {
			return err
		}
		defer s.Close()
		before := s.Now()
		s.Advance(48 * time.Hour)
		fmt.Println(s.Now().Sub(before))
		return nil
	})
	// Output:
	// 48h0m0s
}

func Example_cookbookLogRequests() {
	cook(func(ctx context.Context, k kitchen) error {
		watch := func(_ context.Context, a observe.Attempt, end observe.AttemptEnd) {
			fmt.Println(a.Op, a.Route, end.StatusCode)
		}
		client, err := lending.New(lending.Config{
			BaseURL: k.s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(k.s.APIKey(sandbox.Lending)),
			Options: walletfi.Options{Observer: observe.OnAttempt(watch)},
		})
		if err != nil {
			return err
		}
		_, err = client.ListPools(ctx)
		return err
	})
	// Output:
	// ListPools /v1/pools 200
}
