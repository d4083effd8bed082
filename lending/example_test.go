package lending_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
)

// exampleService answers as the service does, so that the examples run anywhere.
func exampleService() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/pools":
			io.WriteString(w, `{"pools": [{"mint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v", "symbol": "USDC", "decimals": 6, "protectedApy": 4.25, "boostedApy": 9, "customApy": 6.1,
				"totalDeposited": 0, "protectedDeposits": 0, "boostedDeposits": 0, "availableCapacity": 2500000, "coverageRatio": 0.85,
				"protocols": []}]}`)
		case "/v1/generate.transactions.deposit":
			io.WriteString(w, `{"transaction": "AQID", "lastValidBlockHeight": 312, "blockhash": "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"}`)
		case "/v1/generate.transactions.withdraw":
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error": {"code": "COOLDOWN_ACTIVE", "message": "cooling down", "requestId": "req-7"}}`)
		case "/v1/account/W1111111111111111111111111111111/history":
			io.WriteString(w, `{"events": [{"type": "deposit", "timestamp": 1700000000, "mint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v", "amount": 1500000, "depositType": "protected", "signature": "S111111111111111111111111111111111111111111111111111111111111111"},
				{"type": "rebalance", "timestamp": 1700000001, "fromProtocol": "alpha", "toProtocol": "beta", "amount": 200000, "reason": "yield"}], "total": 2}`)
		}
	}))
}

func exampleClient(base string) *lending.Client {
	client, err := lending.New(lending.Config{BaseURL: base, APIKey: walletfi.NewSecret("my-key"), Tier: lending.TierPro})
	if err != nil {
		panic(err)
	}
	return client
}

func Example() {
	server := exampleService()
	defer server.Close()
	client := exampleClient(server.URL)

	pools, err := client.ListPools(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	pool := pools.Items[0]
	fmt.Println(pool.Symbol, pool.ProtectedAPY, "% a year,", pool.AvailableCapacity.UI(pool.Decimals), "left")

	deposit, err := client.BuildDeposit(context.Background(), lending.DepositRequest{
		Owner: "W1111111111111111111111111111111", Mint: pool.Mint, DepositType: lending.DepositProtected, Amount: 1_500_000,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	unsigned := deposit.Unsigned() // to be checked and signed: see packages signing and wallet
	fmt.Println("may spend", unsigned.Intent.Spend[0].Amount, "until block", unsigned.LastValidBlockHeight)
	// Output:
	// USDC 4.25 % a year, 2.5 left
	// may spend 1500000 until block 312
}

func ExampleError() {
	server := exampleService()
	defer server.Close()
	_, err := exampleClient(server.URL).BuildWithdraw(context.Background(), lending.WithdrawRequest{
		Owner: "W1111111111111111111111111111111", Mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v", WithdrawType: lending.DepositBoosted, Amount: 1,
	})
	if e, ok := errors.AsType[*lending.Error](err); ok && e.Code == lending.CodeCooldownActive {
		fmt.Println("wait:", e.Message, e.RequestID)
	}
	fmt.Println(errors.Is(err, walletfi.ErrRejected))
	// Output:
	// wait: cooling down req-7
	// true
}

func ExampleClient_AllHistory() {
	server := exampleService()
	defer server.Close()
	for event, err := range exampleClient(server.URL).AllHistory(context.Background(), "W1111111111111111111111111111111", lending.HistoryRequest{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s of %v\n", event.Type, event.Amount)
	}
	// Output:
	// deposit of 1500000
	// rebalance of 200000
}

func ExampleParseUnverifiedWebhook() {
	body := []byte(`{"event": "deposit.completed", "timestamp": 1700000000, "data": {
		"walletAddress": "W1111111111111111111111111111111", "mint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v", "amount": 1500000, "depositType": "protected", "signature": "S111111111111111111111111111111111111111111111111111111111111111"}}`)
	hook, err := lending.ParseUnverifiedWebhook(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	deposit, err := hook.Deposit()
	if err != nil {
		fmt.Println(err)
		return
	}
	// Anybody can post this: look at the account before you act on it.
	fmt.Println(deposit.WalletAddress, deposit.Amount.UI(6))
	// Output: W1111111111111111111111111111111 1.5
}
